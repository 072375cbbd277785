public import Foundation

extension LAError {
    /// What went wrong.
    ///
    /// The sensor codes are cases under their oldest names, as in Apple's headers. Printing a code and an exhaustive switch show these. Use
    /// the `biometry…` names.
    public enum Code: Int, _ErrorCodeProtocol, Sendable, BitwiseCopyable {
        /// The error that carries the code.
        public typealias _ErrorType = LAError

        /// The owner didn't show what was asked for.
        case authenticationFailed = -1
        /// The owner pressed cancel.
        case userCancel = -2
        /// The owner pressed the fallback button, and the policy has no fallback of its own.
        case userFallback = -3
        /// The system interrupted the evaluation, or could not do its part.
        case systemCancel = -4
        /// No passcode is set.
        case passcodeNotSet = -5
        /// The old name of `biometryNotAvailable`.
        case touchIDNotAvailable = -6
        /// The old name of `biometryNotEnrolled`.
        case touchIDNotEnrolled = -7
        /// The old name of `biometryLockout`.
        case touchIDLockout = -8
        /// The app invalidated the context while it was evaluating.
        case appCancel = -9
        /// The context had been invalidated before.
        case invalidContext = -10
        /// No paired companion device is near.
        case companionNotAvailable = -11
        /// The sensor is a removable one, and none is paired.
        case biometryNotPaired = -12
        /// The paired sensor isn't connected.
        case biometryDisconnected = -13
        /// An embedded prompt has no usable size.
        case invalidDimensions = -14
        /// The owner would have to be asked, which is not possible or not allowed.
        case notInteractive = -1004

        /// There is no sensor that can be used.
        public static var biometryNotAvailable: Code { .touchIDNotAvailable }
        /// There is a sensor, but it knows no finger or face.
        public static var biometryNotEnrolled: Code { .touchIDNotEnrolled }
        /// Biometry is locked after too many misses, until the passcode is given.
        public static var biometryLockout: Code { .touchIDLockout }
        /// The old name of `companionNotAvailable`.
        @available(*, deprecated, renamed: "companionNotAvailable")
        public static var watchNotAvailable: Code { .companionNotAvailable }
    }
}
