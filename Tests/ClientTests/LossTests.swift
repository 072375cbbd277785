import CThumbLinux
import Foundation
import Testing
import ThumbClient
import ThumbConversation
import ThumbLoop
import ThumbSecrets

@Suite("Hearing that a device is gone") struct LossTests {
    @Test("a client hears of each connection that is lost, and of nothing else that a device reports")
    func losses() throws {
        let isThere = Locked(false)
        let (devices, client) = try PlayedDevice.several(2, isThere: isThere)
        let (lost, changed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        client.watchEnvironment { changed.signal() }
        isThere.withLock { $0 = true }
        for (place, device) in devices.enumerated() {
            Thread.detachNewThread {
                if place == 0 { client.watchLoss { lost.signal() } } else { _ = try? client.mode() }
            }
            device.say(Welcome(mode: .simulated), try device.heard().call)
            let watching = try device.heard()
            #expect(watching.kind == .watchEnvironment)
            for _ in 0..<2 { device.say(Changed(), watching.call) }
            for _ in 0..<2 { #expect(changed.wait(timeout: .now() + 60) == .success) }
            #expect(lost.wait(timeout: .now()) == .timedOut)
            close(device.fd)
            #expect(lost.wait(timeout: .now() + 60) == .success)
            // Whoever watches the environment hears of the loss too.
            #expect(changed.wait(timeout: .now() + 60) == .success)
            #expect(lost.wait(timeout: .now() + 0.2) == .timedOut)
        }
    }
}
