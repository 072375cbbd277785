/// Why an item wasn't released, or not changed: for a reason of the keychain's, or because of how asking the owner ended.
public enum ReleaseFailure: Error, Sendable, Hashable {
    case keychain(KeychainFailure)
    /// The owner had to be asked, and that ended with this failure.
    case owner(EvaluationFailure)

    /// The same failure as one of the keychain's, which has no words for most of the ways in which asking can end.
    public var keychainFailure: KeychainFailure {
        switch self {
        case .keychain(let failure): failure
        case .owner(let failure): failure.keychainFailure
        }
    }
}
