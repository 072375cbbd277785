import Foundation
import LocalAuthentication
import Testing
import ThumbAccess
import ThumbLocalAuthenticationAPI
import ThumbSecrets
import thumbturn_test_programs
import thumbturn_test_support

struct EnvironmentTests {
    let device = FakeDevice()

    final class Watcher: NSObject, LAEnvironment.Observer, @unchecked Sendable {
        let changes = Locked<[(old: Bool?, new: Bool?)]>([])
        /// Whether biometry was locked when each change was told.
        let lockouts = Locked<[Bool?]>([])

        func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) {
            let old = oldState.biometry?.isEnrolled, new = environment.state.biometry?.isEnrolled
            lockouts.withLock { $0.append(environment.state.biometry?.isLockedOut) }
            changes.withLock { $0.append((old, new)) }
        }
    }

    final class Indifferent: NSObject, LAEnvironment.Observer {}

    @Test("87, 88: the state mirrors the preflights")
    func state() {
        let environment = LAEnvironment(device: device)
        let ready = environment.state
        #expect(ready.biometry?.isUsable == true && ready.biometry?.isEnrolled == true)
        #expect(ready.biometry?.stateHash == Data([1, 2, 3]))
        #expect(ready.userPassword?.isSet == true)
        #expect(ready.allMechanisms.count == 2 && ready.companions.isEmpty)
        #expect((ready.copy() as? LAEnvironment.State) == ready && environment.state == ready)
        device.set(Capability(failure: .biometryLockout, kind: .faceID, domainState: nil))
        let locked = environment.state
        #expect(locked.biometry?.isLockedOut == true && locked.biometry?.isEnrolled == true)
        #expect(locked.biometry?.isUsable == false && locked.biometry?.biometryType == .faceID)
        #expect(locked != ready)
        device.set(Capability(failure: .passcodeNotSet, kind: .none, domainState: nil))
        #expect(environment.state.biometry == nil && environment.state.userPassword?.isSet == false)
    }

    @Test("87: of a device that can't be reached nobody says that a passcode is set")
    func unreachable() {
        device.set(Capability(failure: .deviceFailure, kind: .none, domainState: nil))
        let state = LAEnvironment(device: device).state
        #expect(state.userPassword?.isSet == false && state.userPassword?.isUsable == false && state.biometry == nil)
    }

    @Test("86: observers are weak and told after the change, with the old state; no change tells nobody")
    func observers() async {
        let environment = LAEnvironment(device: device)
        let watcher = Watcher()
        environment.addObserver(watcher)
        environment.addObserver(Indifferent())
        environment.deviceMayHaveChanged()
        device.set(Capability(failure: .biometryNotEnrolled, kind: .touchID, domainState: nil))
        environment.deviceMayHaveChanged()
        await eventually("the observer is told") { watcher.changes.withLock { !$0.isEmpty } }
        let changes = watcher.changes.withLock { $0 }
        #expect(changes.count == 1 && changes[0] == (true, false))
        environment.removeObserver(watcher)
    }

    @Test("86: an observer that was removed isn't told, and one that was added twice is told once")
    func removed() async {
        let environment = LAEnvironment(device: device)
        let (gone, twice, last) = (Watcher(), Watcher(), Watcher())
        for watcher in [gone, twice, twice, last] { environment.addObserver(watcher) }
        environment.removeObserver(gone)
        device.set(Capability(failure: .biometryNotEnrolled, kind: .touchID, domainState: nil))
        environment.deviceMayHaveChanged()
        // They are told one after the other, in the order in which they came.
        await eventually("the last one is told") { last.changes.withLock { !$0.isEmpty } }
        #expect(gone.changes.withLock { $0.isEmpty })
        #expect(twice.changes.withLock { $0.count } == 1)
        for watcher in [twice, last] { environment.removeObserver(watcher) }
    }

    @Test("86: what changed while nobody watched isn't told to whoever comes later")
    func meantime() async {
        let environment = LAEnvironment(device: device)
        let ready = device.now.capability
        let (before, after) = (Watcher(), Watcher())
        environment.addObserver(before)
        environment.removeObserver(before)
        device.set(Capability(failure: .biometryNotEnrolled, kind: .touchID, domainState: nil))
        environment.addObserver(after)
        environment.deviceMayHaveChanged()
        device.set(ready)
        environment.deviceMayHaveChanged()
        await eventually("the observer is told") { after.changes.withLock { !$0.isEmpty } }
        let changes = after.changes.withLock { $0 }
        #expect(changes.count == 1 && changes[0] == (false, true))
        environment.removeObserver(after)
    }

    @Test("86: a look that takes long doesn't hide the change after the next one")
    func slowLook() async {
        let environment = LAEnvironment(device: device)
        let ready = device.now.capability
        let locked = Capability(failure: .biometryLockout, kind: .touchID, domainState: nil)
        let watcher = Watcher()
        environment.addObserver(watcher)
        let (isHeld, isLockedOut) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // A look asks for both policies, and has its answers then.
        let last = device.now.questions + 2
        device.onQuestion { number in
            guard number == last else { return }
            isHeld.signal()
            // Goes on once somebody was told of the lockout, or nobody can be until this look is over.
            _ = isLockedOut.wait(timeout: .now() + 0.5)
        }
        environment.deviceMayHaveChanged()
        await onThread { isHeld.wait() }
        device.set(locked)
        environment.deviceMayHaveChanged()
        await eventually("the lockout is told") { watcher.changes.withLock { !$0.isEmpty } }
        isLockedOut.signal()
        // Time for the slow look to be compared, if it wasn't yet.
        usleep(100_000)
        device.set(ready)
        environment.deviceMayHaveChanged()
        await eventually("the end is told") { watcher.changes.withLock { $0.count >= 2 } }
        #expect(watcher.lockouts.withLock { $0 } == [true, false])
        environment.removeObserver(watcher)
    }
}
