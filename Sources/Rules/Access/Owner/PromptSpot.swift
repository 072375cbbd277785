/// What a prompt draws on, according to its hello. This is a claim, which the daemon compares with what the login manager knows.
public enum PromptSurface: Sendable, Hashable {
    case terminal
    /// An X server, by its display's name.
    case x11(display: String)
    /// A Wayland compositor, by the number of its process: the one behind the socket that the window is connected to.
    case wayland(compositor: Int32)
}

/// Where a prompt is, as the daemon found it.
public enum PromptSpot: Sendable, Hashable {
    /// On the session's own display, in a graphical session at this machine.
    case window(session: String)
    /// On the terminal of a console session at this machine, which is the prompt's controlling terminal.
    case console(session: String)
    /// On a text console of this machine, by its name below `/dev`, which is the login's controlling terminal.
    case loginConsole(terminal: String)
    /// At this machine's greeter, which shows what the login tells it.
    case greeter
    /// At the greeter over the locked session of that name.
    case lockScreen(session: String)
    /// Anywhere else. The prompt can be read and answered there, but nobody knows whether that is beside the sensor.
    case elsewhere
}
