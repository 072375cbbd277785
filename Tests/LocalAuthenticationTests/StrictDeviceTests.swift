import LocalAuthentication
import Testing
import ThumbAccess
import ThumbClient

@testable import ThumbturnSimulator

extension DeviceTests {
    /// A simulated device that is as strict as a machine: what passes on it passes there.
    @Suite struct StrictDeviceTests {
        private func withMachine(
            _ machine: SimulatedDevice.Machine, _ body: (SimulatedDevice) async throws -> Void,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async rethrows {
            let device = SimulatedDevice(as: machine).install()
            defer { device.uninstall() }
            try await body(device)
            #expect(device.unusedAnswers == 0, sourceLocation: sourceLocation)
        }

        /// Makes a key of the Secure Enclave that isn't kept; the error's number if that fails.
        private func makeEnclaveKey() -> Int? {
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            ]
            var error: Unmanaged<CFError>?
            if SecKeyCreateRandomKey(attributes as CFDictionary, &error) != nil { return nil }
            return error.map { CFErrorGetCode($0.takeRetainedValue()) }
        }

        @Test("A laptop on its first day knows its owner's finger, and can't tell which fingers are enrolled")
        func laptop() async {
            await withMachine(.laptopWithReader) { device in
                device.answer(.match, .match)
                let context = LAContext()
                #expect(context.preflight() == nil && context.biometryType == .touchID)
                #expect(await context.ask() == nil)
                #expect(context.evaluatedPolicyDomainState == nil && context.domainState.biometry.stateHash == nil)
                #expect(Item.add(.biometryCurrentSet) == errSecAuthFailed)
                #expect(Item.add(.biometryAny) == errSecSuccess)
                #expect(Item.read().secret == Item.secret)
                // A finger that comes and goes is noticed by nobody.
                device.enroll("another")
                device.answer(.match)
                #expect(Item.read().secret == Item.secret)
            }
        }

        @Test("A laptop binds items to the fingers' names once its owner allows that, and misses a finger put in another's place")
        func weakEnrolment() async {
            await withMachine(.laptopWithReader) { device in
                device.allow(.weakEnrolment)
                #expect(Item.add(.biometryCurrentSet) == errSecSuccess)
                device.answer(.match)
                #expect(Item.read().secret == Item.secret)
                #expect(device.removeEnrolment("me"))
                device.enroll("me")
                device.answer(.match)
                #expect(Item.read().secret == Item.secret)
                device.enroll("another")
                #expect(Item.read().status == errSecItemNotFound)
                device.allow(.weakEnrolment, false)
                let context = LAContext()
                #expect(context.preflight() == nil && context.evaluatedPolicyDomainState == nil)
            }
        }

        @Test(
            "Keys that must not leave need a TPM or the owner's word, before and after a restart",
            arguments: [SimulatedDevice.Machine.laptopWithReader, .serverWithoutSensor])
        func enclave(_ machine: SimulatedDevice.Machine) async {
            await withMachine(machine) { device in
                #expect(makeEnclaveKey() == Int(errSecUnimplemented))
                device.restart()
                device.answer(.passcode("1234"))
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                #expect(makeEnclaveKey() == Int(errSecUnimplemented))
                device.allow(.softwareKeys)
                #expect(makeEnclaveKey() == nil)
                device.allow(.softwareKeys, false)
                #expect(makeEnclaveKey() == Int(errSecUnimplemented))
            }
            await withMachine(.iPhone) { _ in #expect(makeEnclaveKey() == nil) }
        }

        @Test("35: on a Linux machine no unlock counts in a finger's place, for its login reports none")
        func reuse() async {
            await withMachine(.laptopWithReader) { device in
                device.lock()
                #expect(device.unlock(with: .biometry))
                let context = LAContext()
                context.touchIDAuthenticationAllowableReuseDuration = 300
                device.answer(.match)
                #expect(await context.ask() == nil && device.prompts.count == 1)
            }
        }

        @Test("On a Linux machine the login's passcode opens the session and nothing else")
        func login() async {
            await withMachine(.laptopWithReader) { device in
                device.restart()
                device.lock()
                #expect(!device.unlock(with: .passcode("0000")))
                #expect(device.unlock(with: .passcode("1234")))
                #expect(LAContext().preflight() == .biometryLockout)
                device.answer(.passcode("1234"))
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                #expect(LAContext().preflight() == nil)
            }
        }

        @Test("A server has no sensor, and takes the passcode of whoever works on it from elsewhere")
        func server() async {
            await withMachine(.serverWithoutSensor) { device in
                let context = LAContext()
                #expect(context.preflight() == .biometryNotAvailable && context.biometryType == .none)
                #expect(Item.add(.biometryAny) == errSecAuthFailed)
                #expect(Item.add(.userPresence) == errSecSuccess)
                device.answer(.passcode("1234"))
                #expect(Item.read().secret == Item.secret)
            }
        }

        @Test("16, 35: an iPhone asks about an app that wants face recognition, and an unlock by face counts there")
        func iPhone() async {
            // Any context introduces the program as it is; what is said here is said after that.
            _ = LAContext()
            await withMachine(.iPhone) { device in
                DeviceClient.shared.introduce(as: nil)
                device.install()
                #expect(await LAContext().ask() == .biometryNotAvailable, "this program doesn't say why")
                DeviceClient.shared.introduce(as: "strict", faceUsage: "to open the vault")
                defer { DeviceClient.shared.introduce(as: nil) }
                device.install()
                device.answer(.passcode("1234"), .match)
                #expect(await LAContext().ask() == nil && device.prompts.count == 2)
                device.lock()
                #expect(device.unlock(with: .biometry))
                let context = LAContext()
                context.touchIDAuthenticationAllowableReuseDuration = 300
                #expect(await context.ask() == nil && device.prompts.count == 2)
                #expect(context.preflight() == nil && context.evaluatedPolicyDomainState != nil)
            }
        }

        // MARK: This machine

        private static let described = DeviceStatus(
            mode: .user, biometry: .touchID, isEnrolled: true, isBiometryLocked: false, passcodeIsSet: true,
            passcodeWasGiven: true, hasRecoveryCode: false, isSessionLocked: false, items: 0, quarantined: 0,
            custodian: .software, enclave: nil, processID: 1, sensor: SensorFacts(tellsEnrolments: false))

        private func traits(
            _ failure: EvaluationFailure? = nil, _ change: (inout DeviceStatus) -> Void = { _ in }
        ) -> MachineTraits {
            var status = Self.described
            change(&status)
            return MachineTraits(status, failure)
        }

        @Test("What a daemon says of itself is what a device as strict as this machine is like")
        func thisMachine() {
            let laptop = traits()
            #expect(laptop.sensor == .touchID && laptop.isEnrolled && laptop.isSeated && laptop.hasPasscode && laptop.asksConsent)
            #expect(!laptop.tellsEnrolments && !laptop.hasEnclave && !laptop.reportsBiometricUnlocks && !laptop.passesPasscodeOn)
            #expect(!traits(.biometryNotEnrolled).isEnrolled && traits(.biometryNotEnrolled).isSeated)
            #expect(!traits(.biometryNotAvailable).isSeated && traits(.biometryNotAvailable).isEnrolled)
            // A lockout ends with the passcode, so it isn't the machine's.
            #expect(traits(.biometryLockout).isSeated && traits(.biometryLockout).isEnrolled)
            #expect(!traits(.passcodeNotSet) { $0.passcodeIsSet = false }.hasPasscode)
            #expect(traits { $0.enclave = .tpm }.hasEnclave && traits { $0.sensor.tellsEnrolments = true }.tellsEnrolments)
            #expect(traits { $0.biometryLevel = .convenience }.level == .convenience)
            #expect(traits(.biometryNotAvailable) { $0.biometry = .none }.sensor == .none)
            #expect(traits { $0.biometry = .faceID }.sensor == .faceID)
            for (mode, source, passes) in [
                (DeviceMode.system, PasscodeSource.account, true), (.system, .own, false), (.user, .account, false),
            ] {
                let found = traits { ($0.mode, $0.passcodeSource) = (mode, source) }
                #expect(found.passesPasscodeOn == passes)
            }
        }
    }
}
