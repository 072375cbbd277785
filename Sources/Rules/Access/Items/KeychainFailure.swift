/// Why a keychain call did not succeed: the closed list that every layer switches over. `SecurityAPI` alone knows Apple's numbers.
public enum KeychainFailure: UInt8, Error, Sendable, Hashable, CaseIterable {
    case duplicateItem = 1
    case itemNotFound
    case parameter
    case noSuchAttribute
    case noSuchClass
    case authenticationFailed
    case interactionNotAllowed
    case userCanceled
    case missingEntitlement
    case unsupported
    /// The store can't be written just now: the disk is full or failed.
    case storeUnavailable
    case readOnly
    case dataTooLarge
    /// The item's sealed form doesn't open. It is damaged, and left for repair.
    case damaged
    /// The daemon can't be reached, or went away before it answered.
    case deviceUnreachable
    case internalFailure
    case outOfMemory
    /// Nothing here can hold such a key: there is no TPM, and software isn't allowed instead.
    case custodianAbsent
    /// The TPM went away during a command; the key is still what it was.
    case custodianLost
    /// The TPM refuses for a while, after too many wrong passcodes.
    case custodianLocked
    /// The key was made by another TPM, and only that one can use it.
    case custodianForeign
    /// Two keys could not agree.
    case agreementFailed
    /// The user's store holds as much as it may.
    case quotaReached
}

extension EvaluationFailure {
    /// The failure of a keychain call whose evaluation ended like this. Only three endings have a status of their own.
    public var keychainFailure: KeychainFailure {
        switch self {
        case .userCancel: .userCanceled
        case .notInteractive: .interactionNotAllowed
        case .invalidParameter: .parameter
        case .authenticationFailed, .userFallback, .systemCancel, .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled,
            .biometryLockout, .appCancel, .invalidContext, .companionNotAvailable, .deviceFailure, .biometryDisconnected:
            .authenticationFailed
        }
    }
}
