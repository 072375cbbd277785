import CThumbOpenSSL

/// Ed25519 (RFC 8032), for checking others' signatures: most SSH servers use it.
public enum Ed25519 {
    /// How many bytes a public key has.
    public static let keyBytes = 32

    /// Whether `signature` is that of `key` over `message`.
    ///
    /// A signature of the wrong form is false. Fails with `invalidKey` for a key of another length, and with `library` if libcrypto can't
    /// start.
    public static func isSignature(_ signature: [UInt8], of message: [UInt8], key: [UInt8]) throws -> Bool {
        guard key.count == keyBytes else { throw CryptoError(.invalidKey, "the length of an Ed25519 key") }
        let library = try OpenSSL.shared()
        let made = try unsafe OpenSSL.require(
            EVP_PKEY_new_raw_public_key_ex(library.context, "ED25519", nil, key, key.count), "reading an Ed25519 key")
        defer { unsafe EVP_PKEY_free(made) }
        let verification = try unsafe OpenSSL.require(EVP_MD_CTX_new(), "making a verification")
        defer { unsafe EVP_MD_CTX_free(verification) }
        try unsafe OpenSSL.check(
            EVP_DigestVerifyInit_ex(verification, nil, nil, library.context, nil, made, nil), "starting a verification")
        let status = unsafe EVP_DigestVerify(verification, signature, signature.count, message, message.count)
        return try status == 1 || OpenSSL.no("verifying an Ed25519 signature")
    }
}
