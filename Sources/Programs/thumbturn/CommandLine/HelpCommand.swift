extension Command {
    static let help: Command = .init(
        name: "help", summary: "tell how a command is used, or what a topic is about",
        operands: [
            Operand(
                name: "COMMAND",
                help: "a command, with its subcommand if it has one, or a topic: "
                    + Topic.all.map(\.name).joined(separator: ", "),
                values: [
                    "doctor", "verify", "secret", "key", "run", "sign-in", "ssh-agent", "ssh-key", "passcode", "fingers",
                    "enroll",
                    "forget", "allow", "apps", "protect", "log", "export", "import", "migrate", "store", "simulate",
                    "completions",
                ]
                    + Topic.all.map(\.name),
                isOptional: true,
                takesAll: true)
        ]
    ) { invocation throws(Failure) in
        var command = Command.program
        var path = [command.name]
        if let name = invocation.operands.first, let topic = Topic.all.first(where: { $0.name == name }) {
            return topic.outcome
        }
        for name in invocation.operands {
            guard let next = command.subcommand(name) else {
                throw .usage("there is no such command or topic", invocation.path)
            }
            command = next
            path.append(name)
        }
        return Help.outcome(command, path: path)
    }
}

/// What help has to say beside the commands.
struct Topic: Sendable {
    let name: String
    let outcome: Outcome

    static let all = [exitCodes]

    static let exitCodes = Topic(
        name: "exit-codes",
        outcome: Outcome(
            ["The exit status tells scripts how it ended:", ""]
                + Exit.allCases.map { exit in
                    let number = String(exit.rawValue)
                    return String(repeating: " ", count: 4 - number.count) + number + "  " + exit.meaning
                },
            json: .object([
                (
                    "exitCodes",
                    .list(
                        Exit.allCases.map {
                            .object([("status", .number(Int64($0.rawValue))), ("meaning", .text($0.meaning))])
                        })
                )
            ])))
}
