public import LocalAuthentication

/// Why an Enclave key did not do what it was asked to do.
public enum EnclaveKeyError: Error, Sendable, Hashable {
    /// The owner cancelled, or the app did by cancelling its task. Show no error.
    case cancelled
    /// The person who was asked isn't the owner, or the device in its present state can't meet the key's guard.
    case notAuthenticated
    /// The key can't be bound to the present fingers or faces, because the device can't tell which are enrolled; `remedy` mends that.
    case enrolmentUnknown
    /// The owner has to be asked, and that isn't possible or allowed now: no terminal, a locked session, or a context that may not ask.
    case cannotAsk
    /// There is a key of that name already.
    case alreadyExists
    /// The key isn't there any more.
    case notFound
    /// The key can't be used any more, because something that it was bound to, such as the enrolment, has changed. Make another one.
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
    /// Another failure, by its number; `SecCopyErrorMessageString` has a text for it.
    case failed(OSStatus)

    /// The command that mends it on this machine, or that says what does, for an app's own message; nil if none does.
    public var remedy: String? {
        switch self {
        case .enrolmentUnknown: UnknownEnrolment.remedy
        case .noEnclave: "thumbturn allow software-keys"
        default: nil
        }
    }

    /// Converts a status.
    init(_ status: OSStatus) {
        switch VaultError(status) {
        case .cancelled: self = .cancelled
        case .notAuthenticated: self = .notAuthenticated
        case .enrolmentUnknown: self = .enrolmentUnknown
        case .cannotAsk: self = .cannotAsk
        case .notPermitted: self = .notPermitted
        case .unavailable: self = .unavailable
        case .tooLarge: self = .tooLarge
        case .unreadable, .failed, nil: self = status == errSecItemNotFound ? .notFound : .failed(status)
        }
    }

    /// Converts the error of a key's call. Its number is from one of three domains.
    init(_ error: CFError?) {
        guard let error else {
            self = .failed(errSecInternalComponent)
            return
        }
        let code = CFErrorGetCode(error)
        switch CFErrorGetDomain(error) as String {
        case LAErrorDomain: self.init(owner: code)
        // The key token's own number: the key doesn't open any more, or doesn't exist.
        case "CryptoTokenKit" where code == -3: self = .unusable
        case "CryptoTokenKit" where code == -6: self = .notFound
        default: self.init(OSStatus(truncatingIfNeeded: code))
        }
    }

    /// Converts the result of asking the owner.
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
