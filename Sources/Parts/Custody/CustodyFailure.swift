import ThumbAccess
import ThumbCrypto
import ThumbSecrets

extension KeychainFailure {
    /// The failure that a custodian reports for an error of libcrypto, the TPM or secret memory.
    init(custody error: any Error) {
        switch error {
        case let error as TPMError: self = error.failure
        case let error as CryptoError: self = Self.failure(error.code)
        case let error as SecretError: self = Self.failure(error.code)
        case let error as KeychainFailure: self = error
        default: self = .internalFailure
        }
    }

    private static func failure(_ code: CryptoError.Code) -> KeychainFailure {
        switch code {
        case .authenticationFailed, .invalidKey, .invalidInput, .limit: .parameter
        case .unsupported: .unsupported
        case .agreementFailed: .agreementFailed
        case .outOfMemory: .outOfMemory
        case .randomRefused, .library: .internalFailure
        }
    }

    private static func failure(_ code: SecretError.Code) -> KeychainFailure {
        switch code {
        case .arenaFull, .lockRefused, .mappingRefused: .outOfMemory
        case .tooLarge, .randomRefused, .overfilled, .outOfBounds: .internalFailure
        }
    }
}
