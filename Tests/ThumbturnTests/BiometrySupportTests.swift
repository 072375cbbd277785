import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("Biometry support")
    @MainActor struct BiometrySupportTests {
        @Test(
            "A sensor that can be used is available, by its kind",
            arguments: [(SimulatedDevice.Biometry.touchID, Sensor.touchID), (.faceID, .faceID)])
        func available(biometry: SimulatedDevice.Biometry, sensor: Sensor) {
            let device = SimulatedDevice(biometry: biometry).install()
            defer { device.uninstall() }
            #expect(BiometrySupport.current() == .available(sensor))
            #expect(BiometrySupport.current().isAvailable)
        }

        @Test(
            "A sensor that knows nobody keeps its name",
            arguments: [(SimulatedDevice.Biometry.touchID, Sensor.touchID), (.faceID, .faceID)])
        func notEnrolled(biometry: SimulatedDevice.Biometry, sensor: Sensor) {
            let device = SimulatedDevice(biometry: biometry, enrolled: []).install()
            defer { device.uninstall() }
            let support = BiometrySupport.current()
            #expect(support == .notEnrolled(sensor))
            #expect(support.sensor == sensor && !support.isAvailable)
        }

        @Test("A sensor that missed five times is locked out until the passcode is given")
        func lockedOut() async {
            let device = SimulatedDevice(biometry: .faceID, passcode: "1234").install()
            defer { device.uninstall() }
            await device.lockBiometryOut()
            #expect(BiometrySupport.current() == .lockedOut(.faceID))
            device.lock()
            #expect(device.unlock(with: .passcode("1234")))
            #expect(BiometrySupport.current() == .available(.faceID))
        }

        @Test("A denied sensor is told from a missing one")
        func denied() {
            let device = SimulatedDevice(biometry: .touchID).install()
            defer { device.uninstall() }
            device.biometryPermission = false
            #expect(BiometrySupport.current() == .denied(.touchID))
            device.biometryPermission = true
            #expect(BiometrySupport.current() == .available(.touchID))
        }

        @Test("A device without a sensor has none to name")
        func absent() {
            let device = SimulatedDevice(biometry: .none).install()
            defer { device.uninstall() }
            #expect(BiometrySupport.current() == .absent)
            #expect(BiometrySupport.current().sensor == nil)
        }

        @Test("A sensor without a passcode waits for one")
        func passcodeNotSet() {
            let device = SimulatedDevice(biometry: .touchID, passcode: nil).install()
            defer { device.uninstall() }
            #expect(BiometrySupport.current() == .passcodeNotSet(.touchID))
        }

        @Test(
            "A removable sensor that is away keeps its name", arguments: [LAError.Code.biometryNotPaired, .biometryDisconnected])
        func disconnected(code: LAError.Code) {
            #expect(BiometrySupport.current(MockContext(preflight: code)) == .disconnected(.touchID))
        }

        @Test("A reader that somebody unplugs keeps its name, and an evaluation says what to do")
        func unplugged() async {
            let device = SimulatedDevice().install()
            defer { device.uninstall() }
            device.readerIsConnected = false
            #expect(BiometrySupport.current() == .disconnected(.touchID))
            let result = await Authenticator(policy: .deviceOwnerAuthenticationWithBiometrics).authenticate()
            #expect(result == .unavailable(LAError(.biometryDisconnected)) && device.prompts.isEmpty)
            device.readerIsConnected = true
            #expect(BiometrySupport.current() == .available(.touchID))
        }

        @Test("What can't be told is unknown, not absent")
        func unknown() {
            let device = SimulatedDevice().install()
            defer { device.uninstall() }
            let context = LAContext()
            context.invalidate()
            #expect(BiometrySupport.current(context) == .unknown)
            #expect(BiometrySupport.current(MockContext(preflight: .systemCancel, kind: .none)) == .unknown)
            #expect(BiometrySupport.current(MockContext(preflight: .biometryNotAvailable, kind: .none)) == .absent)
            #expect(BiometrySupport.current(MockContext(kind: .none)) == .unknown)
        }
    }
}
