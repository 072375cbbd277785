import LocalAuthentication
import Testing
import ThumbturnSimulator

extension DeviceTests {
    /// What an app finds out without asking anybody, and in which order what is missing counts.
    @Suite struct CapabilityTests {
        static let sensors: [(SimulatedDevice.Biometry, LABiometryType)] = [
            (.touchID, .touchID), (.faceID, .faceID), (.none, .none),
        ]

        @Test("1: a preflight sets the kind of sensor, whatever it returns", arguments: sensors)
        func kindAfterPreflight(_ sensor: SimulatedDevice.Biometry, _ type: LABiometryType) async {
            await withDevice(sensor, enrolled: []) { _ in
                let context = LAContext()
                #expect(context.preflight() != nil)
                #expect(context.biometryType == type)
            }
        }

        @Test("2: the kind of sensor is right before any preflight, in every new context", arguments: sensors)
        func kindWithoutPreflight(_ sensor: SimulatedDevice.Biometry, _ type: LABiometryType) async {
            await withDevice(sensor) { _ in
                #expect(LAContext().biometryType == type)
                #expect(LAContext().biometryType == type)
            }
        }

        @Test("3: the kind of sensor stays when it isn't enrolled, is locked out, or is denied", arguments: sensors.prefix(2))
        func kindIsHardware(_ sensor: SimulatedDevice.Biometry, _ type: LABiometryType) async {
            await withDevice(sensor, enrolled: []) { _ in
                let context = LAContext()
                #expect(context.preflight() == .biometryNotEnrolled && context.biometryType == type)
            }
            await withDevice(sensor) { device in
                await device.lockBiometry()
                #expect(LAContext().biometryType == type)
                device.biometryPermission = false
                let context = LAContext()
                #expect(context.preflight() == .biometryNotAvailable && context.biometryType == type)
            }
        }

        @Test("4: a preflight shows nothing, writes why not, and writes nil when it succeeds")
        func preflight() async {
            await withDevice(enrolled: []) { device in
                var error: NSError? = NSError(domain: "earlier", code: 1)
                #expect(LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
                #expect(error == nil)
                #expect(!LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error))
                #expect(error?.domain == LAErrorDomain && error?.code == Code.biometryNotEnrolled.rawValue)
                #expect(!LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("5: a preflight is made anew each time: what changed since is seen on the same context")
        func notCached() async {
            await withDevice(enrolled: []) { device in
                let context = LAContext()
                #expect(context.preflight() == .biometryNotEnrolled)
                device.enroll("thumb")
                #expect(context.preflight() == nil)
                device.biometryPermission = false
                #expect(context.preflight() == .biometryNotAvailable)
            }
        }

        @Test("6: a preflight inside a reply is safe, and so is a keychain call that blocks there")
        func insideReply() async {
            await withDevice { device in
                #expect(Item.add(.biometryAny) == errSecSuccess)
                device.answer(.match, .match)
                let context = LAContext()
                let found = await withCheckedContinuation { continuation in
                    context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "r") { _, _ in
                        let isReady = LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
                        continuation.resume(returning: isReady ? Item.read().secret : nil)
                    }
                }
                #expect(found == Item.secret)
            }
        }

        @Test("7: the companion policy fails for want of a companion, in preflight and evaluation")
        func companion() async {
            await withDevice { device in
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithCompanion) == .companionNotAvailable)
                #expect(await LAContext().ask(.deviceOwnerAuthenticationWithCompanion) == .companionNotAvailable)
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("8: no passcode is what is missing only when biometry is there, enrolled and not locked")
        func passcodeComesLast() async {
            await withDevice(.none, passcode: nil) { _ in #expect(LAContext().preflight() == .biometryNotAvailable) }
            await withDevice(enrolled: [], passcode: nil) { _ in #expect(LAContext().preflight() == .biometryNotEnrolled) }
            await withDevice { device in
                await device.lockBiometry()
                device.setPasscode(nil)
                #expect(LAContext().preflight() == .biometryLockout)
            }
            await withDevice(passcode: nil) { _ in #expect(LAContext().preflight() == .passcodeNotSet) }
        }

        @Test("9: the owner's policy needs a passcode; with one and no biometry it goes straight to it")
        func owner() async {
            await withDevice(passcode: nil) { _ in
                #expect(LAContext().preflight(.deviceOwnerAuthentication) == .passcodeNotSet)
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == .passcodeNotSet)
            }
            await withDevice(enrolled: []) { device in
                #expect(LAContext().preflight() == .biometryNotEnrolled)
                #expect(LAContext().preflight(.deviceOwnerAuthentication) == nil)
                device.answer(.passcode("1234"))
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                #expect(
                    device.prompts.first?.sensor == SimulatedDevice.Biometry.none && device.prompts.first?.acceptsPasscode == true
                )
            }
        }

        @Test("10: biometry isn't available without hardware, or where the owner denies it to apps")
        func notAvailable() async {
            await withDevice(.none) { _ in
                #expect(LAContext().preflight() == .biometryNotAvailable)
                #expect(await LAContext().ask() == .biometryNotAvailable)
            }
            await withDevice { device in
                device.biometryPermission = false
                #expect(LAContext().preflight() == .biometryNotAvailable)
                #expect(await LAContext().ask() == .biometryNotAvailable)
            }
        }

        @Test("11: the codes of removable sensors have their names and numbers")
        func removable() {
            #expect(Code.biometryNotPaired.rawValue == -12 && kLAErrorBiometryNotPaired == -12)
            #expect(Code.biometryDisconnected.rawValue == -13 && kLAErrorBiometryDisconnected == -13)
        }

        @Test("12: the code for a missing companion has two names")
        func twoNames() {
            #expect(Code(rawValue: -11) == .companionNotAvailable)
            #expect(kLAErrorWatchNotAvailable == kLAErrorCompanionNotAvailable && kLAErrorWatchNotAvailable == -11)
        }

        @Test("13: biometry or companion makes do with biometry; with neither, what biometry lacks is the answer")
        func eitherOr() async {
            await withDevice { device in
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithBiometricsOrCompanion) == nil)
                device.answer(.match)
                #expect(await LAContext().ask(.deviceOwnerAuthenticationWithBiometricsOrCompanion) == nil)
            }
            await withDevice(enrolled: []) { _ in
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithBiometricsOrCompanion) == .biometryNotEnrolled)
                #expect(await LAContext().ask(.deviceOwnerAuthenticationWithBiometricsOrCompanion) == .biometryNotEnrolled)
            }
        }

        @Test("14: what is missing on the device wins over a prompt that isn't allowed")
        func missingWins() async {
            await withDevice(enrolled: []) { _ in
                let context = LAContext()
                context.interactionNotAllowed = true
                #expect(await context.ask() == .biometryNotEnrolled)
            }
        }

        @Test("15: an invalidated context says so before anything else")
        func invalidatedFirst() async {
            await withDevice(.none, passcode: nil) { _ in
                let context = LAContext()
                context.invalidate()
                context.interactionNotAllowed = true
                for policy in [LAPolicy.deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication] {
                    #expect(context.preflight(policy) == .invalidContext)
                    #expect(await context.ask(policy) == .invalidContext)
                }
            }
        }

        @Test("16: without a usage description Face ID works: a Linux program has none to give")
        func usageDescription() async {
            #expect(Bundle.main.object(forInfoDictionaryKey: "NSFaceIDUsageDescription") == nil)
            await withDevice(.faceID) { device in
                device.answer(.match)
                #expect(await LAContext().ask() == nil)
            }
        }

        @Test("a watch on its owner's wrist is never there")
        func wrist() async {
            await withDevice { _ in
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithWristDetection) == .biometryNotAvailable)
                #expect(await LAContext().ask(.deviceOwnerAuthenticationWithWristDetection) == .biometryNotAvailable)
            }
        }
    }
}
