import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    /// What remains of a key and a session once they count no more.
    @Suite("Signing in: what is lost")
    @MainActor final class SignInLossTests: SignInStage {
        @Test("A session from before the server forgot the device doesn't come back when the password enables it again")
        func oldSession() async throws {
            try await enable()
            device.answer(.match, .match)
            try await signIn.signIn()
            stub.forgetDevices()
            await #expect(throws: SignInError.needsPassword(.unknownAtServer)) { try await signIn.signIn() }
            try await enable()
            #expect(try signIn.session() == nil && signIn.state() == .enabled)
        }

        @Test("Other fingers are told though a session goes on")
        func beforeSession() async throws {
            try await enable()
            device.answer(.match)
            let session = try await signIn.signIn()
            #expect(try signIn.state() == .signedIn(until: session.expires))
            device.enroll("stranger")
            #expect(try signIn.state() == .needsPassword(.enrolmentChanged))
        }

        @Test("A server that takes no key gets two and no more, and its owner isn't asked a third time")
        func takesNoKey() async throws {
            device.answerAlways(.match)
            stub.answerInstead = { [stub] request in
                // One that goes on asking gets its key taken in the end.
                guard request.route == "POST /v1/devices", stub.requests.count < 12 else { return nil }
                return StubServer.Reply.refused(409, "device-taken")
            }
            await #expect(throws: SignInError.refused("device-taken")) {
                try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            }
            #expect(device.prompts.count == 2 && stub.routes().count { $0 == "POST /v1/devices" } == 2)
            #expect(stub.sessions.isEmpty && stub.devices.isEmpty)
        }
    }
}
