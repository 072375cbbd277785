// The codes under their names on the error itself: `LAError.userCancel` is a code, as in `catch LAError.userCancel`.

extension LAError {
    /// The owner didn't show what was asked for.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The owner pressed cancel.
    public static var userCancel: Code { .userCancel }
    /// The owner pressed the fallback button, and the policy has no fallback of its own.
    public static var userFallback: Code { .userFallback }
    /// The system interrupted the evaluation, or could not do its part.
    public static var systemCancel: Code { .systemCancel }
    /// No passcode is set.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// The old name of `biometryNotAvailable`.
    @available(*, deprecated, renamed: "biometryNotAvailable")
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// The old name of `biometryNotEnrolled`.
    @available(*, deprecated, renamed: "biometryNotEnrolled")
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// The old name of `biometryLockout`.
    @available(*, deprecated, renamed: "biometryLockout")
    public static var touchIDLockout: Code { .biometryLockout }
    /// The app invalidated the context while it was evaluating.
    public static var appCancel: Code { .appCancel }
    /// The context had been invalidated before.
    public static var invalidContext: Code { .invalidContext }
    /// There is no sensor that can be used.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// There is a sensor, but it knows no finger or face.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Biometry is locked after too many misses, until the passcode is given.
    public static var biometryLockout: Code { .biometryLockout }
    /// The owner would have to be asked, which is not possible or not allowed.
    public static var notInteractive: Code { .notInteractive }
    /// The old name of `companionNotAvailable`.
    @available(*, deprecated, renamed: "companionNotAvailable")
    public static var watchNotAvailable: Code { .companionNotAvailable }
    /// No paired companion device is near.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// The sensor is a removable one, and none is paired.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// The paired sensor isn't connected.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// An embedded prompt has no usable size.
    public static var invalidDimensions: Code { .invalidDimensions }
}
