import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets

@testable import ThumbClient

/// What a client passes on of the owner's session, beside a device played by the test.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    @Test("a watcher is told what the device tells and of its end, then what the next one tells, until it has gone")
    func told() throws {
        let (devices, client) = try PlayedDevice.several(2)
        let (told, number, heard) = (Locked<[SessionEvent?]>([]), Locked(0), DispatchSemaphore(value: 0))
        for (place, device) in devices.enumerated() {
            let isReady = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                if place == 0 {
                    let new = client.watchSession { event in
                        told.withLock { $0.append(event) }
                        heard.signal()
                    }
                    number.withLock { $0 = new }
                } else {
                    _ = try? client.mode()
                }
                isReady.signal()
            }
            device.say(Welcome(mode: .simulated), try device.heard().call)
            let watching = try device.heard()
            #expect(watching.kind == .watchSession)
            #expect(isReady.wait(timeout: .now() + 60) == .success)
            for event in [SessionEvent.locked, .unlocked] { device.say(SessionTold(event), watching.call) }
            for _ in 0..<2 { #expect(heard.wait(timeout: .now() + 60) == .success) }
            // The second one tells a watcher that has gone.
            if place == 1 { client.stopWatchingSession(number.withLock { $0 }) }
            close(device.fd)
            if place == 0 { #expect(heard.wait(timeout: .now() + 60) == .success) }
        }
        #expect(heard.wait(timeout: .now() + 0.2) == .timedOut)
        #expect(told.withLock { $0 } == [.locked, .unlocked, nil, .locked, .unlocked])
    }

    /// A first watcher, and the number of the call over which the device tells it.
    private static func watcher(of device: PlayedDevice, _ client: DeviceClient) throws -> (heard: Heard, call: UInt32) {
        let (first, isWatching) = (Heard(), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            _ = client.watchSession(first.put)
            isWatching.signal()
        }
        device.say(Welcome(mode: .simulated), try device.heard().call)
        let call = try device.heard().call
        #expect(isWatching.wait(timeout: .now() + 60) == .success)
        return (first, call)
    }

    @Test("a watcher that comes later is told what lasts of what happened, and nothing that is over")
    func later() throws {
        let (devices, client) = try PlayedDevice.several(1)
        let device = devices[0]
        let (first, call) = try Self.watcher(of: device, client)
        // What one that comes after each of these is told first.
        let steps: [(SessionEvent, [SessionEvent])] = [
            (.locked, [.locked]), (.left, [.locked, .left]), (.unlocked, [.left]), (.returned, []), (.asleep, []),
            (.locked, [.locked]),
        ]
        for (event, lasting) in steps {
            device.say(SessionTold(event), call)
            #expect(first.next() == event)
            let later = Heard()
            let number = client.watchSession(later.put)
            // Whoever comes later is told by the loop, and so before this.
            EventLoop.shared.sync {}
            #expect(later.all == lasting, "after \(event)")
            client.stopWatchingSession(number)
        }
        close(device.fd)
    }

    @Test("a watcher that comes after the device has gone isn't told what that device told: nobody knows how the next one is")
    func laterThanTheDevice() throws {
        let (devices, client) = try PlayedDevice.several(1)
        let device = devices[0]
        let (first, call) = try Self.watcher(of: device, client)
        for event in [SessionEvent.locked, .left] {
            device.say(SessionTold(event), call)
            #expect(first.next() == event)
        }
        close(device.fd)
        _ = first.next()
        try #require(first.all == [.locked, .left, nil])
        let later = Heard()
        _ = client.watchSession(later.put)
        // Whoever comes later is told by the loop, and so before this.
        EventLoop.shared.sync {}
        #expect(later.all.isEmpty)
    }
}

/// What one watcher was told.
private final class Heard: Sendable {
    private let told = Locked<[SessionEvent?]>([])
    private let arrival = DispatchSemaphore(value: 0)

    @Sendable func put(_ event: SessionEvent?) {
        told.withLock { $0.append(event) }
        arrival.signal()
    }

    /// What it is told last, once it is told something.
    func next() -> SessionEvent? {
        guard arrival.wait(timeout: .now() + 60) == .success else { return nil }
        return told.withLock { $0.last ?? nil }
    }

    var all: [SessionEvent?] { told.withLock { $0 } }
}
