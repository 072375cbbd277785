import CThumbOpenSSL
import ThumbAccess
import ThumbSecrets

/// A parsed public key on P-256. Parsing takes nearly half of a verification's time, so keep one if you verify more than one of its
/// signatures.
///
/// It can be used from several threads at once.
@safe public final class VerifyingKey: @unchecked Sendable {
    /// The key as a DER SubjectPublicKeyInfo.
    public let spki: [UInt8]

    // Constant after init; libcrypto only reads a key that it verifies with, and counts its owners atomically.
    private let key: EVPKey
    // A context that nobody is using, because making one takes a twentieth of a verification's time. Touched only under the lock.
    private var spare: OpaquePointer?
    private let lock = Lock()

    /// Fails with `unsupported` for a key that isn't on P-256, and with `library` if libcrypto does.
    public init(_ key: PublicKey) throws {
        guard key.kind == .elliptic(.p256) else { throw CryptoError(.unsupported, "a verifying key") }
        spki = key.spki
        unsafe self.key = try unsafe key.makeKey()
    }

    deinit { unsafe EVP_PKEY_CTX_free(spare) }

    /// Whether `signature`, in DER, is this key's over a SHA-256.
    ///
    /// A signature of the wrong form is false. Fails with `invalidInput` for a digest of another length, and with `library` if
    /// libcrypto does.
    public func isSignature(_ signature: [UInt8], ofSHA256 digest: [UInt8]) throws -> Bool {
        guard digest.count == HashFunction.sha256.byteCount else { throw CryptoError(.invalidInput, "the length of a digest") }
        let operation = try unsafe swapSpare(for: nil) ?? makeOperation()
        let status = unsafe EVP_PKEY_verify(operation, signature, signature.count, digest, digest.count)
        unsafe EVP_PKEY_CTX_free(swapSpare(for: operation))
        return try status == 1 || OpenSSL.no("verifying a signature")
    }

    /// Replaces the spare operation by another, or by none, and returns the old one.
    private func swapSpare(for operation: OpaquePointer?) -> OpaquePointer? {
        var other = unsafe operation
        lock.withLock { unsafe swap(&other, &spare) }
        return unsafe other
    }

    private func makeOperation() throws -> OpaquePointer {
        let operation = try unsafe key.makeOperation()
        guard unsafe EVP_PKEY_verify_init(operation) == 1 else {
            unsafe EVP_PKEY_CTX_free(operation)
            throw OpenSSL.failure("starting a verification")
        }
        return unsafe operation
    }
}
