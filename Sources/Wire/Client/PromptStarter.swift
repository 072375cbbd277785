import CThumbLinux
import ThumbLoop
import ThumbSystem

/// Shows a prompt to this program's user: through the session's agent, in a window of its own, or on this process's terminal. The ticket
/// goes through an inherited pipe or the agent's socket, because every program of the user can read arguments and environments.
struct PromptStarter: Sendable {
    /// nil if an agent shows the prompt: its process is no child of this one.
    private let child: Child?

    /// nil if there is no terminal and no window, or no program that shows the prompt.
    ///
    /// - Parameters:
    ///   - isAtDisplay: whether the daemon knows that this program's user sits at a display of this machine.
    ///   - isSystem: whether it is the system's daemon, which lets only programs with a group of root's show prompts.
    init?(ticket: [UInt8], socket: String, isAtDisplay: Bool, isSystem: Bool) {
        // The user may choose, for machines that no login manager knows.
        let word = Finding.environment("THUMBTURN_PROMPT")
        if word == "window" || isAtDisplay && word != "terminal" {
            if WindowAgent.takes(ticket) {
                child = nil
                return
            }
            if let program = Self.windowProgram(isSystem: isSystem), let window = Self.window(program, ticket, socket) {
                child = window
                return
            }
        }
        // A program that this process starts would get no group either, so the daemon wouldn't let it in.
        if isSystem && Self.gainsNothing { return nil }
        guard let terminal = Self.terminal(ticket, socket) else { return nil }
        child = terminal
    }

    /// Waits until the prompt has left the terminal as it found it.
    func wait() { _ = child?.wait() }

    /// Ends a prompt whose daemon says nothing. Otherwise it would wait for its answer, and the terminal would be its own until then.
    func end() { child?.terminate() }

    // MARK: Ways

    private static func terminal(_ ticket: [UInt8], _ socket: String) -> Child? {
        guard let program = Installed.program("thumbturn-prompt") else { return nil }
        do throws(SystemError) {
            let terminal = try Descriptor(opening: "/dev/tty", O_RDWR)
            let message = try pipe(holding: ticket + Array(socket.utf8))
            return try Spawn(
                program, ["thumbturn-prompt"], environment: .only(kept(["TERM", "NO_COLOR"] + languages)),
                descriptors: .only([terminal.number, terminal.number, terminal.number, message.number])
            ).start()
        } catch {
            return nil
        }
    }

    /// The program that shows a window from here. nil if there is no display, it isn't installed, or the daemon wouldn't let it in.
    static func windowProgram(isSystem: Bool) -> String? {
        guard Finding.environment("WAYLAND_DISPLAY") != nil || Finding.environment("DISPLAY") != nil else { return nil }
        if !isSystem { return Installed.program("thumbturn-window") }
        return gainsNothing ? nil : Installed.program("thumbturn-window-launcher")
    }

    /// Whether programs that this process starts can't gain a group, as in many services (`NoNewPrivileges=`).
    static var gainsNothing: Bool { thumb_prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 }

    /// The window's process, once it has a display and the daemon has let it in. If it fails, it has ended, and this is nil.
    private static func window(_ program: String, _ ticket: [UInt8], _ socket: String) -> Child? {
        do throws(SystemError) {
            let message = try pipe(holding: ticket + Array(socket.utf8))
            let readiness = try PipeEnds()
            let child = try Spawn(
                program, [program], environment: .only(kept(displays + languages)),
                descriptors: .only([nil, nil, nil, message.number, readiness.writing.number])
            ).start()
            let ready = readiness.takenReading()
            return stands(child, ready.number) ? child : nil
        } catch {
            return nil
        }
    }

    /// Whether the window reports that it is ready. If it doesn't, it is ended.
    private static func stands(_ child: Child, _ ready: Int32) -> Bool {
        if Readying.hears(ready) == UInt8(ascii: "R") { return true }
        // A display that doesn't answer must not hold the caller up. Without any display the window has ended by itself.
        child.kill()
        _ = child.wait()
        return false
    }

    private static let languages = ["LANG", "LC_ALL", "LC_MESSAGES", "LC_CTYPE"]
    /// What GTK needs to find the display, the desktop's settings and the screen reader.
    private static let displays = [
        "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "HOME",
        "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_CURRENT_DESKTOP", "GDK_BACKEND", "GDK_SCALE", "GTK_THEME", "GTK_A11Y",
    ]

    private static func kept(_ names: [String]) -> [String] {
        names.compactMap { name in Finding.environment(name).map { "\(name)=\($0)" } }
    }

    /// A pipe's reading end, with these bytes in it and the writing end closed.
    private static func pipe(holding message: [UInt8]) throws(SystemError) -> Descriptor {
        let ends = try PipeEnds()
        try Transfer.write(message, to: ends.writing.number)
        return ends.takenReading()
    }
}

/// The agent of the user's session, which listens where the user's service manager put its socket.
public enum WindowAgent {
    /// Where it listens, if it does; nil if the user has no folder for it.
    static var socket: String? {
        RuntimeFolder.path(uid: getuid(), environment: Finding.environment("XDG_RUNTIME_DIR")).map { $0 + "/window" }
    }

    /// Whether the agent shows a prompt for this ticket.
    public static func takes(_ ticket: [UInt8]) -> Bool {
        guard let socket, case .success(let fd) = UnixSocket.connect(to: socket) else { return false }
        defer { UnixSocket.close(fd) }
        guard let peer = UnixSocket.peer(of: fd), peer.uid == getuid() || peer.uid == 0 else { return false }
        let sent = unsafe ticket.withUnsafeBytes { unsafe send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        return sent == ticket.count && Readying.hears(fd) == 1
    }
}

/// The single byte with which a window reports that it is ready.
enum Readying {
    /// Longest wait, in milliseconds: enough for a toolkit to start on a busy machine, and well within a ticket's life.
    private static let patience: Int32 = 10_000

    /// nil if nothing comes in that time, or if the window ends first.
    static func hears(_ fd: Int32) -> UInt8? {
        var waits = [pollfd(fd: fd, events: Int16(POLLIN), revents: 0)]
        do throws(SystemError) {
            guard try polled(&waits, milliseconds: patience) == 1 else { return nil }
            return try Transfer.bytes(from: fd, count: 1).first
        } catch {
            return nil
        }
    }
}
