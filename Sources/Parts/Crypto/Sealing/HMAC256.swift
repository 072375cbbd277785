import ThumbAccess
public import ThumbSecrets

/// HMAC with SHA-256 (RFC 2104), on the bare digest.
///
/// libcrypto's own HMAC takes parameters and a fetch each time, which costs several times as much as the two digests.
public enum HMAC256 {
    /// How many bytes a code has.
    public static let byteCount = 32

    /// The 32-byte code of `message` under `key`; fails with `library` if libcrypto does, and if no secret memory is left.
    public static func authenticate(_ message: [UInt8], key: SecretBytes) throws -> [UInt8] {
        try authenticate(message, key: HMACKey(key))
    }

    /// The code of `message` under a key with its pads; fails as `authenticate(_:key:)` does.
    public static func authenticate(_ message: [UInt8], key: HMACKey) throws -> [UInt8] {
        try code(key) { digest in try unsafe message.withUnsafeBytes { try unsafe digest.add($0) } }
    }

    /// The code of a secret `message`; fails as `authenticate(_:key:)` does.
    public static func authenticate(_ message: SecretBytes, key: SecretBytes) throws -> [UInt8] {
        try unsafe message.withUnsafeBytes { bytes in
            try code(HMACKey(key)) { digest in try unsafe digest.add(bytes) }
        }
    }

    /// The code of `parts` one after another, as if they were one message. The caller separates their lengths.
    ///
    /// Fails as `authenticate(_:key:)` does.
    public static func authenticate(_ parts: [[UInt8]], key: SecretBytes) throws -> [UInt8] {
        try code(HMACKey(key)) { digest in
            for part in parts { try unsafe part.withUnsafeBytes { try unsafe digest.add($0) } }
        }
    }

    /// Whether `code` is the code of `message`, compared in constant time; fails as `authenticate(_:key:)` does.
    public static func verify(_ code: [UInt8], message: [UInt8], key: SecretBytes) throws -> Bool {
        ConstantTime.equal(try authenticate(message, key: key), code)
    }

    /// Whether `code` is the code of `parts`, compared in constant time; fails as `authenticate(_:key:)` does.
    public static func verify(_ code: [UInt8], parts: [[UInt8]], key: SecretBytes) throws -> Bool {
        ConstantTime.equal(try authenticate(parts, key: key), code)
    }

    private static func code(_ key: HMACKey, _ message: (borrowing Digest) throws -> Void) throws -> [UInt8] {
        let digest = try Digest(.sha256, isBegun: false)
        var result = [UInt8](repeating: 0, count: byteCount)
        try unsafe result.withUnsafeMutableBytes { output in
            if let base = output.baseAddress { try unsafe key.code(digest, into: base) { try message(digest) } }
        }
        return result
    }
}
