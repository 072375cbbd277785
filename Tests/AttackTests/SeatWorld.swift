import Foundation
import thumbturn_test_programs

/// A machine on which logind says of an app and its prompt what a test says: its files, and the kernel's word on each process's control
/// group and terminal.
struct SeatWorld: Sendable {
    static let owner: UInt32 = 4242

    /// What logind keeps about a session.
    struct Session: Sendable {
        var type = "x11"
        var kind = "user"
        var uid = SeatWorld.owner
        var isActive = true
        var isRemote = false
        var seat: String? = "seat0"
        var state: String?
        var display: String? = ":0"
        var terminal: String? = "tty2"

        func file(_ name: String) -> String {
            var lines = [
                "UID=\(uid)", "USER=owner", "ACTIVE=\(isActive ? 1 : 0)", "IS_DISPLAY=1",
                "STATE=\(state ?? (isActive ? "active" : "online"))", "REMOTE=\(isRemote ? 1 : 0)", "TYPE=\(type)",
                "CLASS=\(kind)",
                "SCOPE=session-\(name).scope",
            ]
            if let seat { lines.append("SEAT=\(seat)") }
            if let display, type == "x11" { lines.append("DISPLAY=\(display)") }
            if let terminal { lines.append("TTY=\(terminal)") }
            return lines.joined(separator: "\n") + "\n"
        }
    }

    /// Where a process is.
    enum Place: Sendable {
        case session(String, of: UInt32 = SeatWorld.owner)
        /// Started by the user's own manager.
        case manager
        case nowhere

        var group: String {
            switch self {
            case .session(let name, let uid): "/user.slice/user-\(uid).slice/session-\(name).scope"
            case .manager:
                "/user.slice/user-\(SeatWorld.owner).slice/user@\(SeatWorld.owner).service/app.slice/a.service"
            case .nowhere: "/system.slice/a.service"
            }
        }
    }

    enum Surface: Sendable {
        case terminal
        /// The prompt is a login's, which has a greeter show what it says: before there is a session, or over the one that the app is in.
        case greeter, lockScreen
        case x11(String)
        /// A compositor that is there.
        case wayland(Place)
        /// What a prompt says is one.
        case claimed(Int32)
    }

    var sessions: [String: Session] = [:]
    /// The one that the user's manager's programs are seen in.
    var main: String?
    var app = Place.nowhere
    var prompt = Place.nowhere
    /// The prompt's controlling terminal, as the kernel numbers it; 0 for none.
    var terminal = 0
    var surface = Surface.terminal
    var isLocked = false
    var environment: [String: String] = [:]

    static func virtualConsole(_ number: Int) -> Int { 4 << 8 | number }
    static let pseudoterminal = 136 << 8 | 1

    /// What the daemon's part says there: whether a preflight promises a sensor, and whether a touch counts.
    func answer() throws -> (preflight: Bool, touch: Bool) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "thumbturn-seat-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["sessions", "users", "seats"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: "systemd/" + name), withIntermediateDirectories: true)
        }
        func write(_ text: String, _ name: String) throws -> String {
            let file = folder.appending(path: name)
            try text.write(to: file, atomically: false, encoding: .utf8)
            return file.path
        }
        for (name, session) in sessions { _ = try write(session.file(name), "systemd/sessions/" + name) }
        for seat in Set(sessions.values.compactMap(\.seat)) {
            let front = sessions.first { $0.value.seat == seat && $0.value.isActive }
            let active = front.map { "ACTIVE=\($0.key)\nACTIVE_UID=\($0.value.uid)\n" } ?? ""
            _ = try write("IS_SEAT0=\(seat == "seat0" ? 1 : 0)\n" + active, "systemd/seats/" + seat)
        }
        let own = sessions.filter { $0.value.uid == Self.owner }
        let active = own.filter(\.value.isActive).keys.sorted().joined(separator: " ")
        let all = own.keys.sorted().joined(separator: " ")
        _ = try write(
            "NAME=owner\nSTATE=active\n" + (main.map { "DISPLAY=\($0)\n" } ?? "")
                + "SESSIONS=\(all)\nACTIVE_SESSIONS=\(active)\nONLINE_SESSIONS=\(all)\n", "systemd/users/\(Self.owner)")
        var binds: [String] = []
        var processes: [pid_t] = []
        defer {
            for pid in processes {
                kill(pid, SIGKILL)
                _ = waited(for: pid)
            }
        }
        /// A process in that place.
        func process(_ place: Place, terminal: Int = 0) throws -> pid_t {
            let pid = try spawn(["sleep", "600"], ["PATH": "/usr/bin:/bin"], [.nothing, .nothing, .nothing])
            processes.append(pid)
            let group = try write("1:name=systemd:\(place.group)\n0::\(place.group)\n", "cgroup-\(pid)")
            let stat = try write("\(pid) (a ) 9) S 1 \(pid) \(pid) \(terminal) -1 4194304 0 0 0 0\n", "stat-\(pid)")
            binds += ["--ro-bind", group, "/proc/\(pid)/cgroup", "--ro-bind", stat, "/proc/\(pid)/stat"]
            return pid
        }
        let (app, prompt) = (try process(app), try process(prompt, terminal: terminal))
        let drawn: [String] =
            switch surface {
            case .terminal: ["terminal"]
            case .greeter: ["greeter"]
            case .lockScreen: ["lock-screen"]
            case .x11(let display): ["x11", display]
            case .wayland(let place): ["wayland", "\(try process(place))"]
            case .claimed(let pid): ["wayland", "\(pid)"]
            }
        // Who asks is a program of the user's manager, as a user's own daemon is.
        let group = Place.manager.group
        let daemon = try write("1:name=systemd:\(group)\n0::\(group)\n", "cgroup-own")
        return try ask(
            ["bwrap", "--dev-bind", "/", "/", "--bind", folder.appending(path: "systemd").path, "/run/systemd"] + binds
                + [
                    "--cap-add", "CAP_SYS_ADMIN", "sh", "-c", #"mount --bind "$0" /proc/$$/cgroup && exec "$@""#, daemon,
                    builtPrograms.path + "/thumbturn-test-seat", "\(Self.owner)", "\(app)", "\(prompt)",
                    isLocked ? "locked" : "unlocked",
                ] + drawn)
    }

    private func ask(_ words: [String]) throws -> (preflight: Bool, touch: Bool) {
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        let pid = try spawn(
            words, environment.merging(["PATH": "/usr/bin:/bin"]) { mine, _ in mine },
            [.nothing, .descriptor(writing), .descriptor(2)])
        close(writing)
        let said = String(decoding: FileHandle(fileDescriptor: reading).readDataToEndOfFile(), as: UTF8.self)
        guard waited(for: pid) == 0 else { throw CannotStart(program: "thumbturn-test-seat") }
        switch said {
        case "sensor counts\n": return (true, true)
        case "sensor doesn't\n": return (true, false)
        case "none counts\n": return (false, true)
        case "none doesn't\n": return (false, false)
        default: throw CannotStart(program: "thumbturn-test-seat, which said \(said)")
        }
    }
}
