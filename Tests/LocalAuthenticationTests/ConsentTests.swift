import LocalAuthentication
import Testing
import ThumbClient
import ThumbSecrets
import ThumbturnSimulator

extension DeviceTests {
    /// The owner's word about apps that want face recognition.
    @Suite struct ConsentTests {
        /// A device with a camera that asks, and this program with or without a word on why it wants it.
        private func withAsking(
            _ sensor: SimulatedDevice.Biometry = .faceID, usage: String? = "to open the vault",
            _ body: (SimulatedDevice) async throws -> Void
        ) async rethrows {
            // Any context introduces the program as it is; what is said here is said after that.
            _ = LAContext()
            try await withDevice(sensor) { device in
                device.asksConsent = true
                DeviceClient.shared.introduce(as: "consent", faceUsage: usage)
                defer { DeviceClient.shared.introduce(as: nil) }
                device.install()
                try await body(device)
            }
        }

        @Test("16: the first use asks the owner, with the app's words; the passcode allows it, and it isn't asked again")
        func allowed() async {
            await withAsking { device in
                #expect(LAContext().preflight() == nil)
                device.answer(.passcode("1234"), .match, .match)
                #expect(await LAContext().ask() == nil)
                #expect(
                    device.prompts.map(\.reason) == ["use face recognition; it says why: ‘to open the vault’", "a test asks"])
                #expect(await LAContext().ask() == nil)
                #expect(device.prompts.count == 3)
            }
        }

        @Test("16: a look allows nothing that lasts: the camera isn't watched while that is asked")
        func byPasscodeAlone() async {
            await withAsking { device in
                device.answer(.cancel)
                #expect(await LAContext().ask() == .biometryNotAvailable)
                #expect(device.prompts.map(\.sensor) == [.none])
            }
        }

        @Test("10, 16: a refusal is kept: the sensor isn't available to this app, and its kind still shows")
        func refused() async {
            await withAsking { device in
                device.answer(.cancel)
                #expect(await LAContext().ask() == .biometryNotAvailable)
                for _ in 1...2 {
                    let context = LAContext()
                    #expect(context.preflight() == .biometryNotAvailable && context.biometryType == .faceID)
                    #expect(await context.ask() == .biometryNotAvailable)
                    device.restart()
                    #expect(device.unlock(with: .passcode("1234")))
                }
                #expect(device.prompts.count == 1)
                // Under the owner's policy the passcode is left.
                device.answer(.passcode("1234"))
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
            }
        }

        @Test("a prompt that is taken away decides nothing: the next use asks again")
        func undecided() async {
            await withAsking { device in
                device.answer(.systemCancel, .passcode("1234"), .match)
                #expect(await LAContext().ask() == .systemCancel)
                #expect(await LAContext().ask() == nil)
                #expect(device.prompts.count == 3)
            }
        }

        @Test("a button alone allows nothing: there is none, and a wrong passcode doesn't either")
        func misses() async {
            await withAsking { device in
                device.answer(.passcode("0000"), .passcode("0001"), .cancel)
                #expect(await LAContext().ask() == .biometryNotAvailable)
                #expect(LAContext().preflight() == .biometryNotAvailable)
            }
        }

        @Test("63: an app that may not ask isn't asked about either")
        func notInteractive() async {
            await withAsking { device in
                let context = LAContext()
                context.interactionNotAllowed = true
                #expect(await context.ask() == .notInteractive)
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("16: without a word on why, face recognition isn't available, and a finger needs none")
        func noUsage() async {
            await withAsking(usage: nil) { device in
                #expect(await LAContext().ask() == .biometryNotAvailable)
                #expect(device.prompts.isEmpty)
            }
            await withAsking(.touchID, usage: nil) { device in
                device.answer(.match)
                #expect(await LAContext().ask() == nil)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("16: where a program can't be told from others the owner isn't asked, because no answer could be kept")
        func nobody() async {
            await withAsking { device in
                device.accessGroups = []
                #expect(await LAContext().ask() == .biometryNotAvailable)
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("16: where nobody is asked, a program that doesn't say why has the camera; once they are, it has it no more")
        func lenient() async {
            await withAsking(usage: nil) { device in
                device.asksConsent = false
                device.answer(.match)
                #expect(await LAContext().ask() == nil)
                device.asksConsent = true
                let context = LAContext()
                #expect(await context.ask() == .biometryNotAvailable && context.biometryType == .faceID)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("the owner's word can be listed, changed after the passcode, and forgotten")
        func judged() async throws {
            try await withAsking { device in
                device.answer(.cancel)
                #expect(await LAContext().ask() == .biometryNotAvailable)
                let refused = try DeviceClient.shared.apps().filter { $0.verdict != .noted }
                #expect(refused.map(\.verdict) == [.denied])
                let app = try #require(refused.first?.app)
                device.answer(.passcode("1234"))
                try DeviceClient.shared.judge(app, .allowed)
                device.answer(.match)
                #expect(await LAContext().ask() == nil)
                device.answer(.passcode("1234"))
                try DeviceClient.shared.judge(app, nil)
                let forgotten = try DeviceClient.shared.apps().filter { $0.verdict != .noted }
                #expect(forgotten.isEmpty)
                device.answer(.passcode("1234"), .match)
                #expect(await LAContext().ask() == nil)
            }
        }
    }
}
