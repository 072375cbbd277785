internal import CThumbLinux
internal import ThumbAccess

/// The system that a command changes: this one, or one that lies in a folder.
struct System {
    /// Before every path of it; empty for this one.
    let root: String

    init(root: String?) throws(Failure) {
        guard let root else {
            self.root = ""
            return
        }
        let whole = try Self.resolved(root, root)
        self.root = whole == "/" ? "" : whole
    }

    /// A path without links, dots and doubled slashes.
    static func resolved(_ path: String, _ named: String) throws(Failure) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            throw Failure("notFound", .notFound, "there is no '\(SafeText(named, limit: 60))'")
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// A whole path of the machine's as this system has it: what lies in the system's folder is there without it.
    func inside(_ path: String) -> String { path.hasPrefix(root + "/") ? String(path.dropFirst(root.count)) : path }

    /// Whether nobody but root can put something else at that place: all folders on the way are root's. One that isn't there
    /// counts as its nearest that is.
    func isRootsAlone(parentsOf path: String) throws(Failure) -> Bool {
        var folder = root
        for part in [""] + path.split(separator: "/").dropLast().map(String.init) {
            folder += part.isEmpty ? "" : "/" + part
            // Links and all: what stands behind a link is looked at as itself, and so is who may change the link.
            var status = stat()
            guard unsafe lstat(folder.isEmpty ? "/" : folder, &status) == 0 else { return thumb_errno() == ENOENT }
            guard status.st_uid == 0 else { return false }
            if thumb_is_symlink(status.st_mode) != 0 {
                let target = try Self.resolved(folder, folder)
                guard target.hasPrefix(root + "/") || root.isEmpty else { return false }
                guard try isRootsAlone(parentsOf: String(target.dropFirst(root.count)) + "/inside") else { return false }
            } else if status.st_mode & 0o022 != 0 {
                return false
            }
        }
        return true
    }

    // MARK: Groups

    /// Makes a system group without members; its number.
    func makeGroup(_ name: String) throws(Failure) -> UInt32 {
        guard try run("groupadd", ["--system", name]) == 0 else {
            throw Failure(
                "groupadd", .failed, "the group '\(name)' can't be made",
                advice: "a group of that name may be there: 'groupdel \(name)' removes it")
        }
        let lines = try lines(of: root + "/etc/group")
        for line in lines {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count == 4, fields[0] == name, fields[3].isEmpty, let gid = UInt32(fields[2]) { return gid }
        }
        throw Failure("groupadd", .failed, "the group '\(name)' was made and isn't in the system's file of groups")
    }

    func removeGroup(_ name: String) throws(Failure) {
        guard try run("groupdel", [name]) == 0 else {
            throw Failure("groupdel", .failed, "it is a program like any other now; its group '\(name)' can't be removed")
        }
    }

    private func run(_ program: String, _ words: [String]) throws(Failure) -> Int32 {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        let prefix = root.isEmpty ? [] : ["--prefix", root]
        do {
            let null = unsafe thumb_open("/dev/null", O_RDWR | O_CLOEXEC, 0)
            defer { close(null) }
            return try Spawned(
                Spawned.Terms(
                    program: "/usr/sbin/" + program, arguments: [program] + prefix + words,
                    environment: ["PATH=/usr/sbin:/usr/bin"],
                    descriptors: (null, null), blocked: none)
            ).wait()
        } catch {
            throw Failure(
                "noGroups", .failed, "/usr/sbin/\(program) can't be run", advice: "it comes with the package 'passwd' or 'shadow'"
            )
        }
    }

    private func lines(of path: String) throws(Failure) -> [Substring] {
        guard let bytes = Registry.contents(of: path, limit: 16 << 20) else {
            throw Failure("groupadd", .failed, "the system's file of groups can't be read")
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
