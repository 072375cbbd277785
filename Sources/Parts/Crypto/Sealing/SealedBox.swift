public import ThumbSecrets

/// AES-256-GCM with a random nonce in front: nonce, ciphertext, tag.
///
/// Random 12-byte nonces are safe for some 2³² messages under one key; the store seals each item under a key of its own.
public enum SealedBox {
    /// How many bytes the nonce in front has.
    public static let nonceSize = 12

    /// How many bytes longer a box is than its contents.
    public static let overhead = nonceSize + AESGCM.tagSize

    /// Seals a secret under a 32-byte key, bound to `associatedData`.
    ///
    /// Fails with `invalidKey` for a key of another length, `limit` beyond AESGCM's limits, `randomRefused` without a nonce, and
    /// `library` if libcrypto does.
    public static func seal(_ plaintext: SecretBytes, key: SecretBytes, associatedData: [UInt8]) throws -> [UInt8] {
        try unsafe plaintext.withUnsafeBytes { try unsafe seal($0, key: key, associatedData: associatedData) }
    }

    /// Seals public bytes; fails as the sealing of a secret does.
    public static func seal(_ plaintext: [UInt8], key: SecretBytes, associatedData: [UInt8]) throws -> [UInt8] {
        try unsafe plaintext.withUnsafeBytes { try unsafe seal($0, key: key, associatedData: associatedData) }
    }

    /// Opens a box.
    ///
    /// Fails with `authenticationFailed` if box, key or associated data isn't what was sealed, `invalidKey` for a key of another
    /// length, `limit` and `library` as AESGCM does, and if no secret memory is left.
    public static func open(_ box: [UInt8], key: SecretBytes, associatedData: [UInt8]) throws -> SecretBytes {
        try require(key)
        guard box.count >= overhead else { throw CryptoError(.authenticationFailed, "opening less than an empty box") }
        return try unsafe box.withUnsafeBytes { box in
            try unsafe AESGCM.open(
                UnsafeRawBufferPointer(rebasing: box[nonceSize...]), key: key,
                nonce: UnsafeRawBufferPointer(rebasing: box[..<nonceSize]), associatedData: associatedData)
        }
    }

    private static func seal(
        _ plaintext: UnsafeRawBufferPointer, key: SecretBytes, associatedData: [UInt8]
    ) throws -> [UInt8] {
        try require(key)
        let nonce = try Random.bytes(count: nonceSize)
        return try unsafe nonce.withUnsafeBytes {
            try unsafe AESGCM.seal(plaintext, key: key, nonce: $0, prefix: nonce, associatedData: associatedData)
        }
    }

    private static func require(_ key: SecretBytes) throws {
        guard key.count == 32 else { throw CryptoError(.invalidKey, "the length of a box's key") }
    }
}
