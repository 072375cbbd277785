public import ThumbAccess
public import ThumbSecrets

/// The key derivation of ANSI X9.63, which ECIES uses.
public enum X963KDF {
    /// The longest output: far below the counter's end.
    public static let maximumCount = AgreementScheme.mostBytes

    /// Derives `count` bytes from `secret`, bound to `sharedInfo`.
    ///
    /// Fails with `limit` if `count` isn't within 1...`maximumCount`, with `library` if libcrypto does, and if no
    /// secret memory is left.
    public static func derive(
        secret: SecretBytes, sharedInfo: [UInt8], count: Int, hash: HashFunction = .sha256
    ) throws -> SecretBytes {
        guard (1...maximumCount).contains(count) else { throw CryptoError(.limit, "X9.63's output length") }
        let digest = try Digest(hash, isBegun: false)
        let size = hash.byteCount
        let blocks = (count + size - 1) / size
        return try unsafe SecretBytes(filling: blocks * size) { output in
            guard let base = output.baseAddress else { return 0 }
            for block in 0..<blocks {
                try digest.start()
                try unsafe secret.withUnsafeBytes { try unsafe digest.add($0) }
                var counter = UInt32(block + 1).bigEndian
                try unsafe withUnsafeBytes(of: &counter) { try unsafe digest.add($0) }
                try unsafe sharedInfo.withUnsafeBytes { try unsafe digest.add($0) }
                try unsafe digest.finish(into: base + block * size)
            }
            return count
        }
    }
}
