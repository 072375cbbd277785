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

    /// The processes of system mode that serve this user: the front, and the user's device.
    static func ofSystem(for uid: UInt32) -> [Int32] {
        FolderNames.all(in: "/proc").compactMap { Int32($0) }.filter { pid in
            switch ProcessLine(of: pid)?.name {
            case "thumbturn-front": true
            case "thumbturnd": isDevice(pid, of: uid)
            default: false
            }
        }
    }

    private static func isDevice(_ pid: Int32, of uid: UInt32) -> Bool {
        guard let groups = Transfer.file("/proc/\(pid)/cgroup", atMost: groupsBytes) else { return false }
        return String(decoding: groups, as: UTF8.self).contains("/thumbturn-device@\(uid).service")
    }
}
