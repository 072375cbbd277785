import ThumbAccess
import ThumbClient

// From the daemon back to the owner: where a question would be shown.
extension ChainLink {
    static func prompt(_ way: PromptWay, _ status: DeviceStatus) -> ChainLink {
        func link(_ level: Level, _ finding: String, _ meaning: String, mend: String? = nil) -> ChainLink {
            ChainLink(name: "prompt", level: level, finding: finding, meaning: meaning, mend: mend, strength: 8)
        }
        if status.mode == .simulated { return link(.sound, "a script", "Nobody is asked.") }
        switch way {
        case .agent:
            return link(.sound, "a window, by this session's agent", "You are asked outside the program that wants something.")
        case .startedAgent:
            return link(
                .sound, "a window, by an agent that starts when needed", "You are asked outside the program that wants something."
            )
        case .window: return link(.sound, "a window", "You are asked in a window that the program itself starts.")
        case .terminal: return link(.sound, "this terminal", "You are asked where you type.")
        case .notInstalled:
            return link(.missing, "no program to ask with", "The program thumbturn-prompt isn't installed.", mend: "make install")
        case .withoutGroup(let program):
            return link(
                .missing, "a program that the system service doesn't let in",
                "The file \(program) has no group of its own, so the system service can't tell it from your other programs.",
                mend: "sudo thumbturn protect --name \(program.hasSuffix("-prompt") ? "prompt" : "window") \(program)")
        case .nowhere:
            return link(
                .weak, "nowhere from here",
                "There is no terminal and no display here, so you can't be asked, and programs are told so at once.")
        }
    }
}
