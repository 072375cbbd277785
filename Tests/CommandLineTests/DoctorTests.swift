import Testing
import ThumbAccess

@testable import thumbturn

@Suite("The doctor's judgement")
struct DoctorTests {
    /// A device with every link sound.
    private static let sound = DeviceStatus(
        mode: .system, biometry: .touchID, isEnrolled: true, isBiometryLocked: false, passcodeIsSet: true, passcodeWasGiven: true,
        hasRecoveryCode: true, isSessionLocked: false, items: 3, quarantined: 0, custodian: .tpm, enclave: .tpm,
        processID: 7)

    private func weakest(_ change: (inout DeviceStatus) -> Void) -> String? {
        var status = Self.sound
        change(&status)
        return Link.all(status).filter { $0.level != .sound }.min { $0.strength < $1.strength }?.name
    }

    @Test("A sound device ends with 0")
    func fine() {
        let outcome = Doctor.outcome(Self.sound)
        #expect(outcome.exit == .done)
        #expect(weakest { _ in } == nil)
    }

    @Test("Whatever is weak is found, and ends with 1")
    func each() {
        #expect(weakest { $0.mode = .user } == "daemon")
        #expect(weakest { $0.mode = .simulated } == "daemon")
        #expect(weakest { $0.biometry = .none } == "sensor")
        #expect(weakest { $0.isBiometryLocked = true } == "sensor")
        #expect(weakest { $0.isEnrolled = false } == "enrolment")
        #expect(weakest { $0.passcodeIsSet = false } == "passcode")
        #expect(weakest { $0.hasRecoveryCode = false } == "recovery code")
        #expect(weakest { $0.quarantined = 1 } == "store")
        #expect(weakest { $0.custodian = .software } == "keys")
        #expect(weakest { $0.enclave = .software } == "enclave keys")
        #expect(weakest { $0.enclave = nil } == "enclave keys")
        var status = Self.sound
        status.custodian = .software
        #expect(Doctor.outcome(status).exit == .no)
    }

    @Test("A simulated device is the weakest of all, then a missing passcode, and a missing sensor the least")
    func order() {
        let bare: (inout DeviceStatus) -> Void = {
            $0.biometry = .none
            $0.passcodeIsSet = false
            $0.hasRecoveryCode = false
            $0.quarantined = 1
            $0.custodian = .software
            $0.mode = .user
        }
        #expect(weakest(bare) == "passcode")
        #expect(
            weakest {
                bare(&$0)
                $0.mode = .simulated
            } == "daemon")
        #expect(
            weakest {
                $0.mode = .user
                $0.biometry = .none
            } == "daemon")
    }

    @Test("What can be mended says with which command")
    func mends() {
        for link in Link.all(Self.sound) { #expect(link.level == .sound && link.mend == nil, "\(link.name)") }
        var status = Self.sound
        status.hasRecoveryCode = false
        status.isEnrolled = false
        status.enclave = nil
        #expect(
            Link.all(status).compactMap(\.mend) == [
                "thumbturn enroll", "thumbturn passcode recovery", "thumbturn allow software-keys",
            ])
    }
}
