import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import thumbturn_test_wire

@testable import ThumbService

/// The events of the owner's session, as an app hears them.
@Suite(.timeLimit(.minutes(5))) struct SessionEventTests {
    private let stand: Stand
    private let peer: Peer

    init() throws {
        stand = try Stand()
        peer = try Self.app(stand)
    }

    private static func app(_ stand: Stand) throws -> Peer {
        let peer = try stand.connect()
        try peer.send(.hello(Hello(role: .app)))
        guard case .welcome? = try peer.next() else { throw NotThere() }
        return peer
    }

    private struct NotThere: Error {}

    private func nextEvent() throws -> SessionEvent? {
        guard let heard = try peer.nextWithCall(), heard.call == 7, case .told(let event) = heard.answer else { return nil }
        return event
    }

    @Test("each thing that happens is told once, in order, and what stays as it was isn't told")
    func order() throws {
        try peer.send(.watchSession, call: 7)
        try peer.send(.status, call: 8)
        // The watch has begun once this is answered.
        guard case .status? = try peer.next() else { throw NotThere() }
        stand.onLoop { graph in
            graph.device.sessionComesToFront(true)
            graph.device.unlock()
            graph.device.lock()
            graph.device.wake()
            graph.device.sleep()
            graph.device.wake()
            graph.device.sessionComesToFront(false)
            graph.device.sessionComesToFront(false)
            graph.device.unlock()
            graph.device.sessionComesToFront(true)
        }
        for event in [SessionEvent.locked, .asleep, .awake, .left, .unlocked, .returned] {
            #expect(try nextEvent() == event)
        }
        try peer.send(.status, call: 9)
        guard case .status? = try peer.next() else { throw NotThere() }
    }

    @Test("who comes while the session is locked and another one in front is told so first")
    func late() throws {
        stand.onLoop { graph in
            graph.device.lock()
            graph.device.sessionComesToFront(false)
        }
        try peer.send(.watchSession, call: 7)
        #expect(try nextEvent() == .locked)
        #expect(try nextEvent() == .left)
    }

    @Test("a watcher that is gone is told nothing, and nobody else is kept from it")
    func gone() throws {
        try peer.send(.watchSession, call: 7)
        let other = try Self.app(stand)
        try other.send(.watchSession, call: 3)
        other.close()
        for _ in 0..<600 where stand.onLoop({ $0.service.population.total }) > 1 { usleep(10_000) }
        #expect(stand.onLoop { $0.device.session.watchers.count } == 1)
        stand.onLoop { $0.device.lock() }
        #expect(try nextEvent() == .locked)
    }
}
