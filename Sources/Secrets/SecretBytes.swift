import CThumbLinux

/// Secret bytes. They are locked in memory, filled once, and zeroed when the last reference is gone.
///
/// They aren't printed, hashed or mirrored, and are compared in constant time. Only `withUnsafeBytes` gives access to them.
@safe public final class SecretBytes: Sendable {
    // Written only during init. The arena gives this memory to nobody else until deinit.
    nonisolated(unsafe) private let memory: SecretMemory?
    // The beginning of that memory. The code that lends the bytes is compiled into its callers and needs only this.
    @usableFromInline nonisolated(unsafe) internal let base: UnsafeMutableRawPointer?
    private let arena: SecretArena

    /// How many bytes the secret has.
    public let count: Int

    /// Whether the secret has no bytes.
    public var isEmpty: Bool { count == 0 }

    /// Makes a secret of `count` bytes, zero until `fill` writes them.
    ///
    /// Fails with `tooLarge`, `arenaFull` or `lockRefused` if the arena can't hold it, with `outOfBounds` for a negative count, and as
    /// `fill` does. What was filled until then is zeroed.
    public init(
        count: Int, in arena: SecretArena = .shared, fill: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        guard count >= 0 else { throw SecretError(.outOfBounds) }
        self.arena = arena
        self.count = count
        let memory = unsafe count == 0 ? nil : try arena.allocate(count)
        unsafe self.memory = memory
        unsafe base = memory?.pointer
        // From here on a throw runs deinit, which zeroes, because every stored property is set.
        try unsafe fill(UnsafeMutableRawBufferPointer(start: memory?.pointer, count: count))
    }

    /// Makes a secret with room for `capacity` bytes, and keeps as many of them as `fill` returns.
    ///
    /// Everything after these is zeroed. Fails as `init(count:fill:)` does, and with `overfilled` if `fill` returns more than `capacity` or
    /// less than zero.
    public init(
        filling capacity: Int, in arena: SecretArena = .shared, with fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        guard capacity >= 0 else { throw SecretError(.outOfBounds) }
        self.arena = arena
        let memory = unsafe capacity == 0 ? nil : try arena.allocate(capacity)
        unsafe self.memory = memory
        unsafe base = memory?.pointer
        let room = unsafe UnsafeMutableRawBufferPointer(start: memory?.pointer, count: capacity)
        var used = 0
        // `count` isn't set yet, so a throw wouldn't run deinit. The memory is given back here instead.
        do {
            used = try unsafe fill(room)
            guard (0...capacity).contains(used) else { throw SecretError(.overfilled) }
        } catch {
            if let memory = unsafe memory { unsafe arena.release(memory) }
            throw error
        }
        count = used
        if used < capacity, let base = room.baseAddress { unsafe explicit_bzero(base + used, capacity - used) }
    }

    /// Makes a place for a secret of `count` bytes that come piece by piece. `makeRoom` gives it memory for them.
    internal init(comingAs count: Int, in arena: SecretArena) throws(SecretError) {
        self.arena = arena
        self.count = count
        let memory = unsafe try arena.allocateEmpty(count)
        unsafe self.memory = memory
        unsafe base = memory.pointer
    }

    /// Gives the first `target` bytes of such a place their memory, and returns how many have it.
    internal func makeRoom(for target: Int) throws(SecretError) -> Int {
        guard let memory = unsafe memory else { return 0 }
        return min(count, unsafe try arena.grow(memory, to: target))
    }

    /// Makes a secret by copying the bytes in `buffer`, which are left as they are. Fails if the arena can't hold it.
    public convenience init(copying buffer: UnsafeRawBufferPointer, in arena: SecretArena = .shared) throws {
        try unsafe self.init(count: buffer.count, in: arena) { unsafe $0.copyMemory(from: buffer) }
    }

    /// Makes a secret by copying the elements of `bytes`, which are left as they are. Fails if the arena can't hold it.
    public convenience init(copying bytes: some Collection<UInt8>, in arena: SecretArena = .shared) throws {
        try unsafe self.init(count: bytes.count, in: arena) { unsafe $0.copyBytes(from: bytes) }
    }

    /// Makes a secret of `count` random bytes from the kernel.
    ///
    /// Fails if the arena can't hold it, and with `randomRefused`.
    public static func random(count: Int, in arena: SecretArena = .shared) throws -> SecretBytes {
        try unsafe SecretBytes(count: count, in: arena) { try unsafe SystemRandom.fill($0) }
    }

    deinit {
        if let memory = unsafe memory { unsafe arena.release(memory) }
    }

    /// Lends the bytes themselves to `body`. It must not keep the pointer, nor copy the bytes into ordinary memory without need.
    @unsafe @inlinable public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Lends the bytes to `body` as a span, which can't be kept. It is meant for rooms where nothing unsafe is allowed.
    public func withSecretSpan<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let buffer = unsafe UnsafeRawBufferPointer(start: base, count: count)
        return try body(unsafe buffer.bytes)
    }

    /// Copies the bytes from `start` on to another arena. Fails if that arena can't hold them.
    public func copy(from start: Int = 0, in other: SecretArena) throws(SecretError) -> SecretBytes {
        if other === arena && start == 0 { return self }
        do {
            return try unsafe withUnsafeBytes {
                try unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[start...]), in: other)
            }
        } catch let error as SecretError {
            throw error
        } catch {
            preconditionFailure("copying a secret fails as its arena does")
        }
    }

    /// Makes a secret from some of another's bytes, in the same arena.
    ///
    /// Fails with `outOfBounds` if the range isn't within the other, and if the arena can't hold it.
    public convenience init(_ range: Range<Int>, of other: SecretBytes) throws {
        guard range.lowerBound >= 0, range.upperBound <= other.count else { throw SecretError(.outOfBounds) }
        try unsafe self.init(count: range.count, in: other.arena) { memory in
            unsafe other.withUnsafeBytes { unsafe memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }

    /// Makes a secret from the bytes of `range`; fails as making one does.
    public func slice(_ range: Range<Int>) throws -> SecretBytes { try SecretBytes(range, of: self) }
}

extension SecretBytes: Equatable {
    /// Whether both have the same bytes, in a time that depends only on their lengths.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        unsafe left.withUnsafeBytes { a in unsafe right.withUnsafeBytes { b in unsafe ConstantTime.equal(a, b) } }
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length, never the content.
    public var description: String { "SecretBytes(\(count) bytes)" }

    /// The length, never the content.
    public var debugDescription: String { description }

    /// A mirror without children, because `dump` and test failures walk mirrors.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
