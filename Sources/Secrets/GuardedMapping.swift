import CThumbLinux

/// How memory is locked. Tests replace it by one that refuses, because root is exempt from RLIMIT_MEMLOCK.
internal struct Locker: Sendable {
    /// Locks the range in memory. Returns 0 or an errno.
    let lock: @Sendable (_ base: UInt, _ count: Int) -> Int32

    static let system = Locker { base, count in
        unsafe mlock(UnsafeRawPointer(bitPattern: base), count) == 0 ? 0 : thumb_errno()
    }
}

/// Pages that are locked in memory, left out of core dumps, emptied in a forked child, and fenced by inaccessible pages.
///
/// It has all four protections or doesn't exist, so a secret never has fewer of them than promised.
@safe internal final class GuardedMapping: @unchecked Sendable {  // Constant once it is whole; its users share out the bytes.
    static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    /// The first usable byte.
    let base: UnsafeMutableRawPointer
    /// The usable bytes: whole pages.
    let count: Int
    /// How many bytes can be used already, from the first on. While a mapping is being filled, only one user has it.
    private(set) var usable = 0
    private let locker: Locker

    /// Maps at least `size` bytes, all zero. None of them can be used before `grow`. Fails with `mappingRefused`.
    init(emptyOf size: Int, locker: Locker) throws(SecretError) {
        let page = Self.pageSize
        count = (size + page - 1) / page * page
        self.locker = locker
        let whole = count + 2 * page
        guard let start = unsafe mmap(nil, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            unsafe start != thumb_map_failed()
        else { throw SecretError(.mappingRefused, systemError: thumb_errno()) }
        unsafe base = start + page
    }

    /// Maps at least `size` bytes, all zero; fails with `mappingRefused` or `lockRefused`.
    convenience init(size: Int, locker: Locker) throws(SecretError) {
        try self.init(emptyOf: size, locker: locker)
        try grow(to: count)
    }

    /// Makes the first `target` bytes usable, locked and protected like the rest, in whole pages and no page twice. Fails with
    /// `mappingRefused` or `lockRefused`; what was usable then stays so.
    func grow(to target: Int) throws(SecretError) {
        let (start, more) = unsafe (base + usable, target - usable)
        guard more > 0 else { return }
        guard unsafe mprotect(start, more, PROT_READ | PROT_WRITE) == 0,
            unsafe madvise(start, more, MADV_DONTDUMP) == 0,
            unsafe madvise(start, more, MADV_WIPEONFORK) == 0
        else { throw SecretError(.mappingRefused, systemError: thumb_errno()) }
        let refusal = locker.lock(UInt(bitPattern: start), more)
        guard refusal == 0 else { throw SecretError(.lockRefused, systemError: refusal) }
        usable = target
    }

    deinit {
        unsafe munmap(base - Self.pageSize, count + 2 * Self.pageSize)
    }
}
