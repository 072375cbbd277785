import CThumbLinux

/// The locked memory that holds secrets.
///
/// Small secrets share pages by size, so that thousands of them fit under a small RLIMIT_MEMLOCK. A long secret gets a guarded mapping of
/// its own, which is given back afterwards. An idle arena keeps at most one chunk of 64 KiB.
public final class SecretArena: @unchecked Sendable {  // Everything mutable is touched only under `lock`.
    /// The longest single secret: as long as an item of the keychain may be, with some room to spare.
    public static let maximumSecret = 4 * 1024 * 1024

    /// How much an arena locks at most unless told otherwise. More would deprive everybody else of the machine's memory.
    public static let defaultLimit = 64 * 1024 * 1024

    /// The arena of this process.
    public static let shared = SecretArena()

    /// How full an arena is.
    public struct Statistics: Sendable, Equatable {
        /// How many secrets are alive.
        public var secrets = 0
        /// How many bytes they take, with rounding.
        public var inUse = 0
        /// How many bytes are locked in memory.
        public var locked = 0
    }

    private let limit: Int
    private let budget: SecretBudget?
    private let locker: Locker
    private let lock = Lock()
    private var chunks: [Chunk] = []
    private var roomy: [[Slab]] = Array(repeating: [], count: Slab.slotSizes.count)
    private var counts = Statistics()

    /// Makes an arena that locks at most `limit` bytes, and no more than `budget` has left. Others use the same budget.
    public convenience init(limit: Int = SecretArena.defaultLimit, within budget: SecretBudget? = nil) {
        self.init(limit: limit, within: budget, locker: .system)
    }

    internal init(limit: Int, within budget: SecretBudget? = nil, locker: Locker) {
        self.limit = limit
        self.budget = budget
        self.locker = locker
    }

    // Every secret keeps its arena alive, so no secret is left.
    deinit { budget?.give(counts.locked) }

    /// How full this arena is now.
    public var statistics: Statistics { lock.withLock { counts } }

    /// The bytes taken by living secrets.
    public var inUse: Int { statistics.inUse }

    /// Zeroed memory for `count` bytes, 1 or more; fails with `tooLarge`, `arenaFull`, `lockRefused` or `mappingRefused`.
    internal func allocate(_ count: Int) throws(SecretError) -> SecretMemory {
        if count > Slab.longest { return try unsafe allocateLarge(count) }
        let sizeClass = Slab.sizeClass(of: count)
        lock.lock()
        defer { lock.unlock() }
        let slab =
            if let last = roomy[sizeClass].last { last } else { try addSlab(sizeClass) }
        let pointer = unsafe slab.take()
        if slab.isFull { removeRoomy(slab) }
        counts.secrets += 1
        counts.inUse += slab.slotSize
        return unsafe SecretMemory(pointer: pointer, home: .slab(slab))
    }

    /// Zeroes `memory` and takes it back.
    internal func release(_ memory: SecretMemory) {
        switch unsafe memory.home {
        case .slab(let slab):
            // explicit_bzero can't be optimised away. It runs before the lock, because nobody else has this slot yet.
            unsafe explicit_bzero(memory.pointer, slab.slotSize)
            lock.withLock { unsafe giveBack(memory.pointer, to: slab) }
        case .mapping(let mapping):
            // Pages that never became usable were never written.
            unsafe explicit_bzero(mapping.base, mapping.usable)
            lock.withLock {
                counts.secrets -= 1
                counts.inUse -= mapping.usable
                unreserve(mapping.usable)
                if counts.secrets == 0 { shrink() }
            }
        }
    }

    private func allocateLarge(_ count: Int) throws(SecretError) -> SecretMemory {
        guard count <= Self.maximumSecret else { throw SecretError(.tooLarge) }
        let size = Self.wholePages(count)
        // Room is reserved first, so that the slow system calls can run outside the lock.
        try lock.withLock { () throws(SecretError) in try reserve(size) }
        do {
            let mapping = try GuardedMapping(size: size, locker: locker)
            lock.withLock {
                counts.secrets += 1
                counts.inUse += size
            }
            // The secret is at the end of its pages, except for alignment, so that reading or writing too far hits the guard page.
            return unsafe SecretMemory(
                pointer: mapping.base + (size - (count + 15) / 16 * 16), home: .mapping(mapping))
        } catch {
            lock.withLock { unreserve(size) }
            throw error
        }
    }

    /// A place for `count` bytes. It takes no memory before `grow`. Fails with `tooLarge` or `mappingRefused`.
    internal func allocateEmpty(_ count: Int) throws(SecretError) -> SecretMemory {
        guard count <= Self.maximumSecret else { throw SecretError(.tooLarge) }
        let size = Self.wholePages(count)
        let mapping = try GuardedMapping(emptyOf: size, locker: locker)
        lock.withLock { counts.secrets += 1 }
        return unsafe SecretMemory(pointer: mapping.base + (size - (count + 15) / 16 * 16), home: .mapping(mapping))
    }

    /// Gives the first `count` bytes of such a place their memory, in whole pages, and returns how many have memory then. Fails with
    /// `arenaFull`, `lockRefused` or `mappingRefused`.
    internal func grow(_ memory: SecretMemory, to count: Int) throws(SecretError) -> Int {
        guard case .mapping(let mapping) = unsafe memory.home else {
            preconditionFailure("a slab's secret is whole from the start")
        }
        let before = unsafe memory.pointer - mapping.base
        let target = min(mapping.count, Self.wholePages(before + count))
        let more = target - mapping.usable
        if more > 0 {
            try lock.withLock { () throws(SecretError) in try reserve(more) }
            do {
                try mapping.grow(to: target)
                lock.withLock { counts.inUse += more }
            } catch {
                lock.withLock { unreserve(more) }
                throw error
            }
        }
        return mapping.usable - before
    }

    private static func wholePages(_ count: Int) -> Int {
        let page = GuardedMapping.pageSize
        return (count + page - 1) / page * page
    }

    // Everything below runs under the lock.

    private func reserve(_ size: Int) throws(SecretError) {
        guard size <= limit - counts.locked, budget?.take(size) ?? true else { throw SecretError(.arenaFull) }
        counts.locked += size
    }

    private func unreserve(_ size: Int) {
        counts.locked -= size
        budget?.give(size)
    }

    private func addSlab(_ sizeClass: Int) throws(SecretError) -> Slab {
        let pages = Slab.pages(sizeClass: sizeClass)
        if let slab = cutSlab(sizeClass, pages) { return slab }
        // Empty slabs of other sizes are kept only as long as nobody needs their pages.
        for slab in roomy.joined() where slab.isEmpty { drop(slab) }
        if let slab = cutSlab(sizeClass, pages) { return slab }
        try reserve(Chunk.size)
        do {
            let chunk = try Chunk(locker: locker)
            chunks.append(chunk)
            guard let first = chunk.take(pages: pages) else { preconditionFailure("a new chunk has no room") }
            return makeRoomy(chunk, first, sizeClass)
        } catch {
            unreserve(Chunk.size)
            throw error
        }
    }

    private func cutSlab(_ sizeClass: Int, _ pages: Int) -> Slab? {
        // The newest chunk is the most likely to have room.
        for chunk in chunks.reversed() where !chunk.isFull {
            if let first = chunk.take(pages: pages) { return makeRoomy(chunk, first, sizeClass) }
        }
        return nil
    }

    private func makeRoomy(_ chunk: Chunk, _ firstPage: Int, _ sizeClass: Int) -> Slab {
        let slab = Slab(chunk: chunk, firstPage: firstPage, sizeClass: sizeClass)
        addRoomy(slab)
        return slab
    }

    private func giveBack(_ pointer: UnsafeMutableRawPointer, to slab: Slab) {
        unsafe slab.giveBack(pointer)
        counts.secrets -= 1
        counts.inUse -= slab.slotSize
        if slab.place < 0 { addRoomy(slab) }
        // The last slab of a class with room stays as long as its chunk. Otherwise each secret that comes and goes would make a new slab.
        guard slab.isEmpty, roomy[slab.sizeClass].count > 1 || counts.secrets == 0 else { return }
        if counts.secrets == 0 { return shrink() }
        drop(slab)
    }

    private func drop(_ slab: Slab) {
        removeRoomy(slab)
        slab.chunk.giveBack(first: slab.firstPage, pages: Slab.pages(sizeClass: slab.sizeClass))
        guard slab.chunk.isEmpty, chunks.count > 1 else { return }
        if let index = chunks.firstIndex(where: { $0 === slab.chunk }) { chunks.remove(at: index) }
        unreserve(Chunk.size)
    }

    /// Called when no secret is left, so that all slabs are empty. One chunk stays for the next secret.
    private func shrink() {
        guard chunks.count > 1 else { return }
        for slab in roomy.joined() { drop(slab) }
    }

    private func addRoomy(_ slab: Slab) {
        slab.place = roomy[slab.sizeClass].count
        roomy[slab.sizeClass].append(slab)
    }

    private func removeRoomy(_ slab: Slab) {
        let last = roomy[slab.sizeClass].removeLast()
        if last !== slab {
            last.place = slab.place
            roomy[slab.sizeClass][slab.place] = last
        }
        slab.place = -1
    }
}

/// One secret's memory, and where it has to be returned.
@unsafe internal struct SecretMemory {
    enum Home {
        case slab(Slab)
        case mapping(GuardedMapping)
    }
    let pointer: UnsafeMutableRawPointer
    let home: Home
}
