import CThumbLinux
import CThumbSystemd
public import ThumbAccess

/// Where users sit, according to logind.
public enum LoginSessions {
    /// The types of sessions that have a display.
    private static let graphical: Set = ["x11", "wayland", "mir"]

    /// Where a process's user sits: in the process's session or, if the user's own manager started it, in the user's.
    public static func place(of pid: Int32, uid: UInt32) -> CallerPlace {
        let own = session(of: pid)
        guard let session = own ?? sessionBehindManager(of: pid, uid) else { return .unknown }
        var owner = uid_t.max
        // In a session of another user's (through su or sudo) this user doesn't sit.
        guard unsafe sd_session_get_uid(session, &owner) >= 0, owner == uid else { return .unknown }
        let remote = unsafe sd_session_is_remote(session)
        guard remote == 0 else { return remote > 0 ? .remote : .unknown }
        switch unsafe text({ unsafe sd_session_get_type(session, $0) }) {
        case let type? where graphical.contains(type): return .display(session: session)
        // A program that the user's manager started has no terminal there.
        case "tty": return own == nil ? .unknown : .console(session: session)
        default: return .unknown
        }
    }

    /// The session of a user that this machine shows.
    enum Stage: Hashable {
        case display(session: String)
        case console(session: String)
    }

    /// The user's active session at this machine: a graphical one, or else a console; nil if there is none. A session without a seat, such
    /// as a remote desktop server's, isn't in front of anybody at this machine, although logind calls it active as long as it lasts.
    static func stage(of uid: UInt32) -> Stage? {
        var console: Stage?
        for session in active(of: uid) {
            guard unsafe sd_session_is_remote(session) == 0, unsafe sd_session_is_active(session) > 0,
                unsafe text({ unsafe sd_session_get_seat(session, $0) }) != nil,
                // A closing session doesn't count: its user has left.
                unsafe text({ unsafe sd_session_get_state(session, $0) }) == "active"
            else { continue }
            switch unsafe text({ unsafe sd_session_get_type(session, $0) }) {
            case let type? where graphical.contains(type): return .display(session: session)
            case "tty": console = console ?? .console(session: session)
            default: break
            }
        }
        return console
    }

    /// What the machine's screen shows, if that is graphical.
    enum Front: Hashable {
        /// The greeter, where anybody may log in.
        case greeter
        case display(session: String, of: UInt32)
    }

    /// What the machine's screen shows; nil if that is a text console, or nothing. A greeter on another seat is in front of somebody else.
    static var inFront: Front? {
        var owner = uid_t.max
        guard let session = unsafe text({ unsafe sd_seat_get_active("seat0", $0, &owner) }),
            unsafe sd_session_is_remote(session) == 0,
            unsafe text({ unsafe sd_session_get_state(session, $0) }) == "active",
            let type = unsafe text({ unsafe sd_session_get_type(session, $0) }), graphical.contains(type)
        else { return nil }
        switch unsafe text({ unsafe sd_session_get_class(session, $0) }) {
        case "greeter": return .greeter
        case "user": return .display(session: session, of: owner)
        default: return nil
        }
    }

    /// Where a prompt is shown: in a window on its session's own display, or on its session's own terminal.
    static func spot(of pid: Int32, uid: UInt32, on surface: PromptSurface) -> PromptSpot {
        switch surface {
        case .terminal:
            guard let session = session(of: pid), isOwn(session, of: uid),
                let terminal = unsafe text({ unsafe sd_session_get_tty(session, $0) }),
                let own = controllingTerminal(of: pid), own == terminal
            else { return .elsewhere }
            return .console(session: session)
        case .x11(let display):
            guard let session = place(of: pid, uid: uid).windowSession,
                let own = unsafe text({ unsafe sd_session_get_display(session, $0) }), screenless(own) == screenless(display)
            else { return .elsewhere }
            return .window(session: session)
        case .wayland(let compositor):
            // libsystemd would take process 0 for the caller.
            guard compositor > 0, let session = place(of: pid, uid: uid).windowSession,
                place(of: compositor, uid: uid).windowSession == session
            else { return .elsewhere }
            return .window(session: session)
        }
    }

    /// The text console that a process has for its controlling terminal, if it is in no session. For a process of root's that is a login which
    /// asks before there is a session.
    static func loginConsole(of pid: Int32) -> String? { session(of: pid) == nil ? controllingTerminal(of: pid) : nil }

    /// The text console that the machine's screen shows, by its name below `/dev`; nil if there is none.
    static var consoleInFront: String? {
        line(of: "/sys/class/tty/tty0/active").map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
    }

    /// An X display's name without its screen: `:0.0` is `:0`.
    private static func screenless(_ display: String) -> Substring {
        guard let colon = display.lastIndex(of: ":"), let dot = display[colon...].firstIndex(of: ".") else { return display[...] }
        return display[..<dot]
    }

    private static func isOwn(_ session: String, of uid: UInt32) -> Bool {
        var owner = uid_t.max
        return unsafe sd_session_get_uid(session, &owner) >= 0 && owner == uid
    }

    private static func active(of uid: UInt32) -> [String] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard unsafe sd_uid_get_sessions(uid, 1, &list) >= 0, let found = unsafe list else { return [] }
        defer { unsafe free(found) }
        var sessions: [String] = []
        var place = 0
        while let name = unsafe found[place] {
            sessions.append(unsafe String(cString: name))
            unsafe free(name)
            place += 1
        }
        return sessions
    }

    /// The controlling terminal of a process, by its name below `/dev`; nil if it has none, or none that is a console's.
    private static func controllingTerminal(of pid: Int32) -> String? {
        // The name, in brackets, may contain anything. The fifth field after it is the terminal's number.
        guard let line = line(of: "/proc/\(pid)/stat"), let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line[(end + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 4, let number = UInt32(String(decoding: fields[4], as: UTF8.self)) else { return nil }
        // Virtual consoles are character device 4, 1 to 63. Nobody sits at others (serial lines, pseudo-terminals).
        let (major, minor) = (number >> 8 & 0xfff, number & 0xff | number >> 12 & 0xfff00)
        return major == 4 && (1...63).contains(minor) ? "tty\(minor)" : nil
    }

    /// A file of the kernel's that has one line.
    private static func line(of path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    /// The user's main session, whose lock the login manager tells.
    static func display(of uid: UInt32) -> String? { unsafe text { unsafe sd_uid_get_display(uid, $0) } }

    static func session(of pid: Int32) -> String? { unsafe text { unsafe sd_pid_get_session(pid, $0) } }

    /// A desktop's programs are mostly started by the user's manager, which is in no session. Then the user's main session
    /// counts.
    private static func sessionBehindManager(of pid: Int32, _ uid: UInt32) -> String? {
        guard unsafe text({ unsafe sd_pid_get_user_unit(pid, $0) }) != nil else { return nil }
        return display(of: uid)
    }

    /// A string that libsystemd returns and that is ours to free.
    @unsafe private static func text(_ ask: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32) -> String? {
        var answer: UnsafeMutablePointer<CChar>?
        guard unsafe ask(&answer) >= 0, let found = unsafe answer else { return nil }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }
}
