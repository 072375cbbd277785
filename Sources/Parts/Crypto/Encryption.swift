import CThumbOpenSSL
public import ThumbAccess
public import ThumbSecrets

extension PublicKey {
    /// Encrypts to this key.
    ///
    /// Fails with `unsupported` for a scheme of other keys, `invalidInput` for more than `kind.longestPlaintext` or a bare block
    /// that isn't smaller than the modulus, `limit` beyond AESGCM's limits, `randomRefused`, `library` if libcrypto does, and
    /// if no secret memory is left.
    public func encrypt(_ plaintext: SecretBytes, _ scheme: EncryptionScheme) throws -> [UInt8] {
        guard kind.supports(scheme) else { throw CryptoError(.unsupported, "an encryption scheme") }
        if let longest = kind.longestPlaintext(scheme), plaintext.count > longest {
            throw CryptoError(.invalidInput, "the length of a plaintext")
        }
        switch scheme {
        // A bare power hides nothing that can be guessed, so its input counts as public.
        case .rsaRaw: return try power(plaintext.plainBytes(in: 0..<plaintext.count))
        case .rsaPKCS1, .rsaOAEP: return try wrap(plaintext, scheme)
        case .rsaOAEPGCM(let hash):
            let key = try SecretBytes.random(count: kind.sessionKeyBytes)
            return try wrap(key, .rsaOAEP(hash))
                + AESGCM.seal(plaintext, key: key, nonce: AESGCM.zeroNonce, associatedData: external)
        case .ecies: return try ECIES.seal(plaintext, to: self, scheme)
        }
    }

    /// Encrypts with a padding of libcrypto's.
    private func wrap(_ plaintext: SecretBytes, _ scheme: EncryptionScheme) throws -> [UInt8] {
        try unsafe withKey { key in
            try unsafe key.withOperation { operation in
                try unsafe OpenSSL.check(EVP_PKEY_encrypt_init(operation), "starting an encryption")
                try unsafe scheme.prepare(operation)
                return try unsafe plaintext.withUnsafeBytes { bytes in
                    // An empty secret has no address, and libcrypto would take that for a question about the length.
                    var nothing: UInt8 = 0
                    return try unsafe withUnsafePointer(to: &nothing) { nothing in
                        let input = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nothing
                        return try unsafe [UInt8](unsafeUninitializedCapacity: kind.blockBytes) { output, count in
                            var length = kind.blockBytes
                            try unsafe OpenSSL.check(
                                EVP_PKEY_encrypt(operation, output.baseAddress, &length, input, bytes.count), "encrypting")
                            count = length
                        }
                    }
                }
            }
        }
    }
}

extension PrivateKey {
    /// Decrypts what was encrypted to the public half.
    ///
    /// Fails with `unsupported` for a scheme of other keys. Anything else that is wrong with the ciphertext gives `authenticationFailed`,
    /// so that the error doesn't tell what it was. Fails with `library` if libcrypto can't start, and if no secret memory is left.
    /// Bare blocks and PKCS#1 v1.5 authenticate nothing: with the latter, don't let a stranger see whether it failed.
    public func decrypt(_ ciphertext: [UInt8], _ scheme: EncryptionScheme) throws -> SecretBytes {
        guard kind.supports(scheme) else { throw CryptoError(.unsupported, "an encryption scheme") }
        switch scheme {
        case .rsaRaw:
            guard ciphertext.count <= kind.blockBytes else { throw CryptoError(.authenticationFailed, "decrypting") }
            return try unwrap([UInt8](repeating: 0, count: kind.blockBytes - ciphertext.count) + ciphertext, scheme)
        case .rsaPKCS1, .rsaOAEP: return try unwrap(ciphertext, scheme)
        case .rsaOAEPGCM(let hash):
            let key = try unwrap(Array(ciphertext.prefix(kind.blockBytes)), .rsaOAEP(hash))
            guard key.count == kind.sessionKeyBytes else { throw CryptoError(.authenticationFailed, "decrypting") }
            return try AESGCM.open(
                Array(ciphertext.dropFirst(kind.blockBytes)), key: key, nonce: AESGCM.zeroNonce,
                associatedData: publicKey.external)
        case .ecies:
            return try ECIES.open(ciphertext, scheme, publicKey) { try agree(with: $0, .raw) }
        }
    }

    /// Decrypts one block with a padding of libcrypto's.
    private func unwrap(_ block: [UInt8], _ scheme: EncryptionScheme) throws -> SecretBytes {
        try unsafe withKey { key in
            try unsafe key.withOperation { operation in
                try unsafe OpenSSL.check(EVP_PKEY_decrypt_init(operation), "starting a decryption")
                try unsafe scheme.prepare(operation)
                return try unsafe SecretBytes(filling: kind.blockBytes) { output in
                    var length = output.count
                    let status = unsafe EVP_PKEY_decrypt(
                        operation, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &length, block, block.count)
                    guard block.count == kind.blockBytes, status == 1 else {
                        throw OpenSSL.refusal(.authenticationFailed, "decrypting")
                    }
                    return length
                }
            }
        }
    }
}

extension EncryptionScheme {
    /// Tells libcrypto's operation what it is about.
    @unsafe fileprivate func prepare(_ operation: OpaquePointer) throws(CryptoError) {
        switch self {
        case .rsaRaw:
            try unsafe OpenSSL.check(EVP_PKEY_CTX_set_rsa_padding(operation, RSA_NO_PADDING), "setting a padding")
        case .rsaPKCS1:
            try unsafe OpenSSL.check(EVP_PKEY_CTX_set_rsa_padding(operation, RSA_PKCS1_PADDING), "setting a padding")
        case .rsaOAEP(let hash), .rsaOAEPGCM(let hash):
            try unsafe OpenSSL.check(EVP_PKEY_CTX_set_rsa_padding(operation, RSA_PKCS1_OAEP_PADDING), "setting a padding")
            try unsafe OpenSSL.check(EVP_PKEY_CTX_set_rsa_oaep_md(operation, hash.fetched()), "setting a label's hash")
            try unsafe OpenSSL.check(EVP_PKEY_CTX_set_rsa_mgf1_md(operation, hash.fetched()), "setting a mask's hash")
        case .ecies: break
        }
    }
}

extension AESGCM {
    /// Apple's nonce where the key is used once: sixteen zeros, not twelve.
    internal static let zeroNonce = [UInt8](repeating: 0, count: 16)
}
