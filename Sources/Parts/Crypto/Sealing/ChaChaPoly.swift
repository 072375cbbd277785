import CThumbOpenSSL
public import ThumbSecrets

/// ChaCha20-Poly1305 (RFC 8439), for formats of others that want it; the caller chooses the nonce.
///
/// A nonce mustn't be used twice under one key.
public enum ChaChaPoly {
    /// How many bytes a key has.
    public static let keySize = 32

    /// How many bytes a nonce has.
    public static let nonceSize = 12

    /// How many bytes the tag at the end of a sealed message has.
    public static let tagSize = 16

    /// Encrypts a secret; the result is the ciphertext with the tag after it.
    ///
    /// Fails with `invalidKey` and `invalidInput` for a key and a nonce of another length, `limit` beyond AESGCM's limits, and `library` if
    /// libcrypto does.
    public static func seal(
        _ plaintext: SecretBytes, key: SecretBytes, nonce: [UInt8], associatedData: [UInt8] = []
    ) throws -> [UInt8] {
        try check(key, nonce)
        guard plaintext.count <= AESGCM.maximumMessage else { throw CryptoError(.limit, "the length of a message to seal") }
        let size = plaintext.count + tagSize
        return try unsafe nonce.withUnsafeBytes { nonce in
            let context = try unsafe Cipher()
            try unsafe context.start(
                .seal, OpenSSL.shared().chaCha20Poly1305, key: key, nonce: nonce, associatedData: associatedData)
            return try unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
                guard let base = output.baseAddress else { return }
                try unsafe plaintext.withUnsafeBytes { try unsafe context.run($0, into: base) }
                try unsafe context.finish()
                try unsafe context.readTag(into: base + plaintext.count)
                count = size
            }
        }
    }

    /// Decrypts what `seal` made; the plaintext exists only if the tag is right.
    ///
    /// Fails with `authenticationFailed` if message, key, nonce or associated data isn't what was sealed, `invalidKey`, `invalidInput`,
    /// `limit` and `library` as sealing does, and if no secret memory is left.
    public static func open(
        _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], associatedData: [UInt8] = []
    ) throws -> SecretBytes {
        try check(key, nonce)
        guard sealed.count >= tagSize else { throw CryptoError(.authenticationFailed, "opening less than a tag") }
        let count = sealed.count - tagSize
        guard count <= AESGCM.maximumMessage else { throw CryptoError(.limit, "the length of a sealed message") }
        return try unsafe sealed.withUnsafeBytes { sealed in
            try unsafe nonce.withUnsafeBytes { nonce in
                let context = try unsafe Cipher()
                try unsafe context.start(
                    .open, OpenSSL.shared().chaCha20Poly1305, key: key, nonce: nonce, associatedData: associatedData)
                // If this throws, it zeroes what was decrypted before the tag turned out to be wrong.
                return try unsafe SecretBytes(count: count) { output in
                    if let base = output.baseAddress {
                        try unsafe context.run(
                            UnsafeRawBufferPointer(rebasing: sealed[..<count]),
                            into: base.assumingMemoryBound(to: UInt8.self))
                    }
                    try unsafe context.expectTag(UnsafeRawBufferPointer(rebasing: sealed[count...]))
                    guard try unsafe context.isTagRight() else {
                        throw CryptoError(.authenticationFailed, "opening a sealed message")
                    }
                }
            }
        }
    }

    private static func check(_ key: SecretBytes, _ nonce: [UInt8]) throws(CryptoError) {
        guard key.count == keySize else { throw CryptoError(.invalidKey, "the length of a ChaCha20 key") }
        guard nonce.count == nonceSize else { throw CryptoError(.invalidInput, "the length of a nonce") }
    }
}
