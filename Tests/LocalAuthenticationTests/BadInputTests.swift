import LocalAuthentication
import Testing
import ThumbAccess
import ThumbClient
import ThumbSecrets
import ThumbturnSimulator

extension DeviceTests {
    /// What no well-meaning app sends.
    @Suite struct BadInputTests {
        @Test("a policy without a name can't be made, and one that has none here fails with a code that has a name")
        func unknownPolicy() async {
            for number in [0, -1, 6, 7, 1007, Int.max, Int.min] { #expect(LAPolicy(rawValue: number) == nil) }
            await withDevice { _ in
                let code = await LAContext().ask(.deviceOwnerAuthenticationWithWristDetection)
                #expect(code == .biometryNotAvailable)
            }
        }

        @Test("a reason of a megabyte is asked with, cut to what anybody could read")
        func longReason() async throws {
            try await withDevice { device in
                device.answer(.match)
                let reason = String(repeating: "é", count: 1 << 19)
                try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
                let shown = try #require(device.prompts.first?.reason)
                #expect(!shown.isEmpty && shown.utf8.count <= 1 << 14 && reason.hasPrefix(shown.dropLast(2)))
            }
        }

        @Test("titles of a megabyte don't keep anybody from being asked")
        func longTitles() async {
            await withDevice { device in
                device.answer(.noMatch, .cancel)
                let context = LAContext()
                context.localizedFallbackTitle = String(repeating: "f", count: 1 << 20)
                context.localizedCancelTitle = String(repeating: "c", count: 1 << 20)
                #expect(await context.ask() == .userCancel)
            }
        }

        @Test("words with control characters and overrides are shown in one line, in their order, of bounded length")
        func safeWords() {
            let shown = SafeText("pay\u{1b}[2J\u{202e}yap\n\u{7}\u{2066}now" + String(repeating: "x", count: 500)).description
            let scalars = shown.unicodeScalars
            #expect(scalars.allSatisfy { ![.control, .format, .lineSeparator].contains($0.properties.generalCategory) })
            #expect(shown.hasPrefix("pay") && scalars.count <= SafeText.limit + 1)
        }

        @Test("a credential that is too long isn't kept, and one of no bytes is")
        func credentials() async {
            await withDevice { _ in
                let context = LAContext()
                #expect(!context.setCredential(Data(count: 1 << 20), type: .applicationPassword))
                #expect(!context.isCredentialSet(.applicationPassword))
                #expect(context.setCredential(Data(), type: .applicationPassword))
                #expect(context.isCredentialSet(.applicationPassword))
            }
        }

        @Test("reuse times that are no times open nothing", arguments: [-1, -.infinity, .nan] as [Double])
        func reuseTimes(_ seconds: Double) async {
            await withDevice { device in
                device.lock()
                #expect(device.unlock(with: .biometry))
                let context = LAContext()
                context.touchIDAuthenticationAllowableReuseDuration = seconds
                device.answer(.cancel)
                #expect(await context.ask() == .userCancel)
            }
        }
    }
}
