import CThumbLinux
import ThumbSystem

/// The machine whose programs are protected: this one, or one in a folder, as when an image is made.
public struct Machine: Sendable {
    /// Runs a program without input or output. Returns its exit status, or nil if it can't be run.
    public typealias Run = @Sendable (_ program: String, _ arguments: [String]) -> Int32?

    /// The prefix of each of its paths; empty for this machine.
    let root: String
    private let run: Run

    /// The machine that lies in the folder `root`, or this one.
    public init(root: String?, run: @escaping Run) throws(ProtectionFailure) {
        self.run = run
        guard let root else {
            self.root = ""
            return
        }
        let whole = try Self.resolved(root, root)
        self.root = whole == "/" ? "" : whole
    }

    /// A path without links, dots and doubled slashes.
    static func resolved(_ path: String, _ named: String) throws(ProtectionFailure) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            throw .noFile(named)
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// A whole path as this machine sees it, without the folder that the machine is in.
    func inside(_ path: String) -> String { path.hasPrefix(root + "/") ? String(path.dropFirst(root.count)) : path }

    /// Whether only root can put something else at that place, because all folders on the way belong to root. For a missing folder its
    /// nearest existing parent counts.
    func isRootsAlone(parentsOf path: String) throws(ProtectionFailure) -> Bool {
        var folder = root
        for part in [""] + path.split(separator: "/").dropLast().map(String.init) {
            folder += part.isEmpty ? "" : "/" + part
            // Links are followed too: both the target and the folder that holds the link must belong to root.
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

    /// Makes a system group without members. Returns its number.
    func makeGroup(_ name: String) throws(ProtectionFailure) -> UInt32 {
        guard try runTool("groupadd", ["--system", name]) == 0 else { throw .groupNotMade(name) }
        guard let file = Transfer.file(root + "/etc/group", atMost: Self.groupsLimit) else { throw .groupsUnreadable }
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count == 4, fields[0] == name, fields[3].isEmpty, let gid = UInt32(fields[2]) { return gid }
        }
        throw .groupMissing(name)
    }

    func removeGroup(_ name: String) throws(ProtectionFailure) {
        guard try runTool("groupdel", [name]) == 0 else { throw .groupNotRemoved(name) }
    }

    /// The largest file of groups that is read.
    private static let groupsLimit = 16 << 20

    private func runTool(_ name: String, _ words: [String]) throws(ProtectionFailure) -> Int32 {
        let program = "/usr/sbin/" + name
        guard let status = run(program, [name] + (root.isEmpty ? [] : ["--prefix", root]) + words) else { throw .noTool(program) }
        return status
    }
}
