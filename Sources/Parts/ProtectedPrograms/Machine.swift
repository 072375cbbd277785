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
        // The way is gone as the kernel goes it, one link after the other: a link that lies between two of root's decides too.
        var ahead = Array(path.split(separator: "/").dropLast().reversed().map(String.init))
        var folder = root
        var links = 0
        guard try isRootsFolder(root.isEmpty ? "/" : root) != .no else { return false }
        while let part = ahead.popLast() {
            switch part {
            case ".": continue
            case "..":
                if folder != root { folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]) }
                continue
            default: break
            }
            switch try isRootsFolder(folder + "/" + part) {
            case .yes: folder += "/" + part
            case .no: return false
            case .missing: return true
            case .link(let target):
                links += 1
                guard links <= Self.linksLimit else { return false }
                if target.hasPrefix("/") {
                    // On an image it would lead to this machine's own folders.
                    guard target.hasPrefix(root + "/") else { return false }
                    folder = root
                }
                let way = target.hasPrefix("/") ? target.dropFirst(root.count) : target[...]
                ahead += way.split(separator: "/").reversed().map(String.init)
            }
        }
        return true
    }

    /// As many as the kernel follows.
    private static let linksLimit = 40

    private enum Folder: Equatable {
        case yes, no, missing
        case link(String)
    }

    /// Whether root alone can put something into that folder, or change where that link leads.
    private func isRootsFolder(_ path: String) throws(ProtectionFailure) -> Folder {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return thumb_errno() == ENOENT ? .missing : .no }
        guard status.st_uid == 0 else { return .no }
        guard thumb_is_symlink(status.st_mode) != 0 else { return status.st_mode & 0o022 == 0 ? .yes : .no }
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &room, room.count)
        guard count > 0, count < room.count else { throw .noFile(path) }
        return .link(String(decoding: room[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
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
