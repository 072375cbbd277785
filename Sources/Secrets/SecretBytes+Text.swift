// What readers of text need from a secret: its bytes as they stand, and making another one of them byte by byte.

extension SecretBytes {
    /// Lends the bytes to `body` one by one. The span can't be kept.
    public func withByteSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBytes { (buffer) throws(Failure) in try body(unsafe buffer.bindMemory(to: UInt8.self).span) }
    }

    /// Makes a secret of `count` bytes from those that `write` puts, in their order.
    ///
    /// Fails as `init(count:fill:)` does, and with `overfilled` if `write` puts more or fewer.
    public static func written(count: Int, by write: ((UInt8) -> Void) -> Void) throws -> SecretBytes {
        try unsafe SecretBytes(count: count) { room in
            var place = 0
            write { byte in
                if place < count { unsafe room[place] = byte }
                place += 1
            }
            guard place == count else { throw SecretError(.overfilled) }
        }
    }
}
