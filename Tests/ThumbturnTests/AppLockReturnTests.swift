import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("App lock: what comes back")
    @MainActor final class AppLockReturnTests {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234").install()

        deinit { device.uninstall() }

        /// The session's events as often as somebody begins to follow them.
        private final class Sessions: @unchecked Sendable {
            // @unchecked: touched on the main actor, where a lock and its test are.
            private(set) var told: [AsyncStream<SessionEvents.Event>.Continuation] = []

            var sequence: SessionEvents {
                SessionEvents { AsyncStream { continuation in self.told.append(continuation) } }
            }
        }

        @Test("After the device was gone, the app's own login opens it, and from then on it follows the session again")
        func followsAgain() async throws {
            let sessions = Sessions()
            let lock = AppLock(Authenticator(), session: sessions.sequence)
            device.answer(.match)
            #expect(await lock.becameActive() == .success)
            try await until("it follows") { sessions.told.count == 1 }
            sessions.told[0].yield(.lost)
            try await until("it is shut") { lock.isLocked }
            lock.loginSucceeded()
            #expect(!lock.isLocked)
            try await until("it follows again") { sessions.told.count == 2 }
            sessions.told[1].yield(.locked)
            try await until("it is shut again") { lock.isLocked }
        }

        @Test("An app that came back in time isn't shut while it is used, though its success has expired since")
        func inUse() async {
            let clock = TestClock()
            let lock = AppLock(Authenticator(expiry: 60, now: { clock.now }), session: nil)
            // The second answer is for a prompt that nobody should see.
            device.answer(.match, .cancel)
            #expect(await lock.becameActive() == .success)
            lock.resignedActive()
            #expect(await lock.becameActive() == nil)
            clock.advance(by: 61)
            #expect(await lock.becameActive() == nil)
            #expect(!lock.isLocked && device.prompts.count == 1)
        }

        @Test("A task whose attempt is over takes no other attempt's prompt away when it is cancelled")
        func lateCancel() async throws {
            let contexts = [HeldContext(), HeldContext()]
            var fresh = contexts
            let authenticator = Authenticator(makeContext: { fresh.removeFirst() })
            let first = Task { await authenticator.authenticate() }
            let late = try await contexts[0].reply()
            authenticator.deauthenticate()
            async let second = authenticator.authenticate()
            let reply = try await contexts[1].reply()
            first.cancel()
            late(true, nil)
            #expect(await first.value == .cancelled(by: .app))
            // What the cancellation has set going is done by then.
            for _ in 0..<100 { await Task.yield() }
            #expect(contexts[1].canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
            reply(true, nil)
            #expect(await second == .success)
        }
    }
}
