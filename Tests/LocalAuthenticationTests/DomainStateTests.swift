import LocalAuthentication
import Testing
import ThumbClient
import ThumbturnSimulator

extension DeviceTests {
    /// The enrolment as apps see it: enough to notice a change, too little to learn anything else.
    @Suite struct DomainStateTests {
        @Test("58: the state is there after a preflight or success by biometry, and nil after anything else")
        func when() async {
            await withDevice { device in
                let context = LAContext()
                #expect(context.evaluatedPolicyDomainState == nil)
                #expect(context.preflight() == nil)
                #expect(context.evaluatedPolicyDomainState != nil)
                device.answer(.match, .passcode("1234"), .cancel)
                let finger = LAContext(), passcode = LAContext(), cancelled = LAContext()
                #expect(await finger.ask() == nil && finger.evaluatedPolicyDomainState != nil)
                #expect(await passcode.ask(.deviceOwnerAuthentication) == nil && passcode.evaluatedPolicyDomainState == nil)
                #expect(cancelled.preflight() == nil)
                #expect(await cancelled.ask() == .userCancel && cancelled.evaluatedPolicyDomainState == nil)
                await device.lockBiometry()
                #expect(finger.preflight() == .biometryLockout && finger.evaluatedPolicyDomainState == nil)
            }
        }

        @Test("58: a preflight of the owner's policy tells the same state while biometry can be used, and keeps an earlier one")
        func ownerPolicy() async {
            await withDevice { device in
                let context = LAContext(), biometric = LAContext()
                #expect(context.preflight(.deviceOwnerAuthentication) == nil)
                #expect(biometric.preflight() == nil)
                let state = biometric.evaluatedPolicyDomainState
                #expect(state != nil && context.evaluatedPolicyDomainState == state)
                #expect(biometric.preflight(.deviceOwnerAuthentication) == nil && biometric.evaluatedPolicyDomainState == state)
                // A passcode says nothing about the enrolment, even on a context that knew it.
                device.answer(.passcode("1234"))
                #expect(await context.ask(.deviceOwnerAuthentication) == nil && context.evaluatedPolicyDomainState == nil)
                device.enroll("another")
                #expect(context.preflight(.deviceOwnerAuthentication) == nil)
                #expect(context.evaluatedPolicyDomainState != nil && context.evaluatedPolicyDomainState != state)
                // Here the passcode alone would do: the policy can be evaluated, and nobody's finger is told.
                device.biometryPermission = false
                #expect(context.preflight(.deviceOwnerAuthentication) == nil && context.evaluatedPolicyDomainState == nil)
                device.biometryPermission = true
                await device.lockBiometry()
                #expect(context.preflight(.deviceOwnerAuthentication) == nil && context.evaluatedPolicyDomainState == nil)
            }
            for device in [(SimulatedDevice.Biometry.none, ["me"]), (.touchID, [])] {
                await withDevice(device.0, enrolled: device.1) { _ in
                    let context = LAContext()
                    #expect(context.preflight(.deviceOwnerAuthentication) == nil && context.evaluatedPolicyDomainState == nil)
                }
            }
        }

        @Test("59: the state is equal while the enrolment is, from context to context and over a restart")
        func equal() async {
            await withDevice { device in
                let first = state()
                #expect(first != nil && state() == first)
                device.restart()
                #expect(device.unlock(with: .passcode("1234")))
                #expect(state() == first)
                device.enroll("another")
                #expect(state() != nil && state() != first)
            }
        }

        @Test("59: another passcode is no other enrolment")
        func passcodeChanged() async {
            await withDevice { device in
                let first = state()
                device.setPasscode("2468")
                #expect(first != nil && state() == first)
                device.setPasscode(nil)
                device.setPasscode("1357")
                #expect(state() == first)
            }
        }

        @Test("59: two apps see two states of one enrolment")
        func perApp() async {
            await withDevice { device in
                var seen: Set<Data?> = []
                for app in ["one", "other", "one"] {
                    device.accessGroups = [app]
                    device.install()
                    seen.insert(state())
                }
                #expect(seen.count == 2 && !seen.contains(nil))
            }
        }

        @Test("60: the domain state needs no preflight; without enrolment, or under a lockout, it has no hash")
        func withoutPreflight() async {
            await withDevice { device in
                #expect(LAContext().domainState.biometry.stateHash == state())
                #expect(LAContext().domainState.stateHash == state())
                await device.lockBiometry()
                #expect(LAContext().domainState.biometry.stateHash == nil)
                #expect(LAContext().domainState.biometry.biometryType == .touchID)
            }
            await withDevice(enrolled: []) { _ in
                #expect(LAContext().domainState.biometry.stateHash == nil && LAContext().domainState.stateHash == nil)
            }
        }

        @Test("61: a finger that comes and goes leaves a third state behind; the environment's hash is the same as a context's")
        func thirdState() async {
            await withDevice { device in
                let first = state()
                device.enroll("another")
                let second = state()
                #expect(device.removeEnrolment("another"))
                let third = state()
                #expect(Set([first, second, third]).count == 3)
                #expect(LAEnvironment.currentUser.state.biometry?.stateHash == third)
            }
        }

        @Test(
            "62: while nothing is paired no companion is there or has a hash, and the whole state is the enrolment's",
            arguments: CapabilityTests.sensors.map(\.0))
        func companions(_ sensor: SimulatedDevice.Biometry) async {
            await withDevice(sensor) { device in
                var seen: Set<Data?> = []
                for name in ["second", "third"] {
                    if sensor != .none { device.enroll(name) }
                    let state = LAContext().domainState
                    #expect(state.companion.stateHash == nil && state.companion.availableCompanionTypes.isEmpty)
                    for type in [LACompanionType.watch, .mac, .vision] { #expect(state.companion.stateHash(for: type) == nil) }
                    #expect(state.stateHash == state.biometry.stateHash)
                    seen.insert(state.stateHash)

                    let environment = LAEnvironment.currentUser.state
                    #expect(environment.companions.isEmpty)
                    #expect(environment.allMechanisms.count == (sensor == .none ? 1 : 2))
                    #expect(LAContext().preflight(.deviceOwnerAuthenticationWithCompanion) == .companionNotAvailable)
                }
                // What is enrolled shows in the whole state, and there is nothing else that could.
                #expect(sensor == .none ? seen == [nil] : seen.count == 2 && !seen.contains(nil))
            }
        }

        private func state() -> Data? {
            let context = LAContext()
            #expect(context.preflight() == nil)
            return context.evaluatedPolicyDomainState
        }
    }
}
