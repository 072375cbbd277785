import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("Signing in")
    @MainActor final class SignInTests: SignInStage {
        private var isSignedIn: Bool {
            get throws { if case .signedIn = try signIn.state() { true } else { false } }
        }

        @Test("The password once, then the finger: a key is registered, and each sign-in is a session of its own")
        func story() async throws {
            #expect(try signIn.state() == .signedOut)
            await #expect(throws: SignInError.notEnabled) { try await signIn.signIn() }
            try await enable()
            #expect(try signIn.state() == .enabled && signIn.session() == nil)
            // The password's session has served its purpose.
            #expect(stub.sessions.isEmpty && stub.devices.count == 1)
            device.answer(.match, .match)
            let first = try await signIn.signIn()
            #expect(try signIn.session() == first)
            #expect(try signIn.state() == .signedIn(until: first.expires))
            let second = try await signIn.signIn()
            #expect(first.token != second.token && stub.sessions.count == 2)
            #expect(device.prompts.map(\.signIn?.registers) == [true, false, false])
            #expect(device.prompts.allSatisfy { $0.signIn?.origin == stub.origin && $0.signIn?.account == "anna" })
            // Another value of the same name, as after a restart.
            #expect(try SignIn(stub.origin, account: "anna").session() == second)
            #expect(try SignIn(stub.origin, account: "otto").state() == .signedOut)
            #expect("\(second)".contains(second.token) == false && "\([second])".contains(second.token) == false)
        }

        @Test("Other fingers: the key is gone, the password makes another, and the server forgets the old one")
        func fingersChanged() async throws {
            try await enable()
            let old = try #require(stub.devices.keys.first)
            device.enroll("stranger")
            #expect(try signIn.state() == .needsPassword(.enrolmentChanged))
            await #expect(throws: SignInError.needsPassword(.enrolmentChanged)) { try await signIn.signIn() }
            // It stays so, whatever the fingers are.
            device.removeEnrolment("stranger")
            await #expect(throws: SignInError.needsPassword(.enrolmentChanged)) { try await signIn.signIn() }
            #expect(stub.signIns.isEmpty)
            try await enable()
            #expect(stub.devices.count == 2 && stub.devices[old]?.isRevoked == true)
            device.answer(.match)
            try await signIn.signIn()
            #expect(try isSignedIn)
        }

        /// Makes another key under other fingers; the server doesn't hear that the one before is of no use. That one's device.
        private func changeUnheard() async throws -> String {
            try await enable()
            let old = try #require(stub.devices.keys.first)
            device.enroll("stranger")
            stub.answerInstead = { $0.route == "POST /v1/devices/DEVICE/revocation" ? StubServer.Reply(status: 503) : nil }
            try await enable()
            stub.answerInstead = { _ in nil }
            #expect(stub.devices.count == 2 && stub.devices[old]?.isRevoked == false)
            return old
        }

        @Test("A key of before whose revocation the server didn't hear is revoked the next time")
        func revokedLater() async throws {
            let old = try await changeUnheard()
            try await enable()
            #expect(stub.devices[old]?.isRevoked == true)
        }

        @Test("Disabling revokes the keys of before too, if the server didn't hear of it then")
        func disableFormer() async throws {
            _ = try await changeUnheard()
            #expect(try await signIn.disable(password: "tulips in spring") == .nothing)
            #expect(stub.devices.count == 2 && stub.devices.values.allSatisfy(\.isRevoked))
        }

        @Test("A stranger's finger, a cancel: no statement leaves the device, and the owner may try again")
        func owner() async throws {
            try await enable()
            device.answer(.noMatch, .noMatch, .noMatch)
            await #expect(throws: SignInError.notAuthenticated) { try await signIn.signIn() }
            device.answer(.cancel)
            await #expect(throws: SignInError.cancelled) { try await signIn.signIn() }
            #expect(stub.signIns.isEmpty && stub.sessions.isEmpty)
            device.answer(.match)
            try await signIn.signIn()
            #expect(try isSignedIn)
        }

        @Test("The same statement and signature a second time is refused by the server")
        func replay() async throws {
            try await enable()
            device.answer(.match)
            try await signIn.signIn()
            // Whoever read it off the wire sends it once more, in place of what the device signs now.
            let recorded = try #require(stub.signIns.first)
            stub.answerInstead = { [stub] request in
                guard request.route == "POST /v1/sign-ins", request.body != recorded.body else { return nil }
                return stub.reply(to: recorded)
            }
            device.answer(.match)
            await #expect(throws: SignInError.refused("challenge-used")) { try await signIn.signIn() }
        }

        @Test("Revoked at the server, or unknown there: the password is needed, and helps")
        func revoked() async throws {
            try await enable()
            let old = try #require(stub.devices.keys.first)
            stub.revoke(old)
            device.answer(.match)
            await #expect(throws: SignInError.needsPassword(.revoked)) { try await signIn.signIn() }
            #expect(try signIn.state() == .needsPassword(.revoked))
            try await enable()
            #expect(stub.devices.count == 2)
            stub.forgetDevices()
            device.answer(.match)
            await #expect(throws: SignInError.needsPassword(.unknownAtServer)) { try await signIn.signIn() }
            try await enable()
            // A server that merely forgot it gets the same key again.
            #expect(stub.devices.count == 1)
            device.answer(.match)
            try await signIn.signIn()
        }

        @Test("A key that was removed behind our back needs the password")
        func keyGone() async throws {
            try await enable()
            let query: [String: Any] = [kSecClass as String: kSecClassKey]
            #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
            #expect(try signIn.state() == .needsPassword(.keyGone))
            await #expect(throws: SignInError.needsPassword(.keyGone)) { try await signIn.signIn() }
            try await enable()
            #expect(try signIn.state() == .enabled)
        }

        @Test("A wrong password, and a server that wants to be left alone, change nothing")
        func wrongPassword() async throws {
            await #expect(throws: SignInError.wrongPassword) {
                try await signIn.enable(password: "wrong", deviceName: "laptop")
            }
            stub.answerInstead = { _ in
                var reply = StubServer.Reply.refused(429, "slow-down")
                reply.extra["Retry-After"] = "7"
                return reply
            }
            await #expect(throws: SignInError.slowDown(seconds: 7)) {
                try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            }
            #expect(try signIn.state() == .signedOut && EnclaveKey.list().isEmpty && device.prompts.isEmpty)
        }

        @Test(
            "Wherever the server's answer is lost, enabling again goes on with the same key",
            arguments: ["POST /v1/sessions", "POST /v1/challenges", "POST /v1/devices"])
        func lostAnswer(route: String) async throws {
            stub.lost = [route]
            device.answerAlways(.match)
            await #expect(throws: SignInError.unreachable) {
                try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            }
            #expect(try signIn.state() == .signedOut)
            let first = stub.devices.keys.first
            stub.lost = []
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            #expect(stub.devices.count == 1 && (first == nil || stub.devices.keys.first == first))
            stub.lost = ["POST /v1/sign-ins"]
            await #expect(throws: SignInError.unreachable) { try await signIn.signIn() }
            #expect(try signIn.state() == .enabled)
            stub.lost = []
            try await signIn.signIn()
            #expect(try isSignedIn)
        }

        @Test("A session is renewed without a prompt, and over when the server or the clock says so")
        func sessions() async throws {
            await #expect(throws: SignInError.noSession) { try await signIn.renew() }
            try await enable()
            device.answer(.match, .match)
            let first = try await signIn.signIn()
            let prompts = device.prompts.count
            let second = try await signIn.renew()
            #expect(first.token != second.token && device.prompts.count == prompts)
            #expect(try await signIn.check() == .signedIn(until: second.expires))
            stub.endSessions()
            #expect(try await signIn.check() == .enabled)
            try await signIn.signIn()
            stub.endSessions()
            await #expect(throws: SignInError.noSession) { try await signIn.renew() }
            #expect(try signIn.state() == .enabled)
            device.answer(.match)
            try await signIn.signIn()
            let later = try SignIn(stub.origin, account: "anna", now: { Date() + 86_401 })
            #expect(try later.session() == nil && later.state() == .enabled)
            try await signIn.signOut()
            #expect(try signIn.state() == .enabled && stub.sessions.isEmpty)
            try await signIn.signOut()
        }

        @Test("A server that can't be reached ends no session here, and signing out ends it all the same")
        func signOutAlone() async throws {
            try await enable()
            device.answer(.match)
            let session = try await signIn.signIn()
            stub.stop()
            await #expect(throws: SignInError.unreachable) { try await signIn.check() }
            await #expect(throws: SignInError.unreachable) { try await signIn.renew() }
            #expect(try signIn.session() == session)
            await #expect(throws: SignInError.unreachable) { try await signIn.signOut() }
            #expect(try signIn.session() == nil && signIn.state() == .enabled)
        }

        @Test("Enabling that comes to nothing leaves no session at the server")
        func enabledInVain() async throws {
            device.answer(.cancel)
            await #expect(throws: SignInError.cancelled) {
                try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            }
            #expect(stub.sessions.isEmpty && stub.devices.isEmpty && stub.routes().last == "DELETE /v1/session")
        }

        @Test("Disabling asks the owner, revokes the device and leaves nothing; without a session the owner is asked twice")
        func disable() async throws {
            #expect(try await signIn.disable() == .nothing)
            for hasSession in [true, false] {
                try await enable()
                let key = try #require(stub.devices.first { !$0.value.isRevoked }?.key)
                device.answer(.match, .match)
                if hasSession { try await signIn.signIn() }
                #expect(try await signIn.disable() == .nothing)
                #expect(stub.devices[key]?.isRevoked == true && stub.sessions.isEmpty)
                #expect(try signIn.state() == .signedOut && device.unusedAnswers == 0)
                #expect(SecItemCopyMatching([kSecClass as String: kSecClassKey] as CFDictionary, nil) == errSecItemNotFound)
            }
        }

        @Test("Disabling removes what is here even if the server can't be told, and says what is left; a cancel leaves all")
        func disableAlone() async throws {
            try await enable()
            let key = try #require(stub.devices.keys.first)
            device.answer(.cancel)
            await #expect(throws: SignInError.cancelled) { try await signIn.disable() }
            #expect(try signIn.state() == .enabled)
            stub.stop()
            #expect(try await signIn.disable() == .atServer(device: key, .unreachable))
            #expect(try signIn.state() == .signedOut)
            #expect(SecItemCopyMatching([kSecClass as String: kSecClassKey] as CFDictionary, nil) == errSecItemNotFound)
        }

        @Test("A revoked or forgotten device leaves nothing to revoke", arguments: [true, false])
        func disableRevoked(isRevoked: Bool) async throws {
            try await enable()
            let key = try #require(stub.devices.keys.first)
            if isRevoked { stub.revoke(key) } else { stub.forgetDevices() }
            device.answerAlways(.match)
            #expect(try await signIn.disable() == .nothing)
            #expect(try signIn.state() == .signedOut)
        }

        @Test("Names that no server takes, and a key without its owner, are refused before anything is said")
        func names() async throws {
            for origin in [
                "", "bank.example", "http://bank.example", "https://bank.example/", "https://Bank.example", "ftp://bank.example",
                "https://anna@bank.example", "https://bank.example:443", "file:///etc",
            ] {
                #expect(throws: SignInError.badName) { try SignIn(origin, account: "anna") }
            }
            for account in ["", "a b", "änna", "a\u{1b}[2J"] {
                #expect(throws: SignInError.badName) { try SignIn("https://bank.example", account: account) }
            }
            for name in ["", "a\nb", String(repeating: "a", count: 65)] {
                await #expect(throws: SignInError.badName) { try await signIn.enable(password: "x", deviceName: name) }
            }
            await #expect(throws: SignInError.failed(errSecParam)) {
                try await signIn.enable(password: "x", deviceName: "a", guardedBy: .nothing)
            }
            #expect(stub.requests.isEmpty)
        }

        @Test("Every way to guard the key signs in; with the passcode it is the passcode")
        func guards() async throws {
            for guardedBy in Vault.Guard.allCases where guardedBy != .nothing {
                device.answerAlways(guardedBy == .passcode ? .passcode("1234") : .match)
                try await signIn.enable(password: "tulips in spring", deviceName: "laptop", guardedBy: guardedBy)
                try await signIn.signIn()
                #expect(stub.devices.filter { !$0.value.isRevoked }.count == 1)
            }
        }

        @Test("An app's other keys don't count a key that signs in among them")
        func keys() async throws {
            let own = try EnclaveKey.create("own")
            try await enable()
            #expect(try EnclaveKey.list() == [own])
            #expect(try EnclaveKey.find("thumbturn.sign-in \(stub.origin) anna") == nil)
        }
    }
}
