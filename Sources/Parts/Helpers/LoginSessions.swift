internal import CThumbLinux
internal import CThumbSystemd
public import ThumbAccess

/// Where users sit, as logind has noted it.
public enum LoginSessions {
    /// Where a process's user sits: in the process's session, or, for what the user's own manager started, in the user's.
    public static func place(of pid: Int32, uid: UInt32) -> CallerPlace {
        guard let session = session(of: pid) ?? sessionBehindManager(of: pid, uid) else { return .unknown }
        var owner = uid_t.max
        // A session of another user (through su or sudo) isn't where this one sits.
        guard unsafe sd_session_get_uid(session, &owner) >= 0, owner == uid else { return .unknown }
        let remote = unsafe sd_session_is_remote(session)
        guard remote == 0 else { return remote > 0 ? .remote : .unknown }
        switch unsafe text({ unsafe sd_session_get_type(session, $0) }) {
        case "x11", "wayland", "mir": return .display(session: session)
        case "tty": return .console
        default: return .unknown
        }
    }

    private static func session(of pid: Int32) -> String? { unsafe text { unsafe sd_pid_get_session(pid, $0) } }

    /// A desktop's programs are mostly started by the user's manager, which is in no session: then it is the user's main one.
    private static func sessionBehindManager(of pid: Int32, _ uid: UInt32) -> String? {
        guard unsafe text({ unsafe sd_pid_get_user_unit(pid, $0) }) != nil else { return nil }
        return unsafe text { unsafe sd_uid_get_display(uid, $0) }
    }

    /// What libsystemd answers with a string that is ours to free.
    @unsafe private static func text(_ ask: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32) -> String? {
        var answer: UnsafeMutablePointer<CChar>?
        guard unsafe ask(&answer) >= 0, let found = unsafe answer else { return nil }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }
}
