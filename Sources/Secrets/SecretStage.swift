import CThumbLinux

/// A place in locked memory that is filled, emptied and erased again and again. What you take from it becomes a secret of its own.
///
/// One thread at a time uses it.
@safe public final class SecretStage: @unchecked Sendable {
    // @unchecked: its user makes sure that nobody else uses it.
    private let arena: SecretArena
    private let memory: SecretMemory
    /// How many bytes it has room for.
    public let capacity: Int
    /// How many bytes are in it.
    public private(set) var filled = 0

    /// Makes room for that many bytes; fails if the arena can't hold them.
    public init(capacity: Int, in arena: SecretArena = .shared) throws(SecretError) {
        self.arena = arena
        self.capacity = capacity
        unsafe memory = try arena.allocate(capacity)
    }

    deinit { unsafe arena.release(memory) }

    /// Lends all of the room to `body`, which returns how many bytes it wrote. Less than zero counts as none.
    @unsafe public func fill(_ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        let count = unsafe body(UnsafeMutableRawBufferPointer(start: memory.pointer, count: capacity))
        // If `body` failed, whatever it wrote is erased.
        if count < 0 { unsafe explicit_bzero(memory.pointer, capacity) }
        filled = min(max(0, count), capacity)
        return count
    }

    /// The number that the first `count` bytes form, most significant first. Traps if there are fewer, and for more than eight.
    public func number(bytes count: Int) -> UInt64 {
        precondition(count <= filled && count <= 8, "past what was filled")
        var value: UInt64 = 0
        for place in 0..<count { value = unsafe value << 8 | UInt64(memory.pointer.load(fromByteOffset: place, as: UInt8.self)) }
        return value
    }

    /// Some of the bytes as a new secret; fails as making one does.
    public func secret(_ range: Range<Int>, in arena: SecretArena) throws -> SecretBytes {
        guard range.lowerBound >= 0, range.upperBound <= filled else { throw SecretError(.outOfBounds) }
        return try unsafe SecretBytes(
            copying: UnsafeRawBufferPointer(start: memory.pointer + range.lowerBound, count: range.count), in: arena)
    }

    /// Erases the bytes that were filled.
    public func clear() {
        unsafe explicit_bzero(memory.pointer, filled)
        filled = 0
    }
}
