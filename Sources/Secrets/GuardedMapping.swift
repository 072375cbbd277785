import CThumbLinux

/// How memory is locked; tests put a refusing one here, because root is exempt from RLIMIT_MEMLOCK.
internal struct Locker: Sendable {
    /// Locks the range in memory and answers 0, or an errno.
    let lock: @Sendable (_ base: UInt, _ count: Int) -> Int32

    static let system = Locker { base, count in
        unsafe mlock(UnsafeRawPointer(bitPattern: base), count) == 0 ? 0 : thumb_errno()
    }
}

/// Pages that are locked in memory, left out of core dumps, emptied in a forked child, and fenced by inaccessible pages.
///
/// All four protections or no mapping at all: a secret is never held in memory that has fewer of them than promised.
@safe internal final class GuardedMapping: @unchecked Sendable {  // Constant after init; its users share out the bytes.
    static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    /// The first usable byte.
    let base: UnsafeMutableRawPointer
    /// The usable bytes: whole pages.
    let count: Int

    /// Maps at least `size` bytes, all zero; fails with `mappingRefused` or `lockRefused`.
    init(size: Int, locker: Locker) throws(SecretError) {
        let page = Self.pageSize
        let usable = (size + page - 1) / page * page
        let whole = usable + 2 * page
        guard let start = unsafe mmap(nil, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            unsafe start != thumb_map_failed()
        else { throw SecretError(.mappingRefused, systemError: thumb_errno()) }
        unsafe base = start + page
        count = usable
        // A throw from here on runs deinit, which unmaps: every stored property is set.
        guard unsafe mprotect(base, count, PROT_READ | PROT_WRITE) == 0,
            unsafe madvise(base, count, MADV_DONTDUMP) == 0,
            unsafe madvise(base, count, MADV_WIPEONFORK) == 0
        else { throw SecretError(.mappingRefused, systemError: thumb_errno()) }
        let refusal = unsafe locker.lock(UInt(bitPattern: base), count)
        guard refusal == 0 else { throw SecretError(.lockRefused, systemError: refusal) }
    }

    deinit {
        unsafe munmap(base - Self.pageSize, count + 2 * Self.pageSize)
    }
}
