/// Where a caller's user sits according to the login manager, and so where a prompt for that caller can be seen.
public enum CallerPlace: Sendable, Hashable {
    /// In no session that the login manager knows. Counts as remote.
    case unknown
    case remote
    /// On a text console of this machine, in the session of that name.
    case console(session: String)
    /// On a text console of this machine, by its name below `/dev`, where the system's login asks before there is a session.
    case loginConsole(terminal: String)
    /// At this machine's greeter, which asks before there is a session.
    case greeter
    /// At the greeter over the graphical session of that name, which is locked.
    case lockScreen(session: String)
    /// In a graphical session at this machine, by its name.
    case display(session: String)

    /// The graphical session in which a window would be seen.
    public var windowSession: String? {
        if case .display(let session) = self { session } else { nil }
    }
}
