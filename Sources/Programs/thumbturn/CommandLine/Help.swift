/// The help of every command, made from the table of commands.
enum Help {
    static let width = 80

    static func outcome(_ command: Command, path: [String]) -> Outcome {
        Outcome(lines(command, path: path), json: json(command, path: path))
    }

    static func lines(_ command: Command, path: [String]) -> [String] {
        var lines = ["Usage: " + usage(command, path: path), ""]
        for paragraph in command.discussion.isEmpty ? [command.summary + "."] : command.discussion {
            lines += wrapped(paragraph, indent: 0) + [""]
        }
        lines += section("Commands", command.subcommands.map { ($0.name, $0.summary) })
        lines += section("Arguments", command.operands.map { ($0.name, $0.help + choices($0.values)) })
        lines += section(
            "Options",
            command.allOptions.map { option in
                (
                    option.flag + (option.value.map { " " + $0.placeholder } ?? ""),
                    option.help + choices(option.value?.choices ?? [])
                )
            })
        lines.append(
            command.subcommands.isEmpty
                ? "'thumbturn help exit-codes' tells what the exit status means."
                : "'\(path.joined(separator: " ")) COMMAND --help' tells more about a command.")
        return lines
    }

    static func usage(_ command: Command, path: [String]) -> String {
        var words = path
        if !command.subcommands.isEmpty && !command.takesProgram {
            words.append(command.action == nil ? "COMMAND" : "[COMMAND]")
        }
        for operand in command.operands where !operand.isProgram {
            let name = operand.takesAll ? operand.name + " …" : operand.name
            words.append(operand.isOptional ? "[\(name)]" : name)
        }
        words.append("[OPTION …]")
        for operand in command.operands where operand.isProgram { words += ["--", operand.name, "…"] }
        return words.joined(separator: " ")
    }

    static func json(_ command: Command, path: [String]) -> JSON {
        .object([
            ("command", .text(path.joined(separator: " "))),
            ("summary", .text(command.summary)),
            (
                "operands",
                .list(command.operands.map { .object([("name", .text($0.name)), ("help", .text($0.help))]) })
            ),
            (
                "options",
                .list(
                    command.allOptions.map {
                        .object([
                            ("name", .text($0.flag)), ("value", .optional($0.value?.placeholder)),
                            ("choices", .list(($0.value?.choices ?? []).map { .text($0) })), ("help", .text($0.help)),
                        ])
                    })
            ),
            ("commands", .list(command.subcommands.map { .text($0.name) })),
        ])
    }

    private static func choices(_ values: [String]) -> String {
        values.isEmpty ? "" : ": " + values.joined(separator: ", ")
    }

    private static func section(_ title: String, _ rows: [(String, String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let column = (rows.map(\.0.count).max() ?? 0) + 4
        var lines = [title + ":"]
        for (name, help) in rows {
            let text = wrapped(help, indent: column)
            let pad = String(repeating: " ", count: column - name.count - 2)
            lines.append("  " + name + pad + text[0].drop { $0 == " " })
            lines += text.dropFirst()
        }
        return lines + [""]
    }

    /// Lines of at most `width` characters; never empty.
    static func wrapped(_ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty && indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).map { String(repeating: " ", count: indent) + $0 }
    }
}
