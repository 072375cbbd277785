import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// Why a key's call fails, as its caller is told.
enum KeyFailure: Error, Sendable {
    /// A status, and what it means here where its own text doesn't say.
    case status(OSStatus, String?)
    /// The owner said no or wasn't there, and this is a key whose answers are passed on as they are.
    case owner(EvaluationFailure)
    case token(TokenFailure)

    /// The codes of Apple's key token; the numbers are Apple's.
    enum TokenFailure: Int, Sendable {
        /// The key can't be used any more.
        case corruptedData = -3
        case objectNotFound = -6
    }

    /// A mistake of the caller's, in words.
    static func parameter(_ text: String) -> KeyFailure { .status(errSecParam, text) }

    init(_ failure: KeychainFailure) { self = .status(failure.status, failure.text) }

    /// How the use of an Enclave key ended: the owner's answer as it is, not as the keychain would say it.
    init(ofEnclave failure: KeyUseFailure) {
        switch failure {
        case .owner(let failure): self = .owner(failure)
        case .keychain(.damaged): self = .token(.corruptedData)
        case .keychain(.itemNotFound): self = .token(.objectNotFound)
        case .keychain(let failure): self.init(failure)
        }
    }

    /// A failure of Crypto's, with what was being done in words.
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

    /// The bare number, as the older calls return it whatever its family.
    var status: OSStatus {
        switch self {
        case .status(let status, _): status
        case .owner(let failure): OSStatus(failure.errorNumber)
        case .token(let failure): OSStatus(failure.rawValue)
        }
    }

    /// The failure as an error object.
    var errorObject: CFError {
        func error(_ domain: String, _ code: Int, _ text: String) -> CFError {
            NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
        }
        return switch self {
        case .status(let status, let text):
            error(kCFErrorDomainOSStatus as String, Int(status), text ?? statusText(status) ?? "OSStatus \(status)")
        case .owner(let failure): failure.errorObject
        case .token(.corruptedData):
            error("CryptoTokenKit", -3, "This key can't be used any more: what it was bound to has changed.")
        case .token(.objectNotFound): error("CryptoTokenKit", -6, "This key isn't there any more.")
        }
    }
}

/// What Crypto fails with, as a caller is told it.
func crypto<Value>(_ text: String, _ body: () throws -> Value) throws(KeyFailure) -> Value {
    do {
        return try body()
    } catch {
        throw KeyFailure(error, text)
    }
}

/// What the keychain fails with, as a key's caller is told it.
func keychain<Value>(_ body: () throws(KeychainFailure) -> Value) throws(KeyFailure) -> Value {
    do throws(KeychainFailure) {
        return try body()
    } catch {
        throw KeyFailure(error)
    }
}

/// Runs a call. If it fails the caller gets nil, and the reason if there is room for it.
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
