public import LocalAuthentication

/// Why a vault did not do what it was asked. A name that holds nothing is no error.
public enum VaultError: Error, Sendable, Hashable {
    /// The owner cancelled, or the app did by cancelling its task: show no error.
    case cancelled
    /// The person who was asked isn't the owner, or the device as it is can't meet the secret's guard.
    case notAuthenticated
    /// The owner would have to be asked, and that isn't possible or allowed now: no terminal, a locked session, a context that
    /// may not ask.
    case cannotAsk
    /// The app may not use that access group.
    case notPermitted
    /// The keychain can't be reached or can't be written now.
    case unavailable
    /// The value is larger than a secret may be.
    case tooLarge
    /// The kept value isn't of that type, or the value can't be written as one.
    case unreadable
    /// Something else, by the keychain's status; `SecCopyErrorMessageString` has words for it.
    case failed(OSStatus)

    /// What a status means; nil for success.
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
