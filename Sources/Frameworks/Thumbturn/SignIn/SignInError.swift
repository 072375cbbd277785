#if os(Linux)
public import LocalAuthentication
import ThumbSignIn

/// Why signing in did not do what it was asked to do. After each of them `SignIn.state()` tells what to do next.
public enum SignInError: Error, Sendable, Hashable {
    /// The owner cancelled, or the app did by cancelling its task. Show no error.
    case cancelled
    /// The person who was asked isn't the owner, or the device in its present state can't meet the key's guard.
    case notAuthenticated
    /// The key can't be bound to the present fingers or faces, because the device can't tell which are enrolled. `guardedBy: .biometry`
    /// does without that, and `remedy` mends it.
    case enrolmentUnknown
    /// The owner has to be asked, and that isn't possible now: no terminal, or a locked session.
    case cannotAsk
    /// The password is needed (`enable`), because the device's key can't be used any more.
    case needsPassword(SignIn.Loss)
    /// This device isn't enabled for the account. Call `enable` first.
    case notEnabled
    /// There is no session, or it has ended. `signIn` begins another.
    case noSession
    /// The account and the password don't belong together, or there is no such account.
    case wrongPassword
    /// The owner took longer than a challenge lasts. Try again.
    case tooLate
    /// The server wants to be asked again only after that many seconds.
    case slowDown(seconds: Int)
    /// The account has as many devices as it may have. Remove one.
    case tooManyDevices
    /// The account is locked. The operator of the server can unlock it.
    case accountLocked
    /// Without its password nobody could sign in to the account, because no device is registered. Call `enable` first.
    case noDevice
    /// The new password is shorter than the server takes.
    case passwordTooShort
    /// The new password is among the first that anybody would try.
    case passwordTooCommon
    /// The account has no such device.
    case unknownDevice
    /// The device is the account's last way in, because it has no password. Set one first (`changePassword`), or delete the
    /// account.
    case lastWayIn
    /// The server can't be reached, or has too much to do. Nobody knows whether it got the last request; asking again does no harm.
    case unreachable
    /// No sign-in server answers there: the answer is a redirection, too long, not JSON, or not what was asked for.
    case badAnswer
    /// The server refused, with this code (docs/developers/sign-in.md).
    case refused(String)
    /// The origin, the account or the device's name isn't one that servers accept.
    case badName
    /// Nothing here can hold a sign-in key: there is no TPM, and the owner hasn't allowed software (`thumbturn allow software-keys`).
    case noEnclave
    /// The app may not use that access group.
    case notPermitted
    /// The keychain can't be reached or can't be written now.
    case unavailable
    /// Another keychain failure, by its number; `SecCopyErrorMessageString` has a text for it.
    case failed(OSStatus)

    /// The command that mends it on this machine, or that says what does, for an app's own message; nil if none does.
    public var remedy: String? {
        switch self {
        case .enrolmentUnknown: UnknownEnrolment.remedy
        case .noEnclave: "thumbturn allow software-keys"
        default: nil
        }
    }

    init(_ error: VaultError) {
        switch error {
        case .cancelled: self = .cancelled
        case .notAuthenticated: self = .notAuthenticated
        case .enrolmentUnknown: self = .enrolmentUnknown
        case .cannotAsk: self = .cannotAsk
        case .notPermitted: self = .notPermitted
        case .unavailable: self = .unavailable
        case .tooLarge: self = .failed(errSecDataTooLarge)
        case .unreadable: self = .failed(errSecDecode)
        case .failed(let status): self = .failed(status)
        }
    }

    init(_ error: EnclaveKeyError) {
        switch error {
        case .cancelled: self = .cancelled
        case .notAuthenticated: self = .notAuthenticated
        case .enrolmentUnknown: self = .enrolmentUnknown
        case .cannotAsk: self = .cannotAsk
        case .unusable: self = .needsPassword(.enrolmentChanged)
        case .notFound: self = .needsPassword(.keyGone)
        case .noEnclave: self = .noEnclave
        case .notPermitted: self = .notPermitted
        case .unavailable: self = .unavailable
        case .alreadyExists: self = .failed(errSecDuplicateItem)
        case .tooLarge: self = .failed(errSecDataTooLarge)
        case .unreadable: self = .failed(errSecDecode)
        case .failed(let status): self = .failed(status)
        }
    }
}

extension SignInError {
    /// What a server's refusal means for the caller. `signIn` decides what it means for the device's key.
    init(_ refusal: Refusal) {
        switch refusal.code {
        case .credentials: self = .wrongPassword
        case .session: self = .noSession
        case .challengeExpired: self = .tooLate
        case .slowDown: self = .slowDown(seconds: refusal.seconds)
        case .tooManyDevices: self = .tooManyDevices
        case .accountLocked: self = .accountLocked
        case .noDevice: self = .noDevice
        case .lastDevice: self = .lastWayIn
        case .passwordShort: self = .passwordTooShort
        case .passwordCommon: self = .passwordTooCommon
        case .busy, .slow: self = .unreachable
        default: self = .refused(refusal.code.rawValue)
        }
    }
}
#endif
