import CThumbOpenSSL
import ThumbAccess

/// A public key on P-256 that stays parsed: for who verifies more than one signature of it, because parsing a key costs nearly
/// half of what a verification does.
///
/// Good for several threads at once.
@safe public final class VerifyingKey: @unchecked Sendable {
    // Constant after init; libcrypto only reads a key that it verifies with, and counts its owners atomically.
    private let key: EVPKey

    /// Fails with `unsupported` for a key that isn't on P-256, and with `library` where libcrypto does.
    public init(_ key: PublicKey) throws {
        guard key.kind == .elliptic(.p256) else { throw CryptoError(.unsupported, "a verifying key") }
        unsafe self.key = try unsafe key.makeKey()
    }

    /// Whether `signature`, in DER, is this key's over a SHA-256.
    ///
    /// A signature that isn't one, or hasn't its form, is false. Fails with `invalidInput` for a digest of another length, and with
    /// `library` where libcrypto does.
    public func isSignature(_ signature: [UInt8], ofSHA256 digest: [UInt8]) throws -> Bool {
        guard digest.count == HashFunction.sha256.byteCount else { throw CryptoError(.invalidInput, "the length of a digest") }
        return try unsafe key.withOperation { operation in
            try unsafe OpenSSL.check(EVP_PKEY_verify_init(operation), "starting a verification")
            let status = unsafe EVP_PKEY_verify(operation, signature, signature.count, digest, digest.count)
            // A no may leave its reasons in the thread's queue.
            if status != 1 { ERR_clear_error() }
            return status == 1
        }
    }
}
