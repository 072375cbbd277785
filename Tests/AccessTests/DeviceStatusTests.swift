import Testing
import ThumbAccess

@Suite("What a device says of itself")
struct DeviceStatusTests {
    private func status(isSet: Bool = true, wasGiven: Bool = false, wasOpenedAtLogin: Bool = false) -> DeviceStatus {
        DeviceStatus(
            mode: .user, biometry: .touchID, isEnrolled: true, isBiometryLocked: false, passcodeIsSet: isSet,
            passcodeWasGiven: wasGiven, hasRecoveryCode: false, isSessionLocked: false, items: 0, quarantined: 0,
            custodian: .software, processID: 1, wasOpenedAtLogin: wasOpenedAtLogin)
    }

    @Test("until the passcode was given, what it protects waits for it; a login by finger opens the first-unlock class alone")
    func waits() {
        func waiting(_ status: DeviceStatus) -> [KeyClass] { KeyClass.allCases.filter { status.waitsForPasscode($0) } }
        #expect(waiting(status()) == [.firstUnlock, .passcode])
        #expect(waiting(status(wasOpenedAtLogin: true)) == [.passcode])
        #expect(waiting(status(wasGiven: true)).isEmpty && waiting(status(isSet: false)).isEmpty)
    }
}
