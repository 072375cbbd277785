import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("Signing in to the real server")
    @MainActor final class RealServerTests {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234").install()
        let server: RealServer
        let signIn: SignIn

        init() throws {
            server = try RealServer()
            signIn = try SignIn(server.origin, account: "anna")
        }

        deinit {
            server.stop()
            device.uninstall()
        }

        private func enable() async throws {
            device.answer(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
        }

        /// The statement that a device of that name signs over a fresh challenge, and the public key that goes with it.
        private func statement(_ key: SecKey, origin: String? = nil) async throws -> String {
            let given = try await server.ask("POST", "/v1/challenges", ["account": "anna", "purpose": "sign-in"])
            let challenge = try #require(given.text["challenge"])
            let attributes = SecKeyCopyAttributes(key) as? [String: Any]
            let name = try #require(attributes?[kThumbturnKeyDevice as String] as? String)
            return """
                thumbturn sign-in 1
                origin \(origin ?? server.origin)
                account anna
                purpose sign-in
                challenge \(challenge)
                device \(name)

                """
        }

        private func key() throws -> SecKey {
            var result: AnyObject?
            let query: [String: Any] = [
                kSecClass as String: kSecClassKey, kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
                kSecReturnRef as String: true,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            return try #require(result as? SecKey)
        }

        private func signature(_ key: SecKey, _ statement: String) async throws -> String {
            // A person is asked, so not on this thread.
            let data: Data = try await withCheckedThrowingContinuation { done in
                Thread.detachNewThread {
                    let made = SecKeyCreateSignature(key, .signInStatement, Data(statement.utf8) as CFData, nil)
                    done.resume(with: Result { try #require(made) as Data })
                }
            }
            return data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }

        @Test("The whole story: the password once, the finger, other fingers, the password again")
        func story() async throws {
            await #expect(throws: SignInError.wrongPassword) {
                try await signIn.enable(password: "daffodils", deviceName: "laptop")
            }
            try await enable()
            device.answer(.match)
            let session = try await signIn.signIn()
            let told = try await server.ask("GET", "/v1/session", token: session.token)
            #expect(told.status == 200 && told.text["kind"] == "device" && told.text["account"] == "anna")
            let renewed = try await signIn.renew()
            #expect(try await server.ask("GET", "/v1/session", token: session.token).status == 401)
            #expect(try await signIn.check() == .signedIn(until: renewed.expires))
            device.enroll("stranger")
            await #expect(throws: SignInError.needsPassword(.enrolmentChanged)) { try await signIn.signIn() }
            try await enable()
            // With its device the old session is over.
            #expect(try await server.ask("GET", "/v1/session", token: renewed.token).status == 401)
            device.answer(.match)
            try await signIn.signIn()
            device.answer(.match)
            #expect(try await signIn.disable() == .nothing)
            #expect(try signIn.state() == .signedOut)
        }

        @Test("The server takes what the device signs once, and refuses it a second time")
        func replay() async throws {
            try await enable()
            let key = try key()
            let statement = try await statement(key)
            device.answer(.match)
            let body = ["statement": statement, "signature": try await signature(key, statement)]
            #expect(try await server.ask("POST", "/v1/sign-ins", body).status == 201)
            let again = try await server.ask("POST", "/v1/sign-ins", body)
            #expect(again.status == 409 && again.text["error"] == "challenge-used")
            // Signed for another server, by an owner who said yes to that one.
            let other = try await self.statement(key, origin: "https://bank.example")
            device.answer(.match)
            let refused = try await server.ask(
                "POST", "/v1/sign-ins", ["statement": other, "signature": try await signature(key, other)])
            #expect(refused.status == 403 && refused.text["error"] == "origin")
            #expect(device.prompts.last?.signIn?.origin == "https://bank.example")
        }

        @Test("A statement signed by an ordinary key of the same app is a stranger's to the server")
        func ordinaryKey() async throws {
            try await enable()
            let statement = try await statement(try key())
            let own = try EnclaveKey.create("own", guardedBy: .nothing)
            let signed = try await own.sign(Data(statement.utf8)).base64EncodedString()
            let signature = signed.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            let refused = try await server.ask("POST", "/v1/sign-ins", ["statement": statement, "signature": signature])
            #expect(refused.status == 401 && refused.text["error"] == "signature")
        }

        @Test("A stranger's finger gives the server nothing to believe")
        func stranger() async throws {
            try await enable()
            device.answer(.noMatch, .noMatch, .noMatch)
            await #expect(throws: SignInError.notAuthenticated) { try await signIn.signIn() }
            #expect(try signIn.state() == .enabled && signIn.session() == nil)
        }

        @Test("Revoked from elsewhere, the password is needed")
        func revoked() async throws {
            try await enable()
            let name = try #require(
                (SecKeyCopyAttributes(try key()) as? [String: Any])?[kThumbturnKeyDevice as String] as? String)
            let session = try await server.ask(
                "POST", "/v1/sessions", ["account": "anna", "password": "tulips in spring"])
            let token = try #require(session.text["token"])
            let proof = ["password": "tulips in spring"]
            #expect(try await server.ask("POST", "/v1/devices/\(name)/revocation", token: token, proof).status == 204)
            device.answer(.match)
            await #expect(throws: SignInError.needsPassword(.revoked)) { try await signIn.signIn() }
            try await enable()
            device.answer(.match)
            try await signIn.signIn()
        }

        @Test(
            "Sessions are listed and ended, the password is changed and removed, and the account is deleted: by finger, at the real server"
        )
        func account() async throws {
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            let first = try await signIn.signIn()
            let other = try await server.ask("POST", "/v1/sessions", ["account": "anna", "password": "tulips in spring"])
            let token = try #require(other.text["token"])
            let sessions = try await signIn.sessions()
            #expect(sessions.count == 2 && sessions.count { $0.isCurrent } == 1)
            let foreign = try #require(sessions.first { !$0.isCurrent })
            #expect(foreign.device == nil)
            try await signIn.endSession(foreign.id)
            #expect(try await server.ask("GET", "/v1/session", token: token).status == 401)
            try await signIn.changePassword(to: "crocuses")
            #expect(try await server.ask("GET", "/v1/session", token: first.token).status == 401)
            #expect(try await signIn.sessions().count == 1)
            try await signIn.removePassword()
            let refused = try await server.ask("POST", "/v1/sessions", ["account": "anna", "password": "crocuses"])
            #expect(refused.status == 401 && refused.text["error"] == "credentials")
            await #expect(throws: SignInError.lastWayIn) { try await signIn.disable() }
            try await signIn.deleteAccount()
            #expect(try signIn.state() == .signedOut)
            await #expect(throws: SignInError.wrongPassword) {
                try await signIn.enable(password: "crocuses", deviceName: "laptop")
            }
        }

        @Test("Another password, and none at all, end every other session; they go on only if that was asked for")
        func otherSessions() async throws {
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            try await signIn.signIn()
            func begun(_ password: String) async throws -> String {
                let other = try await server.ask("POST", "/v1/sessions", ["account": "anna", "password": password])
                return try #require(other.text["token"])
            }
            func isOpen(_ token: String) async throws -> Bool {
                try await server.ask("GET", "/v1/session", token: token).status == 200
            }
            let first = try await begun("tulips in spring")
            try await signIn.changePassword(to: "crocuses", keepingOtherSessions: true)
            #expect(try await isOpen(first))
            try await signIn.changePassword(to: "tulips in spring")
            #expect(try await !isOpen(first))
            let second = try await begun("tulips in spring")
            #expect(try await isOpen(second))
            try await signIn.removePassword()
            #expect(try await !isOpen(second))
            // The device's own session went on all the time.
            #expect(try await signIn.sessions().count == 1)
        }

        @Test("Devices are listed by their names, and one that was lost is revoked; nobody has one that isn't there")
        func devices() async throws {
            await #expect(throws: SignInError.noSession) { try await signIn.devices() }
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "Annas \"Laptop\" 😀")
            try await signIn.signIn()
            let own = try #require(try await signIn.devices().first)
            #expect(own.name == "Annas \"Laptop\" 😀" && own.isCurrent && !own.isRevoked && own.lastUsed != nil)
            for id in ["", "../account", String(repeating: "A", count: 43)] {
                await #expect(throws: SignInError.unknownDevice) { try await signIn.revokeDevice(id) }
            }
            await #expect(throws: SignInError.wrongPassword) {
                try await signIn.revokeDevice(own.id, proof: .password("crocuses"))
            }
            #expect(try await signIn.devices().map(\.isRevoked) == [false])
            // This one is taken out whole: nothing of no use is left behind.
            try await signIn.revokeDevice(own.id, proof: .password("tulips in spring"))
            #expect(try signIn.state() == .signedOut)
            await #expect(throws: SignInError.noSession) { try await signIn.devices() }
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            try await signIn.signIn()
            #expect(try await signIn.devices().map(\.isRevoked) == [true, false])
        }

        @Test("Enabling twice is one device")
        func twice() async throws {
            try await enable()
            let first = try key()
            try await enable()
            #expect(try key() == first)
            device.answer(.match)
            try await signIn.signIn()
        }
    }
}
