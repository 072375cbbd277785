import Foundation
package import ThumbAccess

// The one place where the house's failures meet Apple's codes, with what to tell the owner.

extension LAError {
    /// The error that an app gets for a failure.
    package init(failure: EvaluationFailure) {
        let (code, text) = Self.meaning(of: failure)
        self.init(code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    private static func meaning(of failure: EvaluationFailure) -> (Code, String) {
        switch failure {
        case .authenticationFailed:
            (.authenticationFailed, "You could not be recognized. Try again, or use the passcode.")
        case .userCancel:
            (.userCancel, "You cancelled.")
        case .userFallback:
            (.userFallback, "You chose another way to sign in.")
        case .systemCancel:
            (.systemCancel, "The system interrupted the request. Try again.")
        case .passcodeNotSet:
            (.passcodeNotSet, "No passcode is set. Set one with `thumbturn passcode set`.")
        case .biometryNotAvailable:
            (
                .biometryNotAvailable,
                "No fingerprint reader or camera can be used here. `thumbturn doctor` says what is missing."
            )
        case .biometryNotEnrolled:
            (.biometryNotEnrolled, "No finger or face is enrolled. Enrol one with `thumbturn enroll`.")
        case .biometryLockout:
            (.biometryLockout, "Too many attempts failed. Give the passcode to use the sensor again.")
        case .appCancel:
            (.appCancel, "The app withdrew its request.")
        case .invalidContext:
            (.invalidContext, "The app's session is over. It has to begin a new one.")
        case .companionNotAvailable:
            (.companionNotAvailable, "No paired companion device is near.")
        case .notInteractive:
            (
                .notInteractive,
                "You would have to be asked, and there is no way to ask here. Use a desktop session or a terminal."
            )
        case .invalidParameter:
            // Apple's number for this has no name; what an app can do is what it does without a sensor.
            (.biometryNotAvailable, "This device can't authenticate in the way that the app asks for.")
        case .deviceFailure:
            (
                .systemCancel,
                "The authentication service could not do its part. `thumbturn doctor` says why."
            )
        }
    }
}
