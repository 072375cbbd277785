/// What `--help` prints.
enum Help {
    static func text(of place: Place, in program: Overview) -> String {
        let command = place.command
        var lines = ["Usage: " + usage(of: place), ""]
        for paragraph in command.paragraphs { lines += Prose.wrapped(paragraph, indent: 0) + [""] }
        lines += section("Commands", place.subcommands.map { ($0.name, $0.summary) })
        lines += section("Arguments", command.operands.map { ($0.name, described($0.help, $0.value)) })
        lines += section("Options", place.listedOptions.map { ($0.shown, described($0.help, $0.value)) })
        if place.path.count == 1 { lines += program.settingsHelp }
        lines += section("Exit codes", exits(of: place, in: program).map { ("\($0.number)", $0.meaning) })
        lines += examples(command.examples)
        lines += footer(of: place, in: program)
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The line that shows what may be typed where.
    static func usage(of place: Place) -> String {
        let command = place.command
        var words = place.path
        if !place.subcommands.isEmpty && !command.takesProgram { words.append(place.actsAlone ? "[COMMAND]" : "COMMAND") }
        for operand in command.operands where operand.extent != .program {
            switch operand.extent {
            case .one, .program: words.append(operand.name)
            case .optional: words.append("[\(operand.name)]")
            case .several: words.append("\(operand.name) …")
            case .any: words.append("[\(operand.name) …]")
            }
        }
        words.append("[OPTION …]")
        if command.takesProgram { words.append("-- \(command.operands.last?.name ?? "") …") }
        return words.joined(separator: " ")
    }

    /// The table of exit statuses, which is a topic of help.
    static func exits(of program: Overview) -> String {
        (["The exit code tells a script how \(program.name) ended:", ""]
            + Prose.rows(program.exits.map { ("\($0.number)", $0.meaning) })).joined(separator: "\n") + "\n"
    }

    /// A help text with the possible values.
    static func described(_ help: String, _ value: Value?) -> String {
        switch value {
        case .choice(_, let choices): help + ": " + choices.joined(separator: ", ")
        case .number(_, let range): "\(help) (\(range.lowerBound) to \(range.upperBound))"
        case .text, .file, .folder, .seconds, .listed, nil: help
        }
    }

    /// A program without topics shows its whole table; a command shows its own statuses.
    private static func exits(of place: Place, in program: Overview) -> [ExitStatus] {
        place.command.exits.isEmpty && !program.hasCommands ? program.exits : place.command.exits
    }

    private static func footer(of place: Place, in program: Overview) -> [String] {
        if !place.subcommands.isEmpty {
            return Prose.wrapped("Run `\(place.name) COMMAND --help` to read about a command.", indent: 0)
        }
        if !program.hasCommands { return [] }
        let name = program.name
        return Prose.wrapped("Run `\(name) help \(exitCodesTopic)` for the meaning of every exit code.", indent: 0)
    }

    private static func section(_ title: String, _ rows: [(String, String)]) -> [String] {
        rows.isEmpty ? [] : [title + ":"] + Prose.rows(rows) + [""]
    }

    private static func examples(_ examples: [Example]) -> [String] {
        if examples.isEmpty { return [] }
        return ["Examples:"]
            + examples.flatMap { example in
                Prose.wrapped(example.purpose + ":", indent: 2) + example.lines.map { "    " + $0 } + [""]
            }
    }
}

extension String {
    /// The text with a capital letter at the beginning and a full stop at the end.
    var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
