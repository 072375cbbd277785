// What the wire needs from a secret: reading it piece by piece from a socket, and looking at the parts of a frame that aren't secret.

extension SecretBytes {
    /// The byte at `index`; traps past the end.
    public subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "past a secret's end")
        return unsafe withUnsafeBytes { unsafe $0[index] }
    }

    /// A copy of some bytes in ordinary memory, for parts of a frame that aren't secret; traps past the end.
    public func plainBytes(in range: Range<Int>) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "past a secret's end")
        return unsafe withUnsafeBytes { unsafe Array(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Some bytes as text, also for parts that aren't secret; nil if they aren't UTF-8. Traps past the end.
    public func plainText(in range: Range<Int>) -> String? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "past a secret's end")
        return unsafe withUnsafeBytes { bytes in
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
            guard let text = try? UTF8Span(validating: unsafe part.span) else { return nil }
            return String(copying: text)
        }
    }

    /// Some bytes as a number, most significant first. Traps past the end and for more than eight bytes.
    public func plainNumber(in range: Range<Int>) -> UInt64 {
        precondition(range.lowerBound >= 0 && range.upperBound <= count && range.count <= 8, "past a secret's end")
        return unsafe withUnsafeBytes { bytes in
            var value: UInt64 = 0
            for index in range { value = unsafe value << 8 | UInt64(bytes[index]) }
            return value
        }
    }
}

/// A secret that arrives in pieces. One thread at a time fills it, and only the complete secret can be taken out.
public struct SecretFilling: ~Copyable {
    private let secret: SecretBytes
    /// How many bytes have arrived.
    public private(set) var filled = 0
    /// How many bytes have memory.
    private var roomy: Int

    /// Makes room for `count` bytes at once; fails if the arena can't hold them.
    public init(count: Int, in arena: SecretArena = .shared) throws {
        secret = try unsafe SecretBytes(count: count, in: arena) { _ in }
        roomy = count
    }

    /// Makes a place for `count` bytes that takes memory only with `makeRoom`. Fails if no secret may be that long.
    public init(comingAs count: Int, in arena: SecretArena = .shared) throws(SecretError) {
        secret = try SecretBytes(comingAs: count, in: arena)
        roomy = 0
    }

    /// Whether the secret is complete.
    public var isFull: Bool { filled == secret.count }

    /// How many bytes can be filled before you have to make more room.
    public var room: Int { roomy - filled }

    /// Takes memory for `more` bytes, or for as many as are still missing. Fails if the arena can't hold them.
    public mutating func makeRoom(for more: Int) throws(SecretError) {
        let target = min(secret.count, filled + more)
        if target > roomy { roomy = try secret.makeRoom(for: target) }
    }

    /// Lends the room that is still empty to `body`, which returns how many bytes it wrote. A wrong number is reduced to what fits.
    @unsafe public mutating func fill(_ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        let rest = unsafe secret.withUnsafeBytes { whole in
            unsafe UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: whole[filled..<roomy]))
        }
        // Nobody else has this secret yet, so nobody can see that it is written after its init.
        let written = unsafe body(rest)
        filled += min(max(0, written), rest.count)
        return written
    }

    /// The secret; traps if it isn't complete.
    public consuming func finish() -> SecretBytes {
        precondition(isFull, "a secret is taken before it is whole")
        return secret
    }
}
