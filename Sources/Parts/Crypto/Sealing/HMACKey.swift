import ThumbAccess
public import ThumbSecrets

/// A key for HMAC with SHA-256 and its two pads, made once: for callers that make many codes under it.
///
/// The pads are as secret as the key, and as locked in memory.
public struct HMACKey: Sendable {
    private static let blockSize = 64

    // The inner pad, then the outer one.
    private let pads: SecretBytes

    /// Makes the pads of a key of any length; fails with `library` if libcrypto does, and if no secret memory is left.
    public init(_ key: SecretBytes) throws {
        self = try unsafe key.withUnsafeBytes { try unsafe HMACKey(bytes: $0) }
    }

    @unsafe internal init(bytes: UnsafeRawBufferPointer) throws {
        pads = try unsafe SecretBytes(count: 2 * Self.blockSize) { pads in
            if bytes.count > Self.blockSize, let base = pads.baseAddress {
                let digest = try Digest(.sha256)
                try unsafe digest.add(bytes)
                try unsafe digest.finish(into: base)
            } else {
                unsafe pads.copyMemory(from: bytes)
            }
            for index in 0..<Self.blockSize {
                unsafe pads[Self.blockSize + index] = pads[index] ^ 0x5C
                unsafe pads[index] ^= 0x36
            }
        }
    }

    /// One code: `message` adds what is authenticated to the digest, the result goes to `output` with room for 32 bytes.
    @unsafe internal func code(
        _ digest: borrowing Digest, into output: UnsafeMutableRawPointer, _ message: () throws -> Void
    ) throws {
        try unsafe pads.withUnsafeBytes { pads in
            try digest.start()
            try unsafe digest.add(UnsafeRawBufferPointer(rebasing: pads[..<Self.blockSize]))
            try message()
            // The inner hash is written where the code will be. It is replaced before anyone reads it.
            try unsafe digest.finish(into: output)
            try digest.start()
            try unsafe digest.add(UnsafeRawBufferPointer(rebasing: pads[Self.blockSize...]))
            try unsafe digest.add(UnsafeRawBufferPointer(start: output, count: HMAC256.byteCount))
            try unsafe digest.finish(into: output)
        }
    }
}
