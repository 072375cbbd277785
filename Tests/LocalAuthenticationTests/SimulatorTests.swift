import Foundation
import LocalAuthentication
import Testing
import ThumbClient
import ThumbLoop
import ThumbturnSimulator

extension DeviceTests {
    /// What a simulated device keeps over the things that a test does to it.
    @Suite struct SimulatorTests {
        @Test("A program has the groups that a test gave it after a restart too")
        func groups() async {
            await withDevice { device in
                device.accessGroups = ["team"]
                device.install()
                #expect(Item.add([]) == errSecSuccess)
                device.restart()
                #expect(device.unlock(with: .passcode("1234")))
                #expect(Item.read().secret == Item.secret)
            }
        }

        @Test("An owner who approves everything types the passcode that was set last")
        func anotherPasscode() async {
            await withDevice(.none) { device in
                device.approveEverything()
                device.setPasscode("2468")
                #expect(await Pending(LAContext(), .deviceOwnerAuthentication).code == nil)
                #expect(device.prompts.map(\.outcome) == [.success])
            }
        }

        @Test("A device that other programs reach at a socket is reached there after a restart too")
        func socket() async throws {
            let folder = NSTemporaryDirectory() + "/thumbturn-restart-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let path = folder + "/s"
            try await withDevice { _ in
                let device = SimulatedDevice()
                try #require(device.listen(at: path))
                for _ in 1...2 {
                    // A client that nobody answers gives up, rather than wait for ever.
                    let client = DeviceClient(patience: 30) {
                        guard case .success(let fd) = UnixSocket.connect(to: path) else { return nil }
                        return fd
                    }
                    #expect(try client.status().passcodeIsSet)
                    device.restart()
                }
                device.uninstall()
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }

        @Test("A device that another one replaced is taken down and leaves the other one in its place")
        func replaced() async {
            await withDevice { second in
                let first = SimulatedDevice().install()
                second.install()
                second.approveEverything()
                first.uninstall()
                #expect(await Pending(LAContext(), .deviceOwnerAuthentication).code == nil)
                #expect(second.prompts.count == 1)
            }
        }
    }
}
