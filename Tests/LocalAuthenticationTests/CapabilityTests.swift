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

        /// The numbers under which a preflight refuses one policy or another; an evaluation refuses it under the same, and asks nobody.
        private func numbers(_ device: SimulatedDevice) async -> Set<Int> {
            let policies: [LAPolicy] = [
                .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithCompanion,
                .deviceOwnerAuthenticationWithBiometricsOrCompanion,
            ]
            let before = device.prompts.count
            var numbers: Set<Int> = []
            for policy in policies {
                var error: NSError?
                if LAContext().canEvaluatePolicy(policy, error: &error) { continue }
                #expect(error?.domain == LAErrorDomain)
                #expect(await LAContext().ask(policy)?.rawValue == error?.code)
                numbers.insert(error?.code ?? 0)
            }
            #expect(device.prompts.count == before)
            return numbers
        }

        @Test("11: of the codes for removable sensors an unplugged reader has -13; no state of a device has -12 or -14")
        func removable() async {
            // Nothing is paired either, which is -11.
            await withDevice(.none) { device in #expect(await numbers(device) == [-6, -11]) }
            await withDevice(enrolled: []) { device in #expect(await numbers(device) == [-7, -11]) }
            await withDevice(passcode: nil) { device in #expect(await numbers(device) == [-5, -11]) }
            await withDevice { device in
                #expect(await numbers(device) == [-11])
                device.biometryPermission = false
                #expect(await numbers(device) == [-6, -11])
                device.biometryPermission = true
                device.isSeated = false
                #expect(await numbers(device) == [-6, -11])
                device.isSeated = true
                device.readerIsConnected = false
                #expect(await numbers(device) == [Int(kLAErrorBiometryDisconnected), -11])
                #expect(kLAErrorBiometryDisconnected == -13)
                device.readerIsConnected = true
                await device.lockBiometry()
                #expect(await numbers(device) == [-8, -11])
            }
        }

        @Test("12: a missing companion is caught under both of its names, and has one number")
        @available(*, deprecated, message: "It tests what is deprecated.")
        func twoNames() async {
            await withDevice { _ in
                for policy in [LAPolicy.deviceOwnerAuthenticationWithCompanion, .deviceOwnerAuthenticationWithWatch] {
                    for isOldName in [true, false] {
                        do {
                            try await LAContext().evaluatePolicy(policy, localizedReason: "r")
                            Issue.record("it succeeded")
                        } catch LAError.watchNotAvailable where isOldName {
                            continue
                        } catch LAError.companionNotAvailable where !isOldName {
                            continue
                        } catch {
                            Issue.record(error)
                        }
                    }
                    var error: NSError?
                    #expect(!LAContext().canEvaluatePolicy(policy, error: &error))
                    #expect(error?.code == Int(kLAErrorWatchNotAvailable) && error?.code == Int(kLAErrorCompanionNotAvailable))
                }
            }
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

        @Test("a watch on its owner's wrist is never there")
        func wrist() async {
            await withDevice { _ in
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithWristDetection) == .biometryNotAvailable)
                #expect(await LAContext().ask(.deviceOwnerAuthenticationWithWristDetection) == .biometryNotAvailable)
            }
        }
    }
}
