import LocalAuthentication
import Observation
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("Authenticator")
    @MainActor final class AuthenticatorTests {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234").install()
        let texts = Texts(Locale(identifier: "en"), naming: .plain)

        deinit { device.uninstall() }

        func authenticator(_ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) -> Authenticator {
            Authenticator(policy: policy, texts: texts)
        }

        @Test("From nobody over a prompt to the owner")
        func success() async throws {
            let authenticator = authenticator()
            #expect(authenticator.state == .notAuthenticated && authenticator.needsReauthentication)
            device.answer(.nothing)
            async let result = authenticator.authenticate()
            try await until("the prompt is up") { device.isAsking }
            #expect(authenticator.state == .inProgress)
            #expect(!authenticator.isAuthenticated && !authenticator.needsReauthentication)
            device.answer(.match)
            #expect(await result == .success)
            #expect(authenticator.state == .authenticated && authenticator.isAuthenticated)
            #expect(authenticator.lastSuccess != nil && authenticator.context != nil)
        }

        @Test("A second start is refused while one runs, and the first goes on")
        func secondStart() async throws {
            let authenticator = authenticator()
            device.answer(.nothing)
            async let first = authenticator.authenticate()
            try await until("the prompt is up") { device.isAsking }
            #expect(await authenticator.authenticate() == .alreadyInProgress)
            #expect(authenticator.state == .inProgress)
            device.answer(.match)
            #expect(await first == .success)
            #expect(device.prompts.count == 1)
        }

        @Test("Each attempt has a fresh context: a success never stands in for the next one")
        func freshContext() async {
            let authenticator = authenticator()
            device.answer(.match, .noMatch, .noMatch, .noMatch)
            #expect(await authenticator.authenticate() == .success)
            let first = authenticator.context
            #expect(await authenticator.authenticate() == .failed(LAError(.authenticationFailed)))
            #expect(device.prompts.count == 2 && authenticator.lastSuccess == nil)
            #expect(authenticator.state == .notAuthenticated && authenticator.context == nil)
            #expect(first?.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) == false, "the old context is invalidated")
        }

        @Test("A cancel is no failure, and another attempt may follow")
        func cancel() async {
            let authenticator = authenticator()
            device.answer(.cancel, .match)
            #expect(await authenticator.authenticate() == .cancelled(by: .user))
            #expect(authenticator.state == .canceled && !authenticator.needsReauthentication)
            #expect(await authenticator.authenticate() == .success)
        }

        @Test("The system's cancel is told from the person's")
        func systemCancel() async {
            let authenticator = authenticator()
            device.answer(.systemCancel)
            #expect(await authenticator.authenticate() == .cancelled(by: .system))
            #expect(authenticator.state == .canceled)
        }

        @Test("The fallback button leads to the app's own login")
        func fallback() async {
            let authenticator = authenticator()
            authenticator.fallbackTitle = "Use password"
            authenticator.cancelTitle = "Not now"
            device.answer(.noMatch, .fallback)
            #expect(await authenticator.authenticate(reason: "Open the vault") == .fallbackChosen)
            #expect(authenticator.state == .notAuthenticated)
            let prompt = device.prompts.last
            #expect(prompt?.reason == "Open the vault")
            #expect(prompt?.fallbackTitle == "Use password" && prompt?.cancelTitle == "Not now")
            authenticator.loginSucceeded()
            #expect(authenticator.isAuthenticated && authenticator.context == nil && authenticator.lastSuccess != nil)
        }

        @Test("Without a reason the prompt names the sensor")
        func defaultReasons() async {
            device.answer(.match, .match, .match)
            _ = await authenticator().authenticate()
            _ = await authenticator().authenticate(reason: "")
            _ = await authenticator(.deviceOwnerAuthentication).authenticate()
            #expect(
                device.prompts.map(\.reason)
                    == [
                        "Show by your fingerprint that it is you", "Show by your fingerprint that it is you",
                        "Show that it is you",
                    ])
        }

        @Test("Misses are a failure with its error")
        func failed() async {
            let authenticator = authenticator()
            device.answer(.noMatch, .noMatch, .noMatch)
            #expect(await authenticator.authenticate() == .failed(LAError(.authenticationFailed)))
            #expect(authenticator.state == .notAuthenticated && authenticator.needsReauthentication)
        }

        @Test("A reply that says no and not why is a failure, and the next attempt may begin")
        func noReason() async {
            let authenticator = Authenticator(makeContext: { MockContext(evaluation: (false, nil)) })
            for _ in 1...2 { #expect(await authenticator.authenticate() == .failed(LAError(.authenticationFailed))) }
            #expect(authenticator.state == .notAuthenticated)
        }

        @Test("A preflight that refuses without asking is told from a failure")
        func noPrompt() async {
            let authenticator = Authenticator(makeContext: { MockContext(preflight: .notInteractive) })
            #expect(await authenticator.authenticate() == .unavailable(LAError(.notInteractive)))
        }

        private func missing(_ authenticator: Authenticator) async -> LAError.Code? {
            if case .unavailable(let error) = await authenticator.authenticate() { error.code } else { nil }
        }

        @Test("What is missing is said, and no prompt is shown")
        func unavailable() async {
            let authenticator = authenticator()
            device.removeEnrolment("me")
            #expect(await missing(authenticator) == .biometryNotEnrolled)
            device.enroll("me")
            device.biometryPermission = false
            #expect(await missing(authenticator) == .biometryNotAvailable)
            device.biometryPermission = true
            device.setPasscode(nil)
            #expect(await missing(authenticator) == .passcodeNotSet)
            #expect(await missing(self.authenticator(.deviceOwnerAuthentication)) == .passcodeNotSet)
            #expect(device.prompts.isEmpty && authenticator.state == .notAuthenticated)
        }

        @Test("A lockout is unavailable, and the passcode's policy is the way out")
        func lockout() async {
            await device.lockBiometryOut()
            #expect(await missing(authenticator()) == .biometryLockout)
            device.answer(.passcode("1234"), .match)
            #expect(await authenticator(.deviceOwnerAuthentication).authenticate() == .success)
            #expect(await authenticator().authenticate() == .success)
        }

        @Test("Deauthenticating takes the prompt away, and a new attempt may begin at once")
        func deauthenticate() async throws {
            let authenticator = authenticator()
            device.answer(.nothing)
            async let first = authenticator.authenticate()
            try await until("the prompt is up") { device.isAsking }
            authenticator.deauthenticate()
            #expect(authenticator.state == .notAuthenticated)
            device.answer(.match)
            async let second = authenticator.authenticate()
            #expect(await first == .cancelled(by: .app))
            #expect(await second == .success)
            #expect(authenticator.state == .authenticated, "the first attempt's end doesn't touch the second")
        }

        @Test("The app's own login takes a prompt away, and ends the context of the success before it")
        func ownLogin() async throws {
            let authenticator = authenticator()
            device.answer(.match)
            #expect(await authenticator.authenticate() == .success)
            let context = try #require(authenticator.context)
            authenticator.loginSucceeded()
            try #require(authenticator.isAuthenticated && authenticator.context == nil)
            #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
            device.answer(.nothing)
            async let asked = authenticator.authenticate()
            try await until("the prompt is up") { device.isAsking }
            authenticator.loginSucceeded()
            #expect(await asked == .cancelled(by: .app))
            #expect(authenticator.isAuthenticated)
            try await until("the prompt is gone") { !device.isAsking }
        }

        @Test("A yes that was on its way when it was deauthenticated comes too late")
        func lateYes() async throws {
            let context = HeldContext()
            let authenticator = Authenticator(makeContext: { context })
            async let result = authenticator.authenticate()
            let reply = try await context.reply()
            authenticator.deauthenticate()
            reply(true, nil)
            #expect(await result == .cancelled(by: .app))
            #expect(authenticator.state == .notAuthenticated && authenticator.lastSuccess == nil && authenticator.context == nil)
        }

        @Test("Cancelling the task that waits takes the prompt away")
        func taskCancel() async throws {
            let authenticator = authenticator()
            device.answer(.nothing)
            let task = Task { await authenticator.authenticate() }
            try await until("the prompt is up") { device.isAsking }
            task.cancel()
            #expect(await task.value == .cancelled(by: .app))
            #expect(authenticator.state == .canceled)
            try await until("the prompt is gone") { !device.isAsking }
        }

        @Test("Nobody who lets go of an authenticator while it asks is punished")
        func dropped() async throws {
            var authenticator: Authenticator? = authenticator()
            weak let gone = authenticator
            device.answer(.nothing)
            let task = Task { [authenticator] in await authenticator?.authenticate() }
            try await until("the prompt is up") { device.isAsking }
            authenticator = nil
            device.answer(.match)
            #expect(await task.value == .success)
            try await until("nothing holds on to it") { gone == nil }
        }

        @Test("Its state can be observed")
        func observed() async {
            let authenticator = authenticator()
            await confirmation { changed in
                withObservationTracking {
                    _ = authenticator.state
                } onChange: {
                    changed()
                }
                device.answer(.match)
                _ = await authenticator.authenticate()
            }
        }

        @Test("The context that succeeded opens an item without a second prompt, until deauthenticated")
        func contextOpensItem() async throws {
            let rule = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .userPresence, nil))
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "everyday",
                kSecValueData as String: Data("secret".utf8), kSecAttrAccessControl as String: rule,
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            let authenticator = authenticator()
            device.answer(.match)
            #expect(await authenticator.authenticate() == .success)
            let context = try #require(authenticator.context)
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "everyday",
                kSecReturnData as String: true, kSecUseAuthenticationContext as String: context,
            ]
            var found: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            #expect(found as? Data == Data("secret".utf8) && device.prompts.count == 1)
            authenticator.deauthenticate()
            var late: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &late) == errSecAuthFailed)
            #expect(late == nil && device.prompts.count == 1)
        }
    }
}
