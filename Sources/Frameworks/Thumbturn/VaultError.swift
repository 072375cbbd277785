public import LocalAuthentication

/// Why a vault did not do what it was asked to do. A name without a value is no error.
public enum VaultError: Error, Sendable, Hashable {
    /// The owner cancelled, or the app did by cancelling its task. Show no error.
    case cancelled
    /// The person who was asked isn't the owner, or the device in its present state can't meet the secret's guard.
    case notAuthenticated
    /// The secret can't be bound to the present fingers or faces, because the device can't tell which are enrolled; `remedy` mends that.
    case enrolmentUnknown
    /// The owner has to be asked, and that isn't possible or allowed now: no terminal, a locked session, or a context that may not ask.
    case cannotAsk
    /// The app may not use that access group.
    case notPermitted
    /// The keychain can't be reached or can't be written now.
    case unavailable
    /// The value is larger than a secret may be.
    case tooLarge
    /// The kept value isn't of that type, or the value can't be written as one.
    case unreadable
    /// Another failure, by the keychain's status; `SecCopyErrorMessageString` has a text for it.
    case failed(OSStatus)

    /// The command that mends it on this machine, or that says what does, for an app's own message; nil if none does.
    public var remedy: String? { self == .enrolmentUnknown ? UnknownEnrolment.remedy : nil }

    /// Converts a status; nil for success.
    public init?(_ status: OSStatus) {
        switch status {
        case errSecSuccess: return nil
        case errSecUserCanceled: self = .cancelled
        case errSecAuthFailed: self = .notAuthenticated
        case errSecInteractionNotAllowed: self = .cannotAsk
        case errSecMissingEntitlement: self = .notPermitted
        case errSecNotAvailable: self = .unavailable
        case errSecDataTooLarge: self = .tooLarge
        default: self = .failed(status)
        }
    }
}
