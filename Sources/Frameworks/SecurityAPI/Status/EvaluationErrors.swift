package import Foundation
package import ThumbAccess

// The only place where an evaluation's failures become Apple's codes, with what to tell the owner. `LAError` is made from it, and so are
// the errors of using a Secure Enclave key.

extension EvaluationFailure {
    /// The number of the `LAError.Code` that an app gets.
    package var errorNumber: Int { meaning.number }

    /// The failure as an error object, in the domain of `LAError`.
    package var errorObject: NSError {
        NSError(
            domain: "com.apple.LocalAuthentication", code: meaning.number, userInfo: [NSLocalizedDescriptionKey: meaning.text])
    }

    private var meaning: (number: Int, text: String) {
        switch self {
        case .authenticationFailed:
            (-1, "You could not be recognized. Try again, or use the passcode.")
        case .userCancel:
            (-2, "You cancelled.")
        case .userFallback:
            (-3, "You chose another way to sign in.")
        case .systemCancel:
            (-4, "The system interrupted the request. Try again.")
        case .passcodeNotSet:
            (-5, "No passcode is set. Set one with `thumbturn passcode set`.")
        case .biometryNotAvailable:
            (
                -6,
                "No fingerprint reader or camera can be used here. `thumbturn doctor` says what is missing."
            )
        case .biometryNotEnrolled:
            (-7, "No finger or face is enrolled. Enrol one with `thumbturn enroll`.")
        case .biometryLockout:
            (-8, "Too many attempts failed. Give the passcode to use the sensor again.")
        case .appCancel:
            (-9, "The app withdrew its request.")
        case .invalidContext:
            (-10, "The app's session is over. It has to begin a new one.")
        case .companionNotAvailable:
            (-11, "No paired companion device is near.")
        case .biometryDisconnected:
            (-13, "Your fingerprint reader isn't connected. Plug it in and try again.")
        case .notInteractive:
            (
                -1004,
                "You would have to be asked, and there is no way to ask here. Use a desktop session or a terminal."
            )
        case .invalidParameter:
            // Apple has no name for this number. An app can only treat it like a missing sensor.
            (-6, "This device can't authenticate in the way that the app asks for.")
        case .deviceFailure:
            (
                -4,
                "The authentication service could not do its part. `thumbturn doctor` says why."
            )
        }
    }
}
