import CThumbLinux

/// A folder that only this user can look into, and that goes with everything in it.
public struct TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// What a socket's path may add behind the folder's, within the kernel's 107 bytes.
    private static let longestBase = 70

    /// Makes one whose name begins so, below `$TMPDIR` where that is a whole path that leaves room for a socket's.
    public init(_ prefix: String) throws(SystemError) {
        var base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        if !base.hasPrefix("/") || base.utf8.count > Self.longestBase { base = "/tmp" }
        var name = Array("\(base)/\(prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else { throw .last }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes it. What can't be removed is left behind: a temporary folder, nothing more.
    public func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        // A link is removed and not followed: unlink comes first.
        if unsafe unlink(path) == 0 { return }
        for name in FolderNames.all(in: path) { remove(path + "/" + name) }
        _ = unsafe rmdir(path)
    }
}
