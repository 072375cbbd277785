public import LocalAuthentication

/// How an attempt to authenticate ended.
public enum AuthenticationResult: Sendable, Equatable {
    /// Who cancelled an attempt.
    public enum Canceller: Sendable, Hashable {
        /// The person pressed cancel. Show no error.
        case user
        /// The system closed the prompt, because the session was locked or something else needed the owner.
        case system
        /// The app itself cancelled, with `deauthenticate()`, by locking or by cancelling its task.
        case app
    }

    /// The owner was recognized.
    case success
    /// The attempt was cancelled, and nothing was decided.
    case cancelled(by: Canceller)
    /// The person pressed the fallback button. Show the app's own login.
    case fallbackChosen
    /// Nobody could be asked. The code says what is missing: a sensor, an enrolment, a passcode, the owner's permission.
    case unavailable(LAError)
    /// Somebody was asked and not recognized, or the attempt ended in a way that none of the other cases describes.
    case failed(LAError)
    /// Refused, because an earlier attempt is still running. That attempt goes on.
    case alreadyInProgress
    /// Refused by an `AppLock`, because the enrolment changed or can't be determined. Only the app's own login opens the lock.
    case enrolmentChanged

    /// Makes a result from the error of an evaluation or a preflight. Any other error counts as failed.
    public init(_ error: any Error) {
        guard let error = error as? LAError else {
            self = .failed(LAError(.authenticationFailed))
            return
        }
        switch error.code {
        case .userCancel: self = .cancelled(by: .user)
        case .systemCancel: self = .cancelled(by: .system)
        case .appCancel, .invalidContext: self = .cancelled(by: .app)
        case .userFallback: self = .fallbackChosen
        case .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .companionNotAvailable,
            .biometryNotPaired, .biometryDisconnected, .notInteractive:
            self = .unavailable(error)
        default: self = .failed(error)
        }
    }

    /// Two results are equal if they ended in the same way and for the same reason. Errors are compared by their code only.
    public static func == (left: AuthenticationResult, right: AuthenticationResult) -> Bool {
        switch (left, right) {
        case (.success, .success), (.fallbackChosen, .fallbackChosen), (.alreadyInProgress, .alreadyInProgress),
            (.enrolmentChanged, .enrolmentChanged):
            true
        case (.cancelled(let one), .cancelled(let other)): one == other
        case (.unavailable(let one), .unavailable(let other)), (.failed(let one), .failed(let other)): one.code == other.code
        default: false
        }
    }
}
