import LocalAuthentication
import Testing
import ThumbSecrets
import ThumbturnSimulator

extension DeviceTests {
    /// The environment on a device that changes.
    @Suite struct EnvironmentTests {
        /// Keeps what it is told, and what the environment showed then.
        final class Watcher: NSObject, LAEnvironment.Observer, Sendable {
            struct Change: Sendable {
                let old: LAEnvironment.State
                let new: LAEnvironment.State
                let isMain: Bool
            }

            private let channel = AsyncStream.makeStream(of: Change.self)

            func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) {
                channel.continuation.yield(Change(old: oldState, new: environment.state, isMain: Thread.isMainThread))
            }

            var next: Change? {
                get async {
                    for await change in channel.stream { return change }
                    return nil
                }
            }
        }

        @Test("86: an observer hears of each change after it happened, with the old state, off the main thread")
        func observer() async {
            await withDevice(enrolled: []) { device in
                let environment = LAEnvironment.currentUser
                let watcher = Watcher()
                environment.addObserver(watcher)
                device.enroll("thumb")
                let enrolled = await watcher.next
                #expect(enrolled?.old.biometry?.isEnrolled == false && enrolled?.new.biometry?.isEnrolled == true)
                #expect(enrolled?.isMain == false)
                device.biometryPermission = false
                let denied = await watcher.next
                #expect(denied?.old.biometry?.isUsable == true && denied?.new.biometry?.isUsable == false)
                environment.removeObserver(watcher)
            }
        }

        @Test("86: an observer is held weakly, and its method is optional")
        func weak() async {
            final class Indifferent: NSObject, LAEnvironment.Observer {}
            await withDevice { device in
                let environment = LAEnvironment.currentUser
                var gone: Watcher? = Watcher()
                weak let seen = gone
                if let gone { environment.addObserver(gone) }
                let indifferent = Indifferent()
                environment.addObserver(indifferent)
                gone = nil
                #expect(seen == nil)
                let watcher = Watcher()
                environment.addObserver(watcher)
                device.enroll("another")
                let change = await watcher.next
                #expect(change?.old.biometry?.stateHash != change?.new.biometry?.stateHash)
                environment.removeObserver(watcher)
                environment.removeObserver(indifferent)
            }
        }

        @Test("86: a lockout is a change, and so is its end", .timeLimit(.minutes(5)))
        func lockout() async {
            await withDevice { device in
                let watcher = Watcher()
                LAEnvironment.currentUser.addObserver(watcher)
                await device.lockBiometry()
                #expect(await watcher.next?.new.biometry?.isLockedOut == true)
                device.answer(.passcode("1234"))
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                // A busy machine may tell the lockout twice, before and after its last miss was written.
                var isLockedOut = true
                while isLockedOut, let change = await watcher.next { isLockedOut = change.new.biometry?.isLockedOut ?? true }
                #expect(!isLockedOut)
                LAEnvironment.currentUser.removeObserver(watcher)
            }
        }

        @Test("87: the state is a snapshot: it has what the device has, set or not, and never changes")
        func snapshot() async {
            await withDevice(enrolled: [], passcode: nil) { device in
                let before = LAEnvironment.currentUser.state
                #expect(before.biometry?.isEnrolled == false && before.userPassword?.isSet == false)
                #expect(before.companions.isEmpty && before.allMechanisms.count == 2)
                device.setPasscode("1234")
                device.enroll("thumb")
                let after = LAEnvironment.currentUser.state
                #expect(before.userPassword?.isSet == false && before.biometry?.isEnrolled == false)
                #expect(after.userPassword?.isSet == true && after.biometry?.isEnrolled == true && after != before)
                #expect((after.copy() as? LAEnvironment.State) == after)
            }
            await withDevice(.none) { _ in #expect(LAEnvironment.currentUser.state.biometry == nil) }
        }

        @Test("88: a mechanism is usable exactly where its preflight succeeds", arguments: Matrix.rows)
        func usable(_ row: Matrix.Row) async {
            await withDevice(
                row.sensor.biometry, enrolled: row.condition == .not ? [] : ["me"],
                passcode: row.passcode == .set ? "1234" : nil
            ) { device in
                if row.condition == .denied { device.biometryPermission = false }
                let state = LAEnvironment.currentUser.state
                #expect(state.biometry?.isUsable ?? false == (LAContext().preflight() == nil))
                #expect(state.userPassword?.isUsable == (LAContext().preflight(.deviceOwnerAuthentication) == nil))
                #expect(state.biometry?.biometryType ?? .none == row.sensor.type)
            }
        }
    }
}
