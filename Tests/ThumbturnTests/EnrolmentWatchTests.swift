import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("Enrolment watch")
    @MainActor final class EnrolmentWatchTests {
        let device = SimulatedDevice(biometry: .touchID, enrolled: ["thumb"], passcode: "1234").install()
        let values = MemoryValues()
        var watch: EnrolmentWatch { EnrolmentWatch(values: values) }

        deinit { device.uninstall() }

        @Test("The first run saves, later runs compare")
        func firstRun() {
            #expect(watch.check() == .firstRun)
            #expect(watch.check() == .unchanged)
            #expect(!watch.check().demandsLogin)
        }

        @Test("A change stays a change until the app's own login")
        func changed() {
            _ = watch.check()
            device.enroll("somebody's finger")
            for _ in 1...2 { #expect(watch.check() == .changed) }
            #expect(watch.check().demandsLogin)
            #expect(watch.loginSucceeded())
            #expect(watch.check() == .unchanged)
        }

        @Test("Removing a finger is a change, and so is enrolling one in its place")
        func replaced() {
            device.enroll("index")
            _ = watch.check()
            device.removeEnrolment("index")
            #expect(watch.check() == .changed)
            device.enroll("index")
            #expect(watch.check() == .changed)
        }

        @Test("What can't be told counts as changed, and a login then saves nothing")
        func cannotTell() async {
            _ = watch.check()
            device.biometryPermission = false
            #expect(watch.check() == .cannotTell && watch.check().demandsLogin)
            #expect(!watch.loginSucceeded())
            device.biometryPermission = true
            #expect(watch.check() == .unchanged, "the old enrolment is still what counts")
            await device.lockBiometryOut()
            #expect(watch.check() == .cannotTell)
        }

        @Test("A change that went unnoticed at the time is found out later")
        func changedUnseen() {
            _ = watch.check()
            device.biometryPermission = false
            device.enroll("somebody's finger")
            #expect(watch.check() == .cannotTell)
            watch.loginSucceeded()
            device.biometryPermission = true
            #expect(watch.check() == .changed)
        }

        @Test("The first finger ever is a change, if there was a run before it")
        func firstFinger() {
            device.removeEnrolment("thumb")
            #expect(watch.check() == .cannotTell)
            device.enroll("somebody's finger")
            #expect(watch.check() == .changed)
            watch.loginSucceeded()
            #expect(watch.check() == .unchanged)
        }

        @Test("A passcode's success leaves no enrolment behind, and none is compared or overwritten")
        func passcode() async throws {
            _ = watch.check()
            let saved = values.keptData("thumbturn.enrolment")
            let authenticator = Authenticator(policy: .deviceOwnerAuthentication)
            device.answer(.passcode("1234"))
            #expect(await authenticator.authenticate() == .success)
            #expect(try #require(authenticator.context).evaluatedPolicyDomainState == nil)
            #expect(watch.check() == .unchanged)
            #expect(values.keptData("thumbturn.enrolment") == saved)
            device.enroll("somebody's finger")
            device.answer(.passcode("1234"))
            #expect(await authenticator.authenticate() == .success)
            #expect(watch.check() == .changed, "the passcode doesn't stand in for the app's own login")
        }

        @Test("It keeps apart what is kept under other names, and can keep it in user defaults")
        func places() throws {
            let suite = "thumbturn-tests-\(UUID().uuidString)"
            let defaults = try #require(UserDefaults(suiteName: suite))
            defer { defaults.removePersistentDomain(forName: suite) }
            #expect(EnrolmentWatch(values: defaults, name: "one").check() == .firstRun)
            #expect(EnrolmentWatch(values: defaults, name: "one").check() == .unchanged)
            #expect(EnrolmentWatch(values: defaults, name: "two").check() == .firstRun)
            defaults.keep(nil, "one")
            #expect(defaults.keptData("one") == nil)
        }

        @Test("Findings come by themselves, each once; a change after the app's own login is told again")
        func findings() async {
            let watch = watch
            var findings = watch.findings().makeAsyncIterator()
            #expect(await findings.next() == .firstRun)
            for finger in ["somebody's finger", "another one"] {
                device.enroll(finger)
                #expect(await findings.next() == .changed)
                #expect(watch.loginSucceeded())
                #expect(await findings.next() == .unchanged)
            }
            await device.lockBiometryOut()
            #expect(await findings.next() == .cannotTell)
        }

        @Test("A watch that nobody holds tells its findings as long as somebody reads them")
        func unheld() async {
            var findings = EnrolmentWatch(values: values).findings().makeAsyncIterator()
            #expect(await findings.next() == .firstRun)
            device.enroll("somebody's finger")
            #expect(await findings.next() == .changed)
        }
    }
}
