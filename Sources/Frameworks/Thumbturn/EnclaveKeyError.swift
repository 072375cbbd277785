public import LocalAuthentication

/// Why an Enclave key did not do what it was asked.
public enum EnclaveKeyError: Error, Sendable, Hashable {
    /// The owner cancelled, or the app did by cancelling its task: show no error.
    case cancelled
    /// The person who was asked isn't the owner, or the device as it is can't meet the key's guard.
    case notAuthenticated
    /// The owner would have to be asked, and that isn't possible or allowed now: no terminal, a locked session, a context that
    /// may not ask.
    case cannotAsk
    /// There is a key of that name already.
    case alreadyExists
    /// The key isn't there any more.
    case notFound
    /// The key can't be used any more, because what it was bound to, such as the enrolment, has changed. Make another.
    case unusable
    /// Nothing here can hold such a key: there is no TPM, and the owner hasn't allowed software (`thumbturn allow software-keys`).
    case noEnclave
    /// The app may not use that access group.
    case notPermitted
    /// The keychain can't be reached or can't be written now.
    case unavailable
    /// The data is longer than one call takes.
    case tooLarge
    /// The data wasn't encrypted to this key, was changed since, or has the wrong length.
    case unreadable
    /// Something else, by its number; `SecCopyErrorMessageString` has words for it.
    case failed(OSStatus)

    /// What a status means.
    init(_ status: OSStatus) {
        switch VaultError(status) {
        case .cancelled: self = .cancelled
        case .notAuthenticated: self = .notAuthenticated
        case .cannotAsk: self = .cannotAsk
        case .notPermitted: self = .notPermitted
        case .unavailable: self = .unavailable
        case .tooLarge: self = .tooLarge
        case .unreadable, .failed, nil: self = status == errSecItemNotFound ? .notFound : .failed(status)
        }
    }

    /// The failure of a key's call. Its number is from one of three families.
    init(_ error: CFError?) {
        guard let error else {
            self = .failed(errSecInternalComponent)
            return
        }
        let code = CFErrorGetCode(error)
        switch CFErrorGetDomain(error) as String {
        case LAErrorDomain: self.init(owner: code)
        // The key token's own number: what is behind the key doesn't open any more, or doesn't exist.
        case "CryptoTokenKit" where code == -3: self = .unusable
        case "CryptoTokenKit" where code == -6: self = .notFound
        default: self.init(OSStatus(truncatingIfNeeded: code))
        }
    }

    /// How asking the owner ended.
    private init(owner code: Int) {
        switch LAError.Code(rawValue: code) {
        case .userCancel, .systemCancel, .appCancel: self = .cancelled
        case .notInteractive: self = .cannotAsk
        case nil: self = .failed(OSStatus(truncatingIfNeeded: code))
        default: self = .notAuthenticated
        }
    }
}

/// Makes a call that can return an error, and throws that error.
func keyCall<Value>(
    _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?
) throws(EnclaveKeyError) -> Value {
    var error: Unmanaged<CFError>?
    if let value = unsafe body(&error) { return value }
    throw EnclaveKeyError(unsafe error?.takeRetainedValue())
}
