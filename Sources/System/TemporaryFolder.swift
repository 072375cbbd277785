import CThumbLinux

/// A folder that only this user can look into, and that is removed with everything in it.
public struct TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Leaves enough of the kernel's 107 bytes for a socket's name after the folder's path.
    private static let longestBase = 70

    /// Makes one whose name begins with `prefix`, below `$TMPDIR` if that is an absolute path short enough for a socket below it.
    public init(_ prefix: String) throws(SystemError) {
        var base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        if !base.hasPrefix("/") || base.utf8.count > Self.longestBase { base = "/tmp" }
        try self.init(prefix, in: base)
    }

    /// Makes one whose name begins with `prefix` in another folder.
    public init(_ prefix: String, in base: String) throws(SystemError) {
        var name = Array("\(base)/\(prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else { throw .last }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A folder that this user made before.
    public init(at path: String) { self.path = path }

    /// Removes it. Anything that can't be removed stays behind, which does no harm in a temporary folder.
    public func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        // A link is removed, not followed, which is why unlink comes first.
        if unsafe unlink(path) == 0 { return }
        for name in FolderNames.all(in: path) { remove(path + "/" + name) }
        _ = unsafe rmdir(path)
    }
}
