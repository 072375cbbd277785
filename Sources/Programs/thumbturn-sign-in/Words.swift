import Thumbturn

extension Outcome {
    /// What the owner shows to sign in, for the end of a sentence.
    static func shown(_ guarded: Vault.Guard, on support: BiometrySupport) -> String {
        let sensor: String? =
            switch support {
            case .available(.touchID), .lockedOut(.touchID): "your finger"
            case .available(.faceID), .lockedOut(.faceID): "your face"
            case .available(.opticID), .lockedOut(.opticID): "your eyes"
            case .notEnrolled, .denied, .disconnected, .passcodeNotSet, .absent, .unknown: nil
            }
        switch guarded {
        case .passcode: return "your passcode"
        case .presence: return sensor.map { "\($0) or your passcode" } ?? "your passcode"
        default: return sensor ?? "your finger or your face"
        }
    }

    static func words(_ loss: SignIn.Loss) -> String {
        switch loss {
        case .enrolmentChanged: "the enrolled fingers have changed since the key was made"
        case .keyGone: "the key is gone"
        case .revoked: "this device was revoked"
        case .unknownAtServer: "the server doesn't know this device"
        }
    }

    static func status(_ error: SignInError) -> Int32 {
        switch error {
        case .cancelled: 3
        case .notAuthenticated, .wrongPassword, .needsPassword, .accountLocked: 1
        case .cannotAsk, .unavailable, .noEnclave, .enrolmentUnknown: 2
        case .notEnabled, .noSession, .unknownDevice: 4
        case .badName: 64
        case .tooLate, .slowDown, .tooManyDevices, .noDevice, .lastWayIn, .passwordTooShort, .passwordTooCommon, .unreachable,
            .badAnswer, .refused, .notPermitted, .failed:
            6
        }
    }

    /// - Parameter remedy: what mends an unknown enrolment on this machine.
    static func failure(_ error: SignInError, remedy: String? = nil) -> (code: String, message: String, advice: String?) {
        switch error {
        case .cancelled: ("userCanceled", "Cancelled.", nil)
        case .notAuthenticated: ("authFailed", "The owner wasn't recognized.", "Try again.")
        case .enrolmentUnknown:
            (
                "enrolmentUnknown",
                "The daemon can't tell which fingers or faces are enrolled, so the key can't be bound to them.",
                "Run '\(remedy ?? "thumbturn doctor")', or use '--protect biometry' for any enrolled finger or face."
            )
        case .cannotAsk:
            (
                "interactionNotAllowed", "The owner has to be asked, but there is no terminal or window to ask in.",
                "Run the command in a terminal."
            )
        case .needsPassword(let loss):
            ("needsPassword", "The password is needed, because \(words(loss)).", "Run 'thumbturn sign-in enable'.")
        case .notEnabled:
            ("notEnabled", "This device isn't enabled for that account.", "Run 'thumbturn sign-in enable' to enable it.")
        case .noSession: ("noSession", "There is no session.", "Run 'thumbturn sign-in now' to sign in.")
        case .wrongPassword:
            ("wrongPassword", "Wrong account or password.", "Check both, and try again.")
        case .tooLate: ("tooLate", "You answered too late for the server.", "Try again.")
        case .slowDown(let seconds):
            ("slowDown", "The server accepts no more requests for now.", "Try again in \(seconds) seconds.")
        case .tooManyDevices:
            (
                "tooManyDevices", "The account has as many devices as it may have.",
                "Revoke one with 'thumbturn sign-in revoke-device'."
            )
        case .accountLocked: ("accountLocked", "The account is locked.", "Ask the server's operator.")
        case .noDevice:
            (
                "noDevice", "No device is registered, so without the password nobody could sign in.",
                "Run 'thumbturn sign-in enable' first."
            )
        case .unknownDevice:
            ("unknownDevice", "The account has no such device.", "Run 'thumbturn sign-in devices' to see which it has.")
        case .lastWayIn:
            (
                "lastWayIn", "This device is the last way in, because the account has no password.",
                "Run 'thumbturn sign-in change-password' first, or 'thumbturn sign-in delete-account'."
            )
        case .passwordTooShort: ("passwordTooShort", "The server takes only longer passwords.", "Choose a longer one.")
        case .passwordTooCommon:
            ("passwordTooCommon", "That password is among the first that anybody would try.", "Choose another one.")
        case .unreachable: ("unreachable", "The server can't be reached.", "Try again later; asking again does no harm.")
        case .badAnswer: ("badAnswer", "That address isn't a sign-in server.", "Check the server's origin.")
        case .refused(let code): ("refused", "The server refused: \(code).", nil)
        case .badName:
            (
                "usage", "The server, the account or the device can't have that name.",
                "SERVER is https://HOST, or http:// with a host that is this machine, without a slash at the end."
            )
        case .noEnclave:
            (
                "noEnclave", "There is no TPM to hold such a key.",
                "Run 'thumbturn allow software-keys' to have it held in software."
            )
        case .notPermitted: ("missingEntitlement", "This program may not use that access group.", nil)
        case .unavailable:
            ("notAvailable", "The daemon can't be reached, or can't write just now.", "Run 'thumbturn doctor'.")
        case .failed(let status): ("failed", "The operation failed with status \(status).", "Check the daemon's log.")
        }
    }
}
