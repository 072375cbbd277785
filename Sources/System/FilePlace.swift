import CThumbLinux

/// Where a path leads.
public enum FilePlace {
    /// The folder that contains a file.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether something has that path, and be it a link that leads nowhere.
    public static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }
}
