package import ThumbAccess

/// What an app asks for when it asks whether this is the owner.
public enum LAPolicy: Int, Sendable, BitwiseCopyable {
    /// A finger or a face, and nothing else. The fallback button ends the evaluation with `LAError.userFallback`.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// A finger or a face if there is one, else the passcode.
    case deviceOwnerAuthentication = 2
    /// A paired companion nearby. Fails with `LAError.companionNotAvailable` if none is.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// A finger, a face or a companion, whichever there is.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
    /// A watch on its owner's wrist; never available here.
    case deviceOwnerAuthenticationWithWristDetection = 5

    /// The old name of `deviceOwnerAuthenticationWithCompanion`.
    @available(*, deprecated, renamed: "deviceOwnerAuthenticationWithCompanion")
    public static var deviceOwnerAuthenticationWithWatch: LAPolicy { .deviceOwnerAuthenticationWithCompanion }
    /// The old name of `deviceOwnerAuthenticationWithBiometricsOrCompanion`.
    @available(*, deprecated, renamed: "deviceOwnerAuthenticationWithBiometricsOrCompanion")
    public static var deviceOwnerAuthenticationWithBiometricsOrWatch: LAPolicy {
        .deviceOwnerAuthenticationWithBiometricsOrCompanion
    }

    /// The daemon's value for the policy.
    package var policy: Policy {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics: .biometrics
        case .deviceOwnerAuthentication: .deviceOwner
        case .deviceOwnerAuthenticationWithCompanion: .companion
        case .deviceOwnerAuthenticationWithBiometricsOrCompanion: .biometricsOrCompanion
        case .deviceOwnerAuthenticationWithWristDetection: .wristDetection
        }
    }
}
