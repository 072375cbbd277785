import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("Expiry")
    @MainActor final class ExpiryTests {
        let device = SimulatedDevice().install()
        let clock = TestClock()

        deinit { device.uninstall() }

        func authenticator(expiry: TimeInterval, values: (any KeptValues)? = nil) -> Authenticator {
            Authenticator(expiry: expiry, values: values, now: { [clock] in clock.now })
        }

        @Test("A success counts until it expires, and not a moment longer")
        func expires() async {
            let authenticator = authenticator(expiry: 60)
            device.answer(.match)
            _ = await authenticator.authenticate()
            #expect(authenticator.lastSuccess == clock.now)
            clock.advance(by: 59.9)
            #expect(authenticator.isAuthenticated && !authenticator.needsReauthentication)
            clock.advance(by: 0.1)
            #expect(!authenticator.isAuthenticated && authenticator.needsReauthentication)
        }

        @Test("A clock that was set back doesn't make a success last longer")
        func clockSetBack() async {
            let authenticator = authenticator(expiry: 60)
            device.answer(.match)
            _ = await authenticator.authenticate()
            clock.advance(by: -1)
            #expect(!authenticator.isAuthenticated && authenticator.needsReauthentication)
        }

        @Test("Without an expiry and without reuse a success lasts until deauthenticated")
        func forEver() async {
            let authenticator = authenticator(expiry: 0)
            #expect(authenticator.needsReauthentication, "nobody was recognized yet")
            device.answer(.match)
            _ = await authenticator.authenticate()
            clock.advance(by: 1_000_000)
            #expect(authenticator.isAuthenticated && !authenticator.needsReauthentication)
            authenticator.deauthenticate()
            #expect(!authenticator.isAuthenticated && authenticator.needsReauthentication)
        }

        @Test("Without an expiry but with reuse it asks on each return, and the device's unlock may answer")
        func reuse() async {
            let authenticator = authenticator(expiry: 0)
            authenticator.reuseDuration = 30
            device.answer(.match)
            _ = await authenticator.authenticate()
            #expect(authenticator.isAuthenticated && authenticator.needsReauthentication)
            device.lock()
            device.unlock(with: .biometry)
            #expect(await authenticator.authenticate() == .success)
            #expect(device.prompts.count == 1)
            device.advance(by: 31)
            device.answer(.match)
            #expect(await authenticator.authenticate() == .success)
            #expect(device.prompts.count == 2)
        }

        @Test(
            "Every attempt that doesn't succeed deletes the last success",
            arguments: [[SimulatedDevice.Answer.cancel], [.systemCancel], [.noMatch, .noMatch, .noMatch, .cancel]])
        func failureDeletes(answers: [SimulatedDevice.Answer]) async {
            let values = MemoryValues()
            let authenticator = authenticator(expiry: 60, values: values)
            device.answer(.match)
            _ = await authenticator.authenticate()
            #expect(values.keptData("thumbturn.last-success") != nil)
            for answer in answers { device.answer(answer) }
            #expect(await authenticator.authenticate() != .success)
            #expect(authenticator.lastSuccess == nil && values.keptData("thumbturn.last-success") == nil)
            #expect(!authenticator.isAuthenticated)
        }

        @Test("Nobody to ask deletes it too")
        func unavailableDeletes() async {
            let authenticator = authenticator(expiry: 60)
            device.answer(.match)
            _ = await authenticator.authenticate()
            device.setPasscode(nil)
            _ = await authenticator.authenticate()
            #expect(authenticator.lastSuccess == nil && !authenticator.isAuthenticated && authenticator.context == nil)
        }

        @Test("A kept success counts for the next process, within its expiry")
        func kept() async {
            let values = MemoryValues()
            device.answer(.match)
            _ = await authenticator(expiry: 60, values: values).authenticate()
            clock.advance(by: 30)
            let next = authenticator(expiry: 60, values: values)
            #expect(next.state == .authenticated && next.isAuthenticated && next.context == nil)
            clock.advance(by: 30)
            #expect(!next.isAuthenticated)
            #expect(authenticator(expiry: 60, values: values).state == .notAuthenticated)
            #expect(authenticator(expiry: 0, values: values).state == .notAuthenticated, "no expiry: not across processes")
            #expect(authenticator(expiry: 60).state == .notAuthenticated, "kept in memory by default")
        }

        @Test("What can't be read counts as no success", arguments: ["", "yesterday", "nan", "inf", "1e999"])
        func damaged(text: String) {
            let values = MemoryValues()
            values.keep(Data(text.utf8), "thumbturn.last-success")
            #expect(!authenticator(expiry: 60, values: values).isAuthenticated)
        }
    }
}
