internal import ThumbAccess
internal import ThumbCrypto
internal import ThumbSecrets

extension KeychainFailure {
    /// What a custodian answers for an error of what it works with.
    init(custody error: any Error) {
        switch error {
        case let error as TPMError: self = error.failure
        case let error as CryptoError: self = Self.failure(error.code)
        case is SecretError: self = .outOfMemory
        case let error as KeychainFailure: self = error
        default: self = .internalFailure
        }
    }

    private static func failure(_ code: CryptoError.Code) -> KeychainFailure {
        switch code {
        case .authenticationFailed, .invalidKey, .invalidInput, .limit: .parameter
        case .unsupported: .unsupported
        case .agreementFailed: .agreementFailed
        case .randomRefused, .library: .internalFailure
        }
    }
}
