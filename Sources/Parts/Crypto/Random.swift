import ThumbSecrets

/// Public random bytes: nonces, salts, identifiers. Secret ones are `SecretBytes.random`.
public enum Random {
    /// `count` random bytes from the kernel, not from libcrypto; fails with `invalidInput` for a negative count and with `randomRefused`.
    public static func bytes(count: Int) throws(CryptoError) -> [UInt8] {
        guard count >= 0 else { throw CryptoError(.invalidInput, "a negative count") }
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = unsafe bytes.withUnsafeMutableBytes { buffer in
            do {
                try unsafe SystemRandom.fill(buffer)
                return true
            } catch { return false }
        }
        guard filled else { throw CryptoError(.randomRefused, "reading random bytes") }
        return bytes
    }
}
