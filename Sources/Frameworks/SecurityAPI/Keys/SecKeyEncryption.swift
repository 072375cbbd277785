public import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// Encrypts to a public key.
///
/// Returns nil, with `errSecParam` in `error`, for an algorithm that the key doesn't support (the text names it) and for more data than
/// that takes, with `errSecDataTooLarge` beyond 4 MiB, and with `errSecAllocate` if no locked memory is left.
@discardableResult
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(error) { () throws(KeyFailure) in try key.encrypt(plaintext as Data, algorithm).asData }
}

/// Decrypts with a private key.
///
/// Blocks while the owner is asked, if a Secure Enclave key's access control demands it. Returns nil, with `errSecParam` in `error`, for an algorithm
/// that the key doesn't support (the text names it) and for anything wrong with the ciphertext, and otherwise as `SecKeyCreateSignature`
/// does. The plaintext is ordinary `Data`, in memory that nobody clears.
@discardableResult
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(error) { () throws(KeyFailure) in
        try key.decrypt([UInt8](ciphertext as Data), algorithm).copiedForApp
    }
}

extension SecKey {
    func encrypt(_ plaintext: Data, _ algorithm: SecKeyAlgorithm) throws(KeyFailure) -> [UInt8] {
        guard case .encryption(let scheme) = try meaning(of: algorithm, for: .encrypt) else {
            throw .parameter("\(algorithm.rawValue) doesn't encrypt")
        }
        try checkSize(plaintext.count)
        return try crypto("encrypting \(plaintext.count) bytes with \(algorithm.rawValue)") {
            let secret = try unsafe plaintext.withUnsafeBytes { try unsafe SecretBytes(copying: $0) }
            return try publicHalf.encrypt(secret, scheme)
        }
    }

    func decrypt(_ ciphertext: [UInt8], _ algorithm: SecKeyAlgorithm) throws(KeyFailure) -> SecretBytes {
        guard case .encryption(let scheme) = try meaning(of: algorithm, for: .decrypt) else {
            throw .parameter("\(algorithm.rawValue) doesn't decrypt")
        }
        try checkSize(ciphertext.count)
        let text = "decrypting with \(algorithm.rawValue)"
        switch (holding, scheme) {
        case (.own(let own), _):
            return try crypto(text) { () throws in
                do {
                    return try own.decrypt(ciphertext, scheme)
                } catch let error as CryptoError where error.code == .agreementFailed {
                    // Whatever is wrong with a ciphertext, the error is the same.
                    throw KeyFailure.parameter(text)
                }
            }
        case (.device(let held), .ecies):
            // The device does its part of the agreement. The rest is done here, for any length that is allowed.
            return try crypto(text) {
                try ECIES.open(ciphertext, scheme, publicHalf) { try held.use(.agree(peer: $0.external, .raw)) }
            }
        case (.device(let held), _): return try held.use(.decrypt(ciphertext, scheme))
        case (.publicHalf, _): return try crypto(text) { try powered(ciphertext, scheme) }
        }
    }

    /// What Apple's public RSA key does when it is asked to decrypt: computes the same power and removes the padding.
    private func powered(_ block: [UInt8], _ scheme: EncryptionScheme) throws -> SecretBytes {
        let result = try publicHalf.power(block)
        if scheme == .rsaRaw { return try SecretBytes(copying: result) }
        guard result.prefix(2) == [0, 2], let end = result.dropFirst(2).firstIndex(of: 0), end >= 10 else {
            throw KeyFailure.parameter("the block isn't padded as PKCS#1 v1.5 says")
        }
        return try SecretBytes(copying: result[(end + 1)...])
    }

    /// The data is in locked memory while it is encrypted, and there isn't enough of that for any length.
    private func checkSize(_ count: Int) throws(KeyFailure) {
        guard count <= SecretArena.maximumSecret else { throw KeyFailure(.dataTooLarge) }
    }
}
