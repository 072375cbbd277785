import Thumbturn

extension Outcome {
    static func words(_ loss: SignIn.Loss) -> String {
        switch loss {
        case .enrolmentChanged: "other fingers are enrolled than when the key was made"
        case .keyGone: "the key isn't there any more"
        case .revoked: "this device was revoked"
        case .unknownAtServer: "the server doesn't know this device"
        }
    }

    static func status(_ error: SignInError) -> Int32 {
        switch error {
        case .cancelled: 3
        case .notAuthenticated, .wrongPassword, .needsPassword, .accountLocked: 1
        case .cannotAsk, .unavailable, .noEnclave: 2
        case .notEnabled, .noSession, .unknownDevice: 4
        case .badName: 64
        case .tooLate, .slowDown, .tooManyDevices, .noDevice, .lastWayIn, .unreachable, .badAnswer, .refused, .notPermitted,
            .failed:
            6
        }
    }

    static func failure(_ error: SignInError) -> (code: String, message: String, advice: String?) {
        switch error {
        case .cancelled: ("userCanceled", "cancelled", nil)
        case .notAuthenticated: ("authFailed", "whoever was asked is not the owner", nil)
        case .cannotAsk:
            ("interactionNotAllowed", "the owner has to be asked, and there is no terminal to ask on", "run it in a terminal")
        case .needsPassword(let loss):
            ("needsPassword", "the password is needed: \(words(loss))", "run 'thumbturn sign-in enable'")
        case .notEnabled: ("notEnabled", "this device isn't enabled for that account", "run 'thumbturn sign-in enable'")
        case .noSession: ("noSession", "there is no session", "run 'thumbturn sign-in now'")
        case .wrongPassword: ("wrongPassword", "account and password don't belong together", nil)
        case .tooLate: ("tooLate", "that took longer than the server waits", "try again")
        case .slowDown(let seconds): ("slowDown", "the server takes no more for now", "try again in \(seconds) s")
        case .tooManyDevices: ("tooManyDevices", "the account has as many devices as it may", "revoke one from another device")
        case .accountLocked: ("accountLocked", "the account is locked", "ask whoever runs the server")
        case .noDevice:
            (
                "noDevice", "without its password nobody could sign in: no device is registered",
                "run 'thumbturn sign-in enable' first"
            )
        case .unknownDevice:
            ("unknownDevice", "the account has no such device", "'thumbturn sign-in devices' lists those it has")
        case .lastWayIn:
            (
                "lastWayIn", "this device is the last way in: the account has no password",
                "run 'thumbturn sign-in change-password' first, or 'delete-account'"
            )
        case .unreachable: ("unreachable", "the server can't be reached", "asking again does no harm")
        case .badAnswer: ("badAnswer", "what answers there is no sign-in server", "look at its origin")
        case .refused(let code): ("refused", "the server refused: \(code)", nil)
        case .badName:
            (
                "usage", "the server, the account or the device's name can't be that",
                "SERVER is https://HOST, or http:// with a host that is this machine; without a slash at the end"
            )
        case .noEnclave:
            (
                "noEnclave", "there is no TPM to hold such a key",
                "'thumbturn allow software-keys' lets the daemon hold it in software"
            )
        case .notPermitted: ("missingEntitlement", "this program may not use that access group", nil)
        case .unavailable: ("notAvailable", "the daemon can't be reached, or can't write just now", "run 'thumbturn doctor'")
        case .failed(let status): ("failed", "it failed with \(status)", nil)
        }
    }
}
