public import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// Signs a message, or its digest, depending on the algorithm. Messages are hashed here.
///
/// Blocks while the owner is asked, if a Secure Enclave key's access control demands it. Returns nil, with a reason in `error`:
/// `errSecParam` for an algorithm that the key doesn't support (the text names it) and for a digest of the wrong length; for a Secure
/// Enclave key an `LAError` if the owner refused or couldn't be asked, and -3 in the domain `CryptoTokenKit` if the key can't be used any
/// more.
@discardableResult
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(error) { () throws(KeyFailure) in try key.signature(algorithm, dataToSign as Data).asData }
}

/// Whether the key made a signature. Messages are hashed here.
///
/// If false, there is a reason in `error`: `errSecVerifyFailed` if the key didn't make it, whatever is wrong with it; `errSecParam` for an
/// algorithm that the key doesn't support (the text names it) and for a digest of the wrong length.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    let isSignature: Bool? = unsafe reporting(error) { () throws(KeyFailure) in
        guard try key.isSignature([UInt8](signature as Data), of: signedData as Data, algorithm) else {
            throw .status(errSecVerifyFailed, nil)
        }
        return true
    }
    return isSignature ?? false
}

extension SecKey {
    func signature(_ algorithm: SecKeyAlgorithm, _ data: Data) throws(KeyFailure) -> [UInt8] {
        let meaning = try meaning(of: algorithm, for: .sign)
        if meaning == .statement { return try statementSignature(data) }
        guard case .signature(let input, let scheme, let isSideBySide) = meaning else {
            throw .parameter("\(algorithm.rawValue) makes no signatures")
        }
        let digest = try digest(of: data, input, scheme, algorithm)
        let made: [UInt8]
        switch holding {
        case .own(let own):
            made = try crypto("signing with \(algorithm.rawValue)") { try own.signature(digest: digest, scheme) }
        case .device(let held):
            let signature = try held.use(.sign(digest: digest, scheme))
            made = signature.plainBytes(in: 0..<signature.count)
        case .publicHalf: throw .parameter("a public key can't sign")
        }
        guard isSideBySide else { return made }
        guard case .elliptic(let curve) = kind, let signature = ECDSASignature.rfc4754(der: made, curve) else {
            throw KeyFailure(.internalFailure)
        }
        return signature
    }

    func isSignature(_ signature: [UInt8], of data: Data, _ algorithm: SecKeyAlgorithm) throws(KeyFailure) -> Bool {
        let meaning = try meaning(of: algorithm, for: .verify)
        if meaning == .statement { return try isStatementSignature(signature, data) }
        guard case .signature(let input, let scheme, let isSideBySide) = meaning else {
            throw .parameter("\(algorithm.rawValue) makes no signatures")
        }
        let digest = try digest(of: data, input, scheme, algorithm)
        var signature = signature
        if isSideBySide {
            guard case .elliptic(let curve) = kind, let der = ECDSASignature.der(rfc4754: signature, curve) else { return false }
            signature = der
        }
        return try crypto("verifying with \(algorithm.rawValue)") {
            try publicHalf.isSignature(signature, of: digest, scheme)
        }
    }

    /// What gets signed: the digest of a message, or the given digest if its length is right.
    private func digest(
        of data: Data, _ input: SignatureInput, _ scheme: SignatureScheme, _ algorithm: SecKeyAlgorithm
    ) throws(KeyFailure) -> [UInt8] {
        switch input {
        case .message(let hash):
            return try crypto("hashing for \(algorithm.rawValue)") {
                try unsafe data.withUnsafeBytes { try unsafe hash.hash($0) }
            }
        case .digest(let hash):
            guard data.count == hash.byteCount else {
                throw .parameter("\(algorithm.rawValue) takes a digest of \(hash.byteCount) bytes, not of \(data.count)")
            }
            return [UInt8](data)
        // If a digest is longer than the curve, only its leftmost bits count, so the rest needn't be sent.
        case .bytes where scheme == .ecdsa: return [UInt8](data.prefix(kind.blockBytes))
        case .bytes:
            guard data.count <= kind.blockBytes else {
                throw .parameter("\(algorithm.rawValue) takes at most \(kind.blockBytes) bytes, not \(data.count)")
            }
            return [UInt8](data)
        }
    }
}
