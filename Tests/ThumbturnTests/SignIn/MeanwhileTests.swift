import Foundation
import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator
import thumbturn_test_programs

extension OnDevice {
    /// An app that does something else while it waits for the server.
    @Suite("Signing in: what happens meanwhile", .timeLimit(.minutes(2)))
    @MainActor final class MeanwhileTests: SignInStage {
        /// The server does what the next request of a route wants, or answers as it is told to. Its answer waits until `released`.
        private func hold(
            _ route: String, _ answer: ((StubServer.Request) -> StubServer.Reply)? = nil
        ) -> (asked: DispatchSemaphore, released: DispatchSemaphore) {
            let (asked, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let answer = answer ?? stub.reply(to:)
            stub.answerInstead = { [stub] request in
                guard request.route == route else { return nil }
                stub.answerInstead = { _ in nil }
                let reply = answer(request)
                asked.signal()
                released.wait()
                return reply
            }
            return (asked, released)
        }

        /// What is kept of the account, beside the key.
        private let record: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "thumbturn.sign-in",
        ]

        private func kept() throws -> Data {
            var found: CFTypeRef?
            let query = record.merging([kSecReturnData as String: true]) { $1 }
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            return try #require(found as? Data)
        }

        private func keep(_ data: Data) throws {
            let change = [kSecValueData as String: data]
            try #require(SecItemUpdate(record as CFDictionary, change as CFDictionary) == errSecSuccess)
        }

        @Test("A session that was renewed while its owner signed out is over, here and at the server")
        func signedOut() async throws {
            try await enable()
            device.answer(.match)
            try await signIn.signIn()
            let (asked, released) = hold("POST /v1/session/renewal")
            let renewing = Task { try await signIn.renew() }
            await onThread { asked.wait() }
            let ending = Task { try await signIn.signOut() }
            while try signIn.session() != nil { await Task.yield() }
            released.signal()
            await #expect(throws: SignInError.noSession) { try await renewing.value }
            try await ending.value
            #expect(try signIn.state() == .enabled && stub.sessions.isEmpty)
        }

        @Test("Who is disabled while signing in isn't signed in, here or at the server")
        func disabled() async throws {
            try await enable()
            device.answer(.match)
            let (asked, released) = hold("POST /v1/sign-ins")
            let signingIn = Task { try await signIn.signIn() }
            await onThread { asked.wait() }
            // The server answers one request at a time, so only what is here goes.
            #expect(SecItemDelete(record as CFDictionary) == errSecSuccess)
            released.signal()
            await #expect(throws: SignInError.notEnabled) { try await signingIn.value }
            #expect(try signIn.state() == .signedOut && stub.sessions.isEmpty)
        }

        @Test("A refusal of an earlier session doesn't end the one that has begun meanwhile")
        func refusedLate() async throws {
            try await enable()
            device.answer(.match, .match)
            try await signIn.signIn()
            let earlier = try kept()
            let session = try await signIn.signIn()
            let later = try kept()
            try keep(earlier)
            let (asked, released) = hold("GET /v1/session") { _ in .refused(401, "session") }
            let checking = Task { try await signIn.check() }
            await onThread { asked.wait() }
            try keep(later)
            released.signal()
            #expect(try await checking.value == .signedIn(until: session.expires))
            #expect(try signIn.session() == session)
        }

        @Test("A refusal that comes late brings nothing back that was removed meanwhile")
        func lostLate() async throws {
            try await enable()
            device.answer(.match)
            let (asked, released) = hold("POST /v1/sign-ins") { _ in .refused(403, "device-revoked") }
            let signingIn = Task { try await signIn.signIn() }
            await onThread { asked.wait() }
            #expect(SecItemDelete(record as CFDictionary) == errSecSuccess)
            released.signal()
            await #expect(throws: SignInError.needsPassword(.revoked)) { try await signingIn.value }
            #expect(try signIn.state() == .signedOut)
            #expect(SecItemCopyMatching(record as CFDictionary, nil) == errSecItemNotFound)
        }

        @Test("A task that is cancelled while it enables leaves no session at the server")
        func cancelled() async throws {
            let (asked, released) = hold("POST /v1/challenges")
            let enabling = Task {
                try await signIn.enable(password: "tulips in spring", deviceName: "laptop")
            }
            await onThread { asked.wait() }
            enabling.cancel()
            released.signal()
            await #expect(throws: SignInError.cancelled) { try await enabling.value }
            #expect(stub.sessions.isEmpty && stub.devices.isEmpty && stub.routes().last == "DELETE /v1/session")
        }
    }
}
