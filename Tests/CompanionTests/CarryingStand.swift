import CThumbLinux
import Testing
import ThumbAccess
import ThumbLoop
import ThumbSecrets
import ThumbSystem

@testable import ThumbCarrying

/// A carrier on the loopback, and what it tells.
final class Stand: Sendable {
    enum Event: Sendable, Equatable {
        case line([UInt8], Bool)
        case frame([UInt8], [UInt8])
    }

    let port: UInt16
    private let carrier: Carrier
    private let condition = Condition()
    private let events = Locked<[Event]>([])
    /// The connection that each frame came over.
    let connections = Locked<[UInt32]>([])

    init() throws {
        let port = try Self.freePort()
        self.port = port
        carrier = EventLoop.shared.sync { Carrier(address: "127.0.0.1", port: port) { _ in } }
        EventLoop.shared.sync { [self] in
            carrier.heard = { [weak self] in
                self?.connections.withLock { [number = $2] in $0.append(number) }
                self?.add(.frame($0, $1))
            }
            carrier.line = { [weak self] in self?.add(.line($0, $1)) }
        }
    }

    deinit { EventLoop.shared.sync { [carrier] in carrier.stop() } }

    /// Below those that the kernel gives away by itself. Each stand has one of its own, even after it has let it go.
    private static let lastPort = Locked<UInt16>(UInt16.random(in: 20_000...30_000))

    private static func freePort() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = lastPort.withLock { port in
                port += 1
                return port
            }
            if (try? LinkSocket.listen("127.0.0.1", port: port).number) != nil { return port }
        }
        throw SystemError(EADDRINUSE)
    }

    private func add(_ event: Event) {
        condition.withLock { _ in events.withLock { $0.append(event) } }
        condition.broadcast()
    }

    var all: [Event] { events.withLock { $0 } }

    /// Whether it tells that so many times, within a minute.
    func tells(_ event: Event, times: Int = 1, within limit: Duration = .seconds(60)) -> Bool {
        condition.withLock { held in
            let end = ContinuousClock.now + limit
            func isTold() -> Bool { all.filter { $0 == event }.count >= times }
            while !isTold(), ContinuousClock.now < end { _ = held.wait(atMost: .milliseconds(200)) }
            return isTold()
        }
    }

    func update(_ pairings: [CompanionFacts]) { EventLoop.shared.sync { [self] in carrier.update(pairings) } }
    func send(_ frame: [UInt8], of pairing: [UInt8]) { EventLoop.shared.sync { [self] in carrier.send(frame, of: pairing) } }
    func proven(_ pairing: [UInt8], _ number: UInt32) {
        EventLoop.shared.sync { [self] in carrier.proven(pairing, number) }
    }
    func stop() { EventLoop.shared.sync { [self] in carrier.stop() } }
}

/// Somebody who connects to a carrier by hand.
final class Stranger {
    private let fd: Int32
    private var reader = ParcelReader()

    init(_ port: UInt16) throws { fd = try LinkSocket.connect(to: "127.0.0.1", port: port, seconds: 30).released() }

    deinit { close(fd) }

    func say(_ bytes: [UInt8]) { #expect(send(fd, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count) }

    /// The next parcels; nil once the carrier has closed.
    func hear() throws -> [Parcel]? {
        while true {
            var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) == 1 else { return [] }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(fd, &bytes, bytes.count)
            guard count > 0 else { return nil }
            let parcels = try reader.take(Array(bytes.prefix(count)))
            if !parcels.isEmpty { return parcels }
        }
    }
}
