import CThumbLinux
import ThumbSystem

/// How a prompt would be shown to a caller from this process, for commands that want to know this in advance.
public enum PromptWay: Sendable, Hashable {
    /// An agent of the user's session has registered with the daemon.
    case agent
    /// The agent would be started by the user's manager.
    case startedAgent
    /// A window that this process would start.
    case window
    case terminal
    /// The program that shows prompts isn't installed.
    case notInstalled
    /// It is installed but has no group by which the system's daemon would recognize it, so it isn't let in.
    case withoutGroup(String)
    /// There is no terminal and no display, or the daemon wouldn't let a program of this process show a prompt there.
    case nowhere

    /// The way from here. The ways are tried in the order of `PromptStarter`, but nothing is started.
    public static func fromHere(isAtDisplay: Bool, hasAgent: Bool, isSystem: Bool) -> PromptWay {
        if hasAgent { return .agent }
        let word = Finding.environment("THUMBTURN_PROMPT")
        if word == "window" || isAtDisplay && word != "terminal" {
            if let agent = WindowAgent.socket, unsafe access(agent, F_OK) == 0 { return .startedAgent }
            if let window = PromptStarter.windowProgram(isSystem: isSystem) {
                return isSystem ? vouched(window, .window) : .window
            }
        }
        if isSystem && PromptStarter.gainsNothing { return .nowhere }
        do throws(SystemError) { _ = try Descriptor(opening: "/dev/tty", O_RDWR) } catch { return .nowhere }
        guard let prompt = Installed.program("thumbturn-prompt") else { return .notInstalled }
        return isSystem ? vouched(prompt, .terminal) : .terminal
    }

    /// The system's daemon lets in only a prompt with the group; root's own prompts need none.
    static func vouched(_ program: String, _ way: PromptWay, by user: UInt32 = geteuid()) -> PromptWay {
        var status = stat()
        guard user != 0, unsafe stat(program, &status) == 0 else { return way }
        return status.st_mode & UInt32(S_ISGID) == 0 ? .withoutGroup(program) : way
    }
}
