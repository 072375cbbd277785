import ThumbAccess
public import ThumbSecrets

/// HKDF with SHA-256 (RFC 5869).
public enum HKDF {
    /// The longest output the construction has: 255 hashes.
    public static let maximumCount = 255 * HMAC256.byteCount

    /// Derives `count` bytes from `secret`, bound to `salt` and `info`.
    ///
    /// Fails with `limit` if `count` isn't within 1...`maximumCount`, with `library` if libcrypto does, and if no
    /// secret memory is left.
    public static func derive(secret: SecretBytes, salt: [UInt8] = [], info: [UInt8], count: Int) throws -> SecretBytes {
        try expand(key: extract(secret: secret, salt: salt), info: info, count: count)
    }

    /// The first half: a 32-byte key from a secret of any form; fails as `derive` does.
    public static func extract(secret: SecretBytes, salt: [UInt8] = []) throws -> SecretBytes {
        let digest = try Digest(.sha256, isBegun: false)
        let key = try unsafe salt.withUnsafeBytes { try unsafe HMACKey(bytes: $0) }
        return try unsafe SecretBytes(count: HMAC256.byteCount) { output in
            guard let base = output.baseAddress else { return }
            try unsafe key.code(digest, into: base) { try unsafe secret.withUnsafeBytes { try unsafe digest.add($0) } }
        }
    }

    /// The second half alone, for a `key` that is already uniform, such as a class key; fails as `derive` does.
    public static func expand(key: SecretBytes, info: [UInt8], count: Int) throws -> SecretBytes {
        try expand(key: HMACKey(key), info: info, count: count)
    }

    /// The second half, for a key that many others are derived from; fails as `derive` does.
    public static func expand(key: HMACKey, info: [UInt8], count: Int) throws -> SecretBytes {
        guard (1...maximumCount).contains(count) else { throw CryptoError(.limit, "HKDF's output length") }
        let digest = try Digest(.sha256, isBegun: false)
        let size = HMAC256.byteCount
        let blocks = (count + size - 1) / size
        // Room for whole blocks; what is beyond `count` is zeroed.
        return try unsafe SecretBytes(filling: blocks * size) { output in
            guard let base = output.baseAddress else { return 0 }
            for block in 0..<blocks {
                try unsafe key.code(digest, into: base + block * size) {
                    if block > 0 {
                        try unsafe digest.add(UnsafeRawBufferPointer(start: base + (block - 1) * size, count: size))
                    }
                    try unsafe info.withUnsafeBytes { try unsafe digest.add($0) }
                    var number = UInt8(block + 1)
                    try unsafe withUnsafeBytes(of: &number) { try unsafe digest.add($0) }
                }
            }
            return count
        }
    }
}
