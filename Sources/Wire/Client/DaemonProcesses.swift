import CThumbLinux
import ThumbLoop
import ThumbSystem

/// What the kernel says of a process in one line: `1234 (thumbturnd) S 1 …`.
struct ProcessLine: Sendable {
    /// Its program's name, of which the kernel keeps fifteen letters.
    let name: String
    /// Whether somebody has stopped it, as Ctrl-Z and a debugger do.
    let isStopped: Bool
    /// When it began, in seconds since this boot.
    let began: Double
    /// Whose it is; nil if that can't be seen.
    private(set) var owner: UInt32?

    /// Longest line that is read.
    private static let limit = 4096
    /// The kernel's own unit of time in such lines. It never changes.
    private static let ticksPerSecond = 100.0
    /// Where the state and the beginning stand among the words after the name.
    private static let (statePlace, beginPlace) = (0, 19)

    /// nil if there is no such process.
    init?(of pid: Int32) {
        guard let bytes = Transfer.file("/proc/\(pid)/stat", atMost: Self.limit) else { return nil }
        self.init(String(decoding: bytes, as: UTF8.self))
        var status = stat()
        // The folder itself is always its user's, also that of a process that others can't look into.
        if unsafe stat("/proc/\(pid)", &status) == 0 { owner = status.st_uid }
    }

    init?(_ line: String) {
        // A name may have brackets of its own.
        guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close else { return nil }
        let words = line[line.index(after: close)...].split(separator: " ")
        guard words.count > Self.beginPlace, let ticks = Double(words[Self.beginPlace]) else { return nil }
        name = String(line[line.index(after: open)..<close])
        isStopped = words[Self.statePlace] == "T" || words[Self.statePlace] == "t"
        began = ticks / Self.ticksPerSecond
    }
}

/// The processes that may be at the other end of a client's connection.
enum DaemonProcesses {
    /// Longest list of a process's control groups that is read.
    private static let groupsBytes = 4096

    /// The daemon that listens behind a connection. nil if that is a service manager, or a program that isn't ours.
    static func behind(_ fd: Int32) -> Int32? {
        guard let pid = UnixSocket.peer(of: fd)?.pid, let line = ProcessLine(of: pid) else { return nil }
        return ["thumbturnd", "thumbturn-front", "thumbturn-simul"].contains(line.name) ? pid : nil
    }

    /// The processes that serve this user behind a service manager's socket: the user's own daemon or, in system mode, the front and the
    /// user's device.
    static func managed(for uid: UInt32, isRoots: Bool) -> [Int32] {
        FolderNames.all(in: "/proc").compactMap { Int32($0) }.filter { isRoots ? isSystems($0, for: uid) : isDaemon($0, of: uid) }
    }

    /// Whether a process is a daemon of that user's own.
    static func isDaemon(_ pid: Int32, of uid: UInt32) -> Bool {
        guard let line = ProcessLine(of: pid) else { return false }
        return line.name == "thumbturnd" && line.owner == uid
    }

    /// Whether a process is one of system mode's. Anybody can give a program their names, and have root's rights in it for a while (su), but
    /// only root puts a process into the system's services.
    private static func isSystems(_ pid: Int32, for uid: UInt32) -> Bool {
        guard let name = ProcessLine(of: pid)?.name, let service = service(named: name, for: uid),
            let groups = Transfer.file("/proc/\(pid)/cgroup", atMost: groupsBytes)
        else { return false }
        return isIn(service, String(decoding: groups, as: UTF8.self))
    }

    /// The control group of the service whose program has that name.
    static func service(named name: String, for uid: UInt32) -> String? {
        switch name {
        case "thumbturn-front": "/system.slice/thumbturn.service"
        case "thumbturnd": "/system.slice/system-thumbturn\\x2ddevice.slice/thumbturn-device@\(uid).service"
        default: nil
        }
    }

    /// Whether this is the control group that the service manager keeps a process in. A line is `0::/system.slice/…`, or, with the older
    /// kind of groups, `1:name=systemd:/system.slice/…`.
    static func isIn(_ service: String, _ groups: String) -> Bool {
        groups.split(separator: "\n").contains { line in
            // Whoever may make groups chooses their names, which may have colons: they come last.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 && parts[2] == service && (parts[1] == "name=systemd" || parts[0] == "0" && parts[1].isEmpty)
        }
    }
}
