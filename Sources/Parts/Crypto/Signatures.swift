import CThumbOpenSSL
public import ThumbAccess

extension PublicKey {
    /// Whether `signature` is this key's over `digest`.
    ///
    /// A signature of the wrong form is false. Fails with `unsupported` for a scheme of other keys, with `invalidInput` for a
    /// digest that isn't as long as the hash or is longer than the block, and with `library` if libcrypto can't start.
    public func isSignature(_ signature: [UInt8], of digest: [UInt8], _ scheme: SignatureScheme) throws -> Bool {
        let input = try scheme.input(digest, kind)
        switch scheme {
        case .rsaPKCS1Raw, .rsaRaw:
            // The power of the signature must be exactly the block that was signed.
            guard signature.count == kind.blockBytes, isBelowModulus(signature) else { return false }
            return try power(signature) == input
        case .ecdsa, .rsaPKCS1, .rsaPSS:
            return try unsafe withKey { key in
                try unsafe key.withOperation { operation in
                    try unsafe OpenSSL.check(EVP_PKEY_verify_init(operation), "starting a verification")
                    try unsafe scheme.prepare(operation)
                    let status = unsafe EVP_PKEY_verify(operation, signature, signature.count, input, input.count)
                    return try status == 1 || OpenSSL.no("verifying a signature")
                }
            }
        }
    }

    /// The bare RSA power of a block; shorter input is padded with zeros on the left.
    ///
    /// Fails with `unsupported` for an elliptic key, with `invalidInput` for a block that is longer or not smaller than the
    /// modulus, and with `library` if libcrypto does.
    public func power(_ block: [UInt8]) throws -> [UInt8] {
        let input = try SignatureScheme.rsaRaw.input(block, kind)
        guard isBelowModulus(input) else { throw CryptoError(.invalidInput, "a block above the modulus") }
        return try unsafe withKey { key in
            try unsafe key.withOperation { operation in
                try unsafe OpenSSL.check(EVP_PKEY_encrypt_init(operation), "starting a power")
                try unsafe OpenSSL.check(EVP_PKEY_CTX_set_rsa_padding(operation, RSA_NO_PADDING), "setting a padding")
                return try unsafe [UInt8](unsafeUninitializedCapacity: kind.blockBytes) { output, count in
                    var length = kind.blockBytes
                    try unsafe OpenSSL.check(
                        EVP_PKEY_encrypt(operation, output.baseAddress, &length, input, input.count), "taking a power")
                    count = length
                }
            }
        }
    }

    /// Whether a block as long as the modulus is a number below it; false for an elliptic key.
    internal func isBelowModulus(_ block: [UInt8]) -> Bool {
        RSAPublicForm(external)?.isAbove(block, in: external) ?? false
    }
}

extension PrivateKey {
    /// Signs a digest.
    ///
    /// Fails with `unsupported` for a scheme of other keys, with `invalidInput` for a digest that isn't as long as the hash or
    /// is longer than the block, and with `library` if libcrypto does.
    public func signature(digest: [UInt8], _ scheme: SignatureScheme) throws -> [UInt8] {
        let input = try scheme.input(digest, kind)
        if case .rsaRaw = scheme, !publicKey.isBelowModulus(input) {
            throw CryptoError(.invalidInput, "a block above the modulus")
        }
        return try unsafe withKey { key in
            try unsafe key.withOperation { operation in
                try unsafe OpenSSL.check(EVP_PKEY_sign_init(operation), "starting a signature")
                try unsafe scheme.prepare(operation)
                // The longest DER form has two integers with a sign byte and a head each, and a head of three bytes.
                let room = scheme == .ecdsa ? 2 * kind.blockBytes + 9 : kind.blockBytes
                return try unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
                    var length = room
                    try unsafe OpenSSL.check(
                        EVP_PKEY_sign(operation, output.baseAddress, &length, input, input.count), "signing")
                    count = length
                }
            }
        }
    }
}

extension SignatureScheme {
    /// libcrypto's input for `digest`: for the raw schemes the whole block.
    fileprivate func input(_ digest: [UInt8], _ kind: KeyKind) throws(CryptoError) -> [UInt8] {
        guard kind.supports(self) else { throw CryptoError(.unsupported, "a signature scheme") }
        let size = kind.blockBytes
        switch self {
        // libcrypto takes the leftmost bits itself, but counts them in 32 bits. Bits that can't count are left out here.
        case .ecdsa: return Array(digest.prefix(size))
        case .rsaPKCS1(let hash), .rsaPSS(let hash):
            guard digest.count == hash.byteCount else { throw CryptoError(.invalidInput, "the length of a digest") }
            return digest
        case .rsaPKCS1Raw:
            guard digest.count <= size - 11 else { throw CryptoError(.invalidInput, "the length of a block's content") }
            return [0, 1] + [UInt8](repeating: 0xFF, count: size - digest.count - 3) + [0] + digest
        case .rsaRaw:
            guard digest.count <= size else { throw CryptoError(.invalidInput, "the length of a block") }
            return [UInt8](repeating: 0, count: size - digest.count) + digest
        }
    }

    /// Tells libcrypto's operation what it is about.
    @unsafe fileprivate func prepare(_ operation: OpaquePointer) throws(CryptoError) {
        func set(_ padding: Int32, _ hash: HashFunction? = nil) throws(CryptoError) {
            try unsafe OpenSSL.check(EVP_PKEY_CTX_set_rsa_padding(operation, padding), "setting a padding")
            guard let hash else { return }
            try unsafe OpenSSL.check(EVP_PKEY_CTX_set_signature_md(operation, hash.fetched()), "setting a signature's hash")
        }
        switch self {
        case .ecdsa: break
        case .rsaPKCS1(let hash): try set(RSA_PKCS1_PADDING, hash)
        case .rsaPKCS1Raw, .rsaRaw: try set(RSA_NO_PADDING)
        case .rsaPSS(let hash):
            try set(RSA_PKCS1_PSS_PADDING, hash)
            try unsafe OpenSSL.check(EVP_PKEY_CTX_set_rsa_mgf1_md(operation, hash.fetched()), "setting a mask's hash")
            try unsafe OpenSSL.check(
                EVP_PKEY_CTX_set_rsa_pss_saltlen(operation, RSA_PSS_SALTLEN_DIGEST), "setting a salt's length")
        }
    }
}
