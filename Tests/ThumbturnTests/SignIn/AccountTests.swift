import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("What an owner does to the account")
    @MainActor final class AccountTests: SignInStage {
        /// Enables a device whose owner shows a finger whenever asked.
        private func enableWilling() async throws {
            device.answerAlways(.match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
        }

        @Test("Another password, by the owner's finger: the session goes on under another token, and the prompt was asked for it")
        func changePassword() async throws {
            try await enableWilling()
            let before = try await signIn.signIn()
            let prompts = device.prompts.count
            try await signIn.changePassword(to: "crocuses")
            #expect(device.prompts.count == prompts + 1)
            let after = try #require(try signIn.session())
            #expect(after.token != before.token && stub.sessions.keys.sorted() == [after.token] && stub.password == "crocuses")
            let sent = try #require(stub.requests.last { $0.route == "PUT /v1/password" })
            #expect(sent.body["statement"]?.contains("\npurpose change-password\n") == true && sent.body["password"] == nil)
        }

        @Test("By the password nobody is asked, with a session and without one; what was begun for it is ended")
        func byPassword() async throws {
            try await enableWilling()
            let prompts = device.prompts.count
            try await signIn.changePassword(to: "crocuses", proof: .password("tulips in spring"))
            #expect(stub.sessions.isEmpty)
            await #expect(throws: SignInError.wrongPassword) {
                try await signIn.endOtherSessions(proof: .password("tulips in spring"))
            }
            #expect(device.prompts.count == prompts)
            try await signIn.signIn()
            try await signIn.endOtherSessions(proof: .password("crocuses"))
            #expect(device.prompts.count == prompts + 1 && stub.sessions.count == 1)
            #expect(try signIn.session()?.token == stub.sessions.keys.first)
            #expect("\(SignIn.Proof.password("crocuses"))".contains("crocuses") == false)
            #expect(String(reflecting: SignIn.Proof.password("crocuses")).contains("crocuses") == false)
        }

        @Test("The last way in isn't taken away: disabling leaves all as it was")
        func lastWayIn() async throws {
            try await enableWilling()
            try await signIn.removePassword()
            #expect(stub.isPasswordless)
            await #expect(throws: SignInError.lastWayIn) { try await signIn.disable() }
            try await signIn.signIn()
            try await signIn.changePassword(to: "crocuses")
            #expect(try await signIn.disable() == .nothing)
            #expect(try signIn.state() == .signedOut)
        }

        @Test("Other fingers: the password still takes the device out of the account")
        func disableByPassword() async throws {
            try await enableWilling()
            let key = try #require(stub.devices.keys.first)
            device.enroll("stranger")
            #expect(try await signIn.disable(password: "tulips in spring") == .nothing)
            #expect(stub.devices[key]?.isRevoked == true && stub.sessions.isEmpty)
        }

        @Test("Another device is revoked, and this one goes on as it was")
        func revokeAnother() async throws {
            try await enableWilling()
            let lost = try #require(stub.devices.keys.first)
            // Under other fingers another key is made. The server doesn't hear that the one before is of no use, so it is another device
            // of the account from then on.
            device.enroll("stranger")
            stub.answerInstead = { $0.route == "POST /v1/devices/DEVICE/revocation" ? StubServer.Reply(status: 503) : nil }
            try await enableWilling()
            stub.answerInstead = { _ in nil }
            #expect(stub.devices.count == 2 && stub.devices[lost]?.isRevoked == false)
            let session = try await signIn.signIn()
            try await signIn.revokeDevice(lost)
            #expect(stub.devices[lost]?.isRevoked == true)
            #expect(try signIn.session() == session && signIn.state() == .signedIn(until: session.expires))
            try await signIn.signIn()
        }

        @Test("A session that has ended already is ended; whatever else is refused is told")
        func endedAlready() async throws {
            try await enableWilling()
            try await signIn.signIn()
            func answering(_ status: Int, _ code: String) {
                let reply = StubServer.Reply.refused(status, code)
                stub.answerInstead = { $0.route == "POST /v1/sessions/removal" ? reply : nil }
            }
            answering(404, "not-found")
            try await signIn.endSession("another")
            answering(400, "value")
            await #expect(throws: SignInError.refused("value")) { try await signIn.endSession("another") }
        }

        @Test("A deleted account leaves nothing here; a cancel leaves everything")
        func deleteAccount() async throws {
            device.answer(.match, .match, .cancel, .match)
            try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            try await signIn.signIn()
            await #expect(throws: SignInError.cancelled) { try await signIn.deleteAccount() }
            #expect(stub.devices.count == 1)
            try await signIn.deleteAccount()
            #expect(stub.devices.isEmpty && stub.sessions.isEmpty)
            #expect(try signIn.state() == .signedOut && device.unusedAnswers == 0)
            #expect(SecItemCopyMatching([kSecClass as String: kSecClassKey] as CFDictionary, nil) == errSecItemNotFound)
        }

        @Test("A session that the server has ended is begun anew, and the proof is used with it")
        func endedSession() async throws {
            try await enableWilling()
            try await signIn.signIn()
            stub.endSessions()
            let prompts = device.prompts.count
            try await signIn.endOtherSessions()
            #expect(device.prompts.count == prompts + 2 && stub.sessions.count == 1)
        }

        @Test("A device's name leads to no other of the server's routes: what isn't one is refused before anything is sent")
        func noName() async throws {
            try await enableWilling()
            try await signIn.signIn()
            let (requests, prompts) = (stub.requests.count, device.prompts.count)
            for id in ["", "../account", "../account/removal?", String(repeating: "A", count: 42)] {
                for proof in [SignIn.Proof.owner, .password("tulips in spring")] {
                    await #expect(throws: SignInError.unknownDevice) { try await signIn.revokeDevice(id, proof: proof) }
                }
            }
            #expect(stub.requests.count == requests && device.prompts.count == prompts)
        }

        @Test("What the server refuses is told, even if a session was begun for it; that session is ended")
        func refusedByPassword() async throws {
            try await enableWilling()
            stub.answerInstead = {
                $0.route == "PUT /v1/password" ? StubServer.Reply.refused(422, "password-short") : nil
            }
            await #expect(throws: SignInError.passwordTooShort) {
                try await signIn.changePassword(to: "crocuses", proof: .password("tulips in spring"))
            }
            #expect(stub.sessions.isEmpty && stub.password == "tulips in spring")
        }

        @Test("A device that the server forgot is noticed by an act too, though its session goes on there")
        func forgottenDevice() async throws {
            try await enableWilling()
            try await signIn.signIn()
            stub.forgetDevices()
            await #expect(throws: SignInError.needsPassword(.unknownAtServer)) {
                try await signIn.changePassword(to: "crocuses")
            }
            #expect(try signIn.state() == .needsPassword(.unknownAtServer) && signIn.session() == nil)
        }

        @Test("A session that the server has ended is over here as soon as a list is refused to it")
        func endedBeforeList() async throws {
            try await enableWilling()
            try await signIn.signIn()
            stub.answerInstead = { $0.route == "GET /v1/devices" ? StubServer.Reply.refused(401, "session") : nil }
            await #expect(throws: SignInError.noSession) { try await signIn.devices() }
            #expect(try signIn.session() == nil && signIn.state() == .enabled)
        }

        @Test("An older server, which knows no such purpose, is heard before anybody is asked")
        func olderServer() async throws {
            try await enableWilling()
            try await signIn.signIn()
            let prompts = device.prompts.count
            stub.answerInstead = { request in
                let isKnown = ["sign-in", "register"].contains(request.body["purpose"])
                return request.route == "POST /v1/challenges" && !isKnown ? .refused(400, "value") : nil
            }
            await #expect(throws: SignInError.refused("value")) { try await signIn.deleteAccount() }
            #expect(device.prompts.count == prompts && stub.devices.count == 1)
        }
    }
}
