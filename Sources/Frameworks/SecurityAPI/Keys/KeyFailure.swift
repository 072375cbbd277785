import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// Why a key's call fails, in the form that its caller gets.
enum KeyFailure: Error, Sendable {
    /// A status and, if its own text doesn't say enough, what it means here.
    case status(OSStatus, String?)
    /// The owner refused or wasn't there, and an Enclave key's answers are passed on unchanged.
    case owner(EvaluationFailure)
    case token(TokenFailure)

    /// The codes of Apple's key token; the numbers are Apple's.
    enum TokenFailure: Int, Sendable {
        /// The key can't be used any more.
        case corruptedData = -3
        case objectNotFound = -6
    }

    /// A mistake of the caller's, described in words.
    static func parameter(_ text: String) -> KeyFailure { .status(errSecParam, text) }

    init(_ failure: KeychainFailure) { self = .status(failure.status, failure.text) }

    /// How using an Enclave key ended: the owner's answer itself, rather than the keychain's failure for it.
    init(ofEnclave failure: KeyUseFailure) {
        switch failure {
        case .owner(let failure): self = .owner(failure)
        case .keychain(.damaged): self = .token(.corruptedData)
        case .keychain(.itemNotFound): self = .token(.objectNotFound)
        case .keychain(let failure): self.init(failure)
        }
    }

    /// A failure of Crypto's, with a description of what was being done.
    init(_ error: any Error, _ text: String) {
        switch error {
        case let failure as KeyFailure: self = failure
        case let error as CryptoError where error.code == .agreementFailed:
            self = .status(KeychainFailure.agreementFailed.status, text)
        case let error as CryptoError where error.code.isCallers: self = .parameter(text)
        case let error as CryptoError where error.code == .outOfMemory: self = .status(errSecAllocate, nil)
        case is SecretError: self = .status(errSecAllocate, nil)
        default: self.init(.internalFailure)
        }
    }

    /// The bare number. The older calls return it whatever its domain is.
    var status: OSStatus {
        switch self {
        case .status(let status, _): status
        case .owner(let failure): OSStatus(failure.errorNumber)
        case .token(let failure): OSStatus(failure.rawValue)
        }
    }

    /// The failure as an error object.
    var errorObject: CFError {
        switch self {
        case .status(let status, let text): statusError(status, text)
        case .owner(let failure): failure.errorObject
        case .token(.corruptedData): tokenError(-3, "This key can't be used any more: what it was bound to has changed.")
        case .token(.objectNotFound): tokenError(-6, "This key isn't there any more.")
        }
    }
}

/// Runs `body`, and turns a failure of Crypto's into a key's.
func crypto<Value>(_ text: String, _ body: () throws -> Value) throws(KeyFailure) -> Value {
    do {
        return try body()
    } catch {
        throw KeyFailure(error, text)
    }
}

/// Runs `body`, and turns a failure of the keychain's into a key's.
func keychain<Value>(_ body: () throws(KeychainFailure) -> Value) throws(KeyFailure) -> Value {
    do throws(KeychainFailure) {
        return try body()
    } catch {
        throw KeyFailure(error)
    }
}

/// Runs a call. If it fails the caller gets nil, and the reason if there is a pointer for it.
func reporting<Value>(
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ body: () throws(KeyFailure) -> Value
) -> Value? {
    do throws(KeyFailure) {
        return try body()
    } catch let failure {
        if let error = unsafe error { unsafe error.pointee = Unmanaged.passRetained(failure.errorObject) }
        return nil
    }
}
