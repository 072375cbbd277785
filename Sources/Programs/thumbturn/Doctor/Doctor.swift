internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let doctor: Command = .init(
        name: "doctor", summary: "tell what is real on this machine, and what is weak",
        discussion: [
            "Looks at each link between the owner's finger and a secret: what stands, what that means, and the command that mends it. "
                + "Then what a program that runs as you could still do in this mode, however sound the links are. The weakest link "
                + "is named last.",
            "Exit status: 0 if every link is sound, 1 if one is weak or missing, 2 if the daemon can't be reached.",
        ]
    ) { _ throws(Failure) in
        let status = try Device.status()
        return Doctor.outcome(
            status, reader: USBReader.find(),
            prompt: PromptWay.fromHere(
                isAtDisplay: status.isAtDisplay, hasAgent: status.hasPromptAgent, isSystem: status.mode == .system))
    }
}

enum Doctor {
    static func outcome(_ status: DeviceStatus, reader: USBReader?, prompt: PromptWay) -> Outcome {
        let links = Link.all(status, reader: reader, prompt: prompt)
        let weakest = links.filter { $0.level != .sound }.min { $0.strength < $1.strength }
        var lines = links.flatMap(self.lines)
        let possible = StillPossible.list(status)
        lines += ["", "In \(Link.name(status.mode)) mode a program that runs as you could still:"] + possible.map { "  " + $0 }
        lines.append("")
        if let weakest {
            lines.append(
                "Weakest link: the \(weakest.name). " + (weakest.mend.map { "Run '\($0)'." } ?? "Nothing here mends it yet."))
        } else {
            lines.append("Every link is sound.")
        }
        return Outcome(
            lines,
            json: .object([
                ("mode", .text(Link.name(status.mode))),
                ("process", .number(Int64(status.processID))),
                ("links", .list(links.map(\.json))),
                ("stillPossible", .list(possible.map { .text($0) })),
                ("weakest", .optional(weakest?.name)),
            ]),
            exit: weakest == nil ? .done : .no)
    }

    private static func lines(_ link: Link) -> [String] {
        let head = Columns.padded(link.name, 15) + Columns.padded(link.level.rawValue, 9) + link.finding
        let mend = link.mend.map { ["    mend: \($0)"] } ?? []
        return [head] + Help.wrapped(link.meaning, indent: 4) + mend
    }
}
