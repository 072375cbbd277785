import CThumbOpenSSL
public import ThumbSecrets

/// AES in Galois/counter mode; the caller chooses the nonce.
///
/// A nonce mustn't be used twice under one key. If nothing else dictates it, `SealedBox` takes care of that. The key's length, 16, 24 or 32
/// bytes, chooses the cipher.
public enum AESGCM {
    /// How many bytes the tag at the end of a sealed message has.
    public static let tagSize = 16

    /// The longest nonce that libcrypto has room for. Lengths other than 12 exist for ECIES, which uses 16.
    public static let maximumNonce = 128

    /// The longest message and the longest associated data: well above any item, well below libcrypto's 2 GiB.
    public static let maximumMessage = 16 * 1024 * 1024

    /// Encrypts a secret; the result is the ciphertext with the tag after it.
    ///
    /// Fails with `invalidKey` for a key of another length, `invalidInput` for an empty nonce, `limit` beyond the named
    /// limits, and `library` if libcrypto does.
    public static func seal(
        _ plaintext: SecretBytes, key: SecretBytes, nonce: [UInt8], associatedData: [UInt8] = []
    ) throws -> [UInt8] {
        try unsafe plaintext.withUnsafeBytes { bytes in
            try unsafe nonce.withUnsafeBytes { nonce in
                try unsafe seal(bytes, key: key, nonce: nonce, prefix: [], associatedData: associatedData)
            }
        }
    }

    /// Encrypts public bytes; fails as the sealing of a secret does.
    public static func seal(
        _ plaintext: [UInt8], key: SecretBytes, nonce: [UInt8], associatedData: [UInt8] = []
    ) throws -> [UInt8] {
        try unsafe plaintext.withUnsafeBytes { bytes in
            try unsafe nonce.withUnsafeBytes { nonce in
                try unsafe seal(bytes, key: key, nonce: nonce, prefix: [], associatedData: associatedData)
            }
        }
    }

    /// Decrypts what `seal` made; the plaintext exists only if the tag is right.
    ///
    /// Fails with `authenticationFailed` if message, key, nonce or associated data isn't what was sealed, `invalidInput`
    /// for an empty nonce, `invalidKey`, `limit`, `outOfMemory` and `library` as sealing does, and if no secret memory is left.
    public static func open(
        _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], associatedData: [UInt8] = []
    ) throws -> SecretBytes {
        try unsafe sealed.withUnsafeBytes { sealed in
            try unsafe nonce.withUnsafeBytes { nonce in
                try unsafe open(sealed, key: key, nonce: nonce, associatedData: associatedData)
            }
        }
    }

    /// Encrypts `plaintext`; `prefix` stands before the ciphertext in the result, and isn't authenticated.
    @unsafe internal static func seal(
        _ plaintext: UnsafeRawBufferPointer, key: SecretBytes, nonce: UnsafeRawBufferPointer, prefix: [UInt8],
        associatedData: [UInt8]
    ) throws -> [UInt8] {
        guard plaintext.count <= maximumMessage else { throw CryptoError(.limit, "the length of a message to seal") }
        let context = try unsafe Cipher()
        try unsafe context.start(.seal, cipher(for: key), key: key, nonce: nonce, associatedData: associatedData)
        let size = prefix.count + plaintext.count + tagSize
        return try unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
            guard let base = output.baseAddress else { return }
            _ = unsafe output.update(fromContentsOf: prefix)
            let body = unsafe base + prefix.count
            try unsafe context.run(plaintext, into: body)
            try unsafe context.finish()
            try unsafe context.readTag(into: body + plaintext.count)
            count = size
        }
    }

    @unsafe internal static func open(
        _ sealed: UnsafeRawBufferPointer, key: SecretBytes, nonce: UnsafeRawBufferPointer, associatedData: [UInt8]
    ) throws -> SecretBytes {
        guard sealed.count >= tagSize else { throw CryptoError(.authenticationFailed, "opening less than a tag") }
        guard sealed.count - tagSize <= maximumMessage else { throw CryptoError(.limit, "the length of a sealed message") }
        let context = try unsafe Cipher()
        try unsafe context.start(.open, cipher(for: key), key: key, nonce: nonce, associatedData: associatedData)
        let ciphertext = unsafe UnsafeRawBufferPointer(rebasing: sealed[..<(sealed.count - tagSize)])
        let tag = unsafe UnsafeRawBufferPointer(rebasing: sealed[(sealed.count - tagSize)...])
        // If this throws, it zeroes what was decrypted before the tag turned out to be wrong.
        return try unsafe SecretBytes(count: ciphertext.count) { output in
            if let base = output.baseAddress {
                try unsafe context.run(ciphertext, into: base.assumingMemoryBound(to: UInt8.self))
            }
            try unsafe context.expectTag(tag)
            guard try unsafe context.isTagRight() else {
                throw CryptoError(.authenticationFailed, "opening a sealed message")
            }
        }
    }

    @unsafe private static func cipher(for key: SecretBytes) throws(CryptoError) -> OpaquePointer {
        let library = try OpenSSL.shared()
        return switch key.count {
        case 16: unsafe library.aes128GCM
        case 24: unsafe library.aes192GCM
        case 32: unsafe library.aes256GCM
        default: throw CryptoError(.invalidKey, "the length of an AES key")
        }
    }
}

/// One authenticated operation in libcrypto, by AES-GCM or ChaCha20-Poly1305; the key schedule in it is cleared when it goes.
///
/// Each message gets a context of its own. That is a small part of the cost, and no key stays behind in a pool.
@unsafe internal struct Cipher: ~Copyable {
    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    private let context: OpaquePointer

    init() throws(CryptoError) {
        unsafe context = try OpenSSL.require(EVP_CIPHER_CTX_new(), "making a cipher context")
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    func start(
        _ direction: Direction, _ algorithm: OpaquePointer, key: SecretBytes, nonce: UnsafeRawBufferPointer,
        associatedData: [UInt8]
    ) throws(CryptoError) {
        guard let nonceBase = nonce.baseAddress, nonce.count > 0 else { throw CryptoError(.invalidInput, "an empty nonce") }
        guard nonce.count <= AESGCM.maximumNonce else { throw CryptoError(.limit, "the length of a nonce") }
        guard associatedData.count <= AESGCM.maximumMessage else { throw CryptoError(.limit, "the length of associated data") }
        let iv = unsafe nonceBase.assumingMemoryBound(to: UInt8.self)
        if nonce.count != 12 {
            try unsafe OpenSSL.check(
                EVP_CipherInit_ex2(context, algorithm, nil, nil, direction.rawValue, nil), "choosing a cipher")
            try unsafe OpenSSL.check(
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil), "setting a nonce's length")
        }
        try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
            try unsafe OpenSSL.check(
                EVP_CipherInit_ex2(
                    context, nonce.count == 12 ? algorithm : nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), iv,
                    direction.rawValue, nil), "setting a cipher's key")
        }
        if !associatedData.isEmpty {
            var length: Int32 = 0
            try unsafe OpenSSL.check(
                EVP_CipherUpdate(context, nil, &length, associatedData, Int32(associatedData.count)), "adding associated data")
        }
    }

    /// Encrypts or decrypts all of `input` to `output`, which has room for as many bytes.
    func run(_ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) throws(CryptoError) {
        guard let base = input.baseAddress, input.count > 0 else { return }
        var length: Int32 = 0
        try unsafe OpenSSL.check(
            EVP_CipherUpdate(context, output, &length, base.assumingMemoryBound(to: UInt8.self), Int32(input.count)),
            "running a cipher")
    }

    /// Finishes a message that is being sealed: makes the tag.
    func finish() throws(CryptoError) {
        var nothing: UInt8 = 0
        var length: Int32 = 0
        try unsafe OpenSSL.check(EVP_CipherFinal_ex(context, &nothing, &length), "finishing a cipher")
    }

    /// Finishes a message that is being opened: whether its tag is the expected one. Fails if libcrypto couldn't tell. libcrypto queues
    /// a reason then; for a wrong tag it queues none.
    func isTagRight() throws(CryptoError) -> Bool {
        if ERR_peek_error() != 0 { ERR_clear_error() }
        var nothing: UInt8 = 0
        var length: Int32 = 0
        if unsafe EVP_CipherFinal_ex(context, &nothing, &length) == 1 { return true }
        guard ERR_peek_error() == 0 else { throw OpenSSL.failure("comparing a tag") }
        return false
    }

    func readTag(into output: UnsafeMutablePointer<UInt8>) throws(CryptoError) {
        try unsafe OpenSSL.check(
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagSize), output), "reading a tag")
    }

    func expectTag(_ tag: UnsafeRawBufferPointer) throws(CryptoError) {
        try unsafe OpenSSL.check(
            EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), UnsafeMutableRawPointer(mutating: tag.baseAddress)),
            "setting the expected tag")
    }
}
