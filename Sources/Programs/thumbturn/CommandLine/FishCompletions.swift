/// Completions for fish: a line for each thing that can stand at each place.
enum FishCompletions {
    static func script(_ program: Command = .program) -> String {
        var lines = ["# fish completions of thumbturn, printed by: thumbturn completions fish", "complete -c thumbturn -f"]
        for (path, command) in program.walk() {
            let here = condition(path, command)
            for subcommand in command.subcommands {
                lines.append("complete -c thumbturn -n '\(here)' -a \(subcommand.name) -d '\(quoted(subcommand.summary))'")
            }
            for operand in command.operands where !operand.values.isEmpty {
                lines.append("complete -c thumbturn -n '\(here)' -a '\(operand.values.joined(separator: " "))'")
            }
            for option in command.allOptions {
                lines.append(
                    "complete -c thumbturn -n '\(here)' -l \(option.name)\(option.value.map(value) ?? "") -d '\(quoted(option.help))'"
                )
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// True where the line has come to this command and to none below it.
    private static func condition(_ path: [String], _ command: Command) -> String {
        let names = path.dropFirst()
        var terms = names.map { "__fish_seen_subcommand_from \($0)" }
        if !command.subcommands.isEmpty {
            terms.append("not __fish_seen_subcommand_from " + command.subcommands.map(\.name).joined(separator: " "))
        }
        return terms.joined(separator: "; and ")
    }

    private static func value(_ value: Command.Value) -> String {
        switch value {
        case .text: " -x"
        case .choice(_, let choices): " -x -a '\(choices.joined(separator: " "))'"
        case .file: " -r -F"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for character in text { quoted += character == "'" || character == "\\" ? "\\\(character)" : String(character) }
        return quoted
    }
}
