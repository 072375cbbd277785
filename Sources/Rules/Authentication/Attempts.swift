/// The device's memory of misses: one for each user, shared by every app and call.
public struct Attempts: Sendable, Hashable {
    /// Misses in a row at the sensor since the last match or passcode.
    public var biometric: Int
    /// Wrong passcodes in a row.
    public var passcode: Int

    public init(biometric: Int = 0, passcode: Int = 0) {
        self.biometric = biometric
        self.passcode = passcode
    }

    /// After this many misses in a row only the passcode helps. Five, as on an iPhone.
    public static let biometricLimit = 5

    public var isBiometryLocked: Bool { biometric >= Self.biometricLimit }

    /// Seconds to wait after the latest wrong passcode. It grows, has a ceiling and never locks the account for good.
    public var passcodeDelay: Double {
        switch passcode {
        case ..<4: 0
        case 4: 10
        case 5: 30
        case 6: 60
        case 7: 300
        case 8: 900
        default: 3600
        }
    }

    mutating func countMiss() { biometric = min(biometric + 1, Self.biometricLimit) }
    mutating func countWrongPasscode() { passcode = min(passcode + 1, 1_000_000) }
}
