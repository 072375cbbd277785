import CThumbLinux
import ThumbClient
import ThumbSystem

/// A private folder of this user's that is in memory only, and that is removed with everything in it when this value ends. If this program is
/// killed before that, the next one that makes such a folder removes it.
struct MemoryFolder: ~Copyable {
    private static let prefix = "memory-"
    /// The file systems that keep files in memory alone. Like any memory, a tmpfs may be written to swap.
    private static let kinds: [UInt32] = [0x0102_1994 /* tmpfs */, 0x8584_58f6 /* ramfs */]

    let path: String
    /// Held as long as the folder is in use.
    private let lock: Descriptor

    /// Makes one below `$XDG_RUNTIME_DIR`, or where the system has this user's runtime folder. Fails if that isn't in memory.
    static func made() throws(Failure) -> MemoryFolder {
        let named = unsafe thumb_secure_getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
        guard let base = RuntimeFolder.path(uid: getuid(), environment: named), isInMemory(base) else {
            throw .secret(.noMemoryFolder)
        }
        removeLeftovers(in: base)
        do throws(SystemError) { return try MemoryFolder(in: base) } catch { throw .secret(.noMemoryFolder) }
    }

    private init(in base: String) throws(SystemError) {
        let made = try TemporaryFolder(Self.prefix, in: base).path
        lock = try Self.opened(made)
        path = made
        _ = flock(lock.number, LOCK_EX | LOCK_NB)
    }

    deinit { TemporaryFolder(at: path).remove() }

    /// Whether what is written there is kept in memory alone.
    static func isInMemory(_ folder: String) -> Bool {
        var status = statfs()
        guard unsafe statfs(folder, &status) == 0 else { return false }
        return kinds.contains(UInt32(truncatingIfNeeded: status.f_type))
    }

    private static func removeLeftovers(in base: String) {
        for name in FolderNames.all(in: base) where name.hasPrefix(prefix) {
            let path = base + "/" + name
            do throws(SystemError) {
                let folder = try opened(path)
                // Whoever still uses it holds its lock.
                guard flock(folder.number, LOCK_EX | LOCK_NB) == 0 else { continue }
            } catch {
                // What can't be opened can't be removed either.
                continue
            }
            TemporaryFolder(at: path).remove()
        }
    }

    private static func opened(_ path: String) throws(SystemError) -> Descriptor {
        try Descriptor(opening: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    }
}
