import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn doctor`
enum Doctor {
    static let command = Command(
        "doctor", "show what protects you on this machine, and what is weak",
        discussion: [
            "Looks at each link between your finger and a secret: what is there, what that means for you, and the command that "
                + "mends it. Then it lists what a program that runs as you could still do, even if every link is sound. The "
                + "weakest link comes last."
        ],
        exits: [
            ExitStatus(0, "every link is sound"), ExitStatus(1, "a link is weak or missing"),
            ExitStatus(2, "the daemon can't be reached"),
        ],
        examples: [
            Example("See what is weak, and have a script read it", "thumbturn doctor", "thumbturn doctor --json | jq .weakest")
        ]
    ) { _ throws(Failure) in
        let status = try Daemon.status()
        return outcome(
            status, reader: USBReader.find(),
            prompt: PromptWay.fromHere(
                isAtDisplay: status.isAtDisplay, hasAgent: status.hasPromptAgent, isSystem: status.mode == .system),
            keyring: status.mode == .simulated ? nil : DesktopKeyring.find())
    }

    static func outcome(
        _ status: DeviceStatus, reader: USBReader?, prompt: PromptWay, keyring: DesktopKeyring? = nil
    ) -> Outcome {
        let links = ChainLink.all(status, reader: reader, prompt: prompt) + [ChainLink.keyring(keyring)].compactMap(\.self)
        let weakest = links.filter { $0.level != .sound }.min { $0.strength < $1.strength }
        var lines = links.flatMap(self.lines)
        let possible = StillPossible.list(status)
        lines +=
            ["", "In \(ChainLink.name(status.mode)) mode a program that runs as you could still:"] + possible.map { "  " + $0 }
        lines.append("")
        if let weakest {
            lines.append(
                "Weakest link: the \(weakest.name). " + (weakest.mend.map { "Run '\($0)'." } ?? "No command mends it."))
        } else {
            lines.append("Every link is sound.")
        }
        return Outcome(
            lines: lines,
            json: .object([
                ("mode", .text(ChainLink.name(status.mode))),
                ("process", .number(Int64(status.processID))),
                ("links", .list(links.map(\.json))),
                ("stillPossible", .list(possible.map { .text($0) })),
                ("weakest", .optional(weakest?.name)),
            ]),
            exit: weakest == nil ? .done : .no)
    }

    private static func lines(_ link: ChainLink) -> [String] {
        let head = Columns.padded(link.name, 15) + Columns.padded(link.level.rawValue, 9) + link.finding
        let mend = link.mend.map { ["    mend: \($0)"] } ?? []
        return [head] + Prose.wrapped(link.meaning, indent: 4) + mend
    }
}
