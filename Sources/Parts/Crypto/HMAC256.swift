import ThumbAccess
public import ThumbSecrets

/// HMAC with SHA-256 (RFC 2104), on the bare digest.
///
/// libcrypto's own HMAC is reached through parameters and a fetch each time, which costs several times the two digests.
public enum HMAC256 {
    /// How many bytes a code has.
    public static let byteCount = 32

    internal static let blockSize = 64

    /// The 32-byte code of `message` under `key`; fails with `library` where libcrypto does, and where no secret memory is left.
    public static func authenticate(_ message: [UInt8], key: SecretBytes) throws -> [UInt8] {
        try authenticate([message], key: key)
    }

    /// The code of a secret `message`; fails as `authenticate(_:key:)` does.
    public static func authenticate(_ message: SecretBytes, key: SecretBytes) throws -> [UInt8] {
        try unsafe message.withUnsafeBytes { bytes in
            try code(key: key) { digest in try unsafe digest.add(bytes) }
        }
    }

    /// The code of `parts` one after another, as if they were one message; lengths are the caller's to separate.
    ///
    /// Fails as `authenticate(_:key:)` does.
    public static func authenticate(_ parts: [[UInt8]], key: SecretBytes) throws -> [UInt8] {
        try code(key: key) { digest in
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

    private static func code(key: SecretBytes, _ message: (borrowing Digest) throws -> Void) throws -> [UInt8] {
        let digest = try Digest(.sha256)
        return try unsafe withPads(key, digest) { inner, outer in
            try unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
                guard let base = output.baseAddress else { return }
                try unsafe run(digest, inner, outer, into: UnsafeMutableRawPointer(base)) { try message(digest) }
                count = byteCount
            }
        }
    }

    /// Lends the key's two pads, in secret memory, for as many codes as `body` makes.
    @unsafe internal static func withPads<Result>(
        _ key: SecretBytes, _ digest: borrowing Digest,
        _ body: (_ inner: UnsafeRawBufferPointer, _ outer: UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try unsafe key.withUnsafeBytes { try unsafe withPads(bytes: $0, digest, body) }
    }

    @unsafe internal static func withPads<Result>(
        bytes: UnsafeRawBufferPointer, _ digest: borrowing Digest,
        _ body: (_ inner: UnsafeRawBufferPointer, _ outer: UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let pads = try unsafe SecretBytes(count: 2 * blockSize) { pads in
            if bytes.count > blockSize, let base = pads.baseAddress {
                try digest.start()
                try unsafe digest.add(bytes)
                try unsafe digest.finish(into: base)
            } else {
                unsafe pads.copyMemory(from: bytes)
            }
            for index in 0..<blockSize {
                unsafe pads[blockSize + index] = pads[index] ^ 0x5C
                unsafe pads[index] ^= 0x36
            }
        }
        return try unsafe pads.withUnsafeBytes { both in
            try unsafe body(
                UnsafeRawBufferPointer(rebasing: both[..<blockSize]), UnsafeRawBufferPointer(rebasing: both[blockSize...]))
        }
    }

    /// One code: `message` adds what is authenticated to the digest, the result goes to `output` with room for 32 bytes.
    @unsafe internal static func run(
        _ digest: borrowing Digest, _ inner: UnsafeRawBufferPointer, _ outer: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawPointer, _ message: () throws -> Void
    ) throws {
        try digest.start()
        try unsafe digest.add(inner)
        try message()
        // The inner hash stands where the code will: it is replaced before anyone reads it.
        try unsafe digest.finish(into: output)
        try digest.start()
        try unsafe digest.add(outer)
        try unsafe digest.add(UnsafeRawBufferPointer(start: output, count: byteCount))
        try unsafe digest.finish(into: output)
    }
}
