import CThumbOpenSSL
public import ThumbSecrets

/// A Secret Service session's key: AES-128 in cipher block chaining, padded as PKCS #7 says. It authenticates nothing.
public struct TransferKey: Sendable {
    /// How many bytes the key has.
    public static let byteCount = 16
    /// How many bytes an initialization vector has, and a block.
    public static let vectorBytes = 16
    /// The longest secret: twice the keychain's own limit, and half of what secret memory gives to one.
    public static let longest = 2 << 20

    private let key: SecretBytes

    internal init(_ key: SecretBytes) { self.key = key }

    /// Encrypts a secret under a vector that is drawn for it.
    ///
    /// Fails with `limit` beyond `longest`, with `randomRefused`, and with `library` if libcrypto does.
    public func seal(_ secret: SecretBytes) throws -> (vector: [UInt8], ciphertext: [UInt8]) {
        let vector = try Random.bytes(count: Self.vectorBytes)
        return (vector, try seal(secret, vector: vector))
    }

    internal func seal(_ secret: SecretBytes, vector: [UInt8]) throws -> [UInt8] {
        guard secret.count <= Self.longest else { throw CryptoError(.limit, "the length of a secret") }
        let context = try unsafe start(vector, isSealing: true)
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let size = (secret.count / Self.vectorBytes + 1) * Self.vectorBytes
        return try unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
            count = try unsafe secret.withUnsafeBytes { input in
                try unsafe run(context, input, UnsafeMutableRawBufferPointer(output)) { status in
                    try OpenSSL.check(status, "sealing a secret")
                }
            }
        }
    }

    /// Decrypts a secret.
    ///
    /// Fails with `invalidInput` for a vector of another length, with `authenticationFailed` if the ciphertext or its padding isn't one of
    /// this key's, with `limit` beyond `longest`, with `library` if libcrypto does, and if no secret memory is left.
    public func open(_ ciphertext: SecretBytes, vector: [UInt8]) throws -> SecretBytes {
        guard vector.count == Self.vectorBytes else { throw CryptoError(.invalidInput, "the length of a vector") }
        guard ciphertext.count <= Self.longest + Self.vectorBytes else { throw CryptoError(.limit, "the length of a ciphertext") }
        guard !ciphertext.isEmpty, ciphertext.count % Self.vectorBytes == 0 else {
            throw CryptoError(.authenticationFailed, "opening a part of a block")
        }
        let context = try unsafe start(vector, isSealing: false)
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        return try unsafe SecretBytes(filling: ciphertext.count) { output in
            try unsafe ciphertext.withUnsafeBytes { input in
                try unsafe run(context, input, output) { status in
                    if status != 1 { throw OpenSSL.refusal(.authenticationFailed, "opening a secret") }
                }
            }
        }
    }

    @unsafe private func start(_ vector: [UInt8], isSealing: Bool) throws -> OpaquePointer {
        let cipher = unsafe try OpenSSL.shared().aes128CBC
        let context = try unsafe OpenSSL.require(EVP_CIPHER_CTX_new(), "making a cipher's context")
        let status = unsafe key.withUnsafeBytes {
            unsafe EVP_CipherInit_ex2(
                context, cipher, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), vector, isSealing ? 1 : 0, nil)
        }
        guard status == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw OpenSSL.failure("setting a cipher's key")
        }
        return unsafe context
    }

    /// Runs the cipher over all of the input; returns how many bytes it wrote. `finish` says what the last step's status means.
    @unsafe private func run(
        _ context: OpaquePointer, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer,
        finish: (_ status: Int32) throws -> Void
    ) throws -> Int {
        guard let start = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
        var (body, rest): (Int32, Int32) = (0, 0)
        if let base = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self) {
            try unsafe OpenSSL.check(EVP_CipherUpdate(context, start, &body, base, Int32(input.count)), "running a cipher")
        }
        try finish(unsafe EVP_CipherFinal_ex(context, start + Int(body), &rest))
        return Int(body + rest)
    }
}
