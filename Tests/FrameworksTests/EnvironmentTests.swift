import Foundation
import LocalAuthentication
import Testing
import ThumbAccess
import ThumbLocalAuthenticationAPI
import ThumbSecrets
import thumbturn_test_support

struct EnvironmentTests {
    let device = FakeDevice()

    final class Watcher: NSObject, LAEnvironment.Observer, @unchecked Sendable {
        let changes = Locked<[(old: Bool?, new: Bool?)]>([])

        func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) {
            let old = oldState.biometry?.isEnrolled, new = environment.state.biometry?.isEnrolled
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
}
