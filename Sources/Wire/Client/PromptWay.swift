import CThumbLinux
import ThumbSystem

/// How a prompt would be shown to whoever calls from this process, for whoever wants to know before there is one.
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
    /// It is, and has no group by which the system's daemon would know it: it isn't let in.
    case withoutGroup(String)
    /// No terminal and no display, or none that the daemon would let a program of this process show a prompt on.
    case nowhere

    /// The way from here, in the order in which `PromptStarter` tries them; nothing is started.
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
