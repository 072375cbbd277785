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
}
