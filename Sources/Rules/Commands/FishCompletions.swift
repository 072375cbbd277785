/// Completions for fish: a function that tells which command the line has reached, and a line for each thing that may follow it.
enum FishCompletions {
    static func script(of program: Overview) -> String {
        let script = CompletionScript(program)
        var lines = ["# fish completions for \(script.name), \(script.origin)"] + at(script)
        if script.completesNames { lines += names(script) }
        lines.append("complete -c \(script.name) -f")
        for place in script.places {
            let here = "complete -c \(script.name) -n '_\(script.function)_at \(place.name)'"
            for command in place.subcommands { lines.append("\(here) -a \(command.name) -d '\(quoted(command.summary))'") }
            let choices = place.command.operands.first?.value.choices ?? []
            if !choices.isEmpty { lines.append("\(here) -a '\(choices.joined(separator: " "))'") }
            if let kind = script.listedKind(at: place) {
                lines.append(
                    "complete -c \(script.name) -n '_\(script.function)_at \(place.name) 0' -a '(\(script.namesFunction) \(kind))'"
                )
            }
            if script.takesFiles(at: place) { lines.append("\(here) -F") }
            for option in place.listedOptions {
                lines.append(
                    "\(here) -l \(option.name)\(option.value.map { value($0, script) } ?? "") -d '\(quoted(option.help))'")
            }
            if place.command.takesProgram {
                lines.append(
                    "complete -c \(script.name) -n '_\(script.function)_at \(place.name) --' -a '(__fish_complete_command)'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The function. It is true if the line has reached the place that it is called with; a number after the place is that of the words
    /// that stand there already.
    private static func at(_ script: CompletionScript) -> [String] {
        let deeper =
            script.places.dropFirst().map(\.name)
            + script.places.filter(\.command.takesProgram).map { $0.name + " --" }
        var lines = [
            "function _\(script.function)_at",
            "    set -l place \(script.name)",
            "    set -l is_value no",
            "    set -l operands 0",
            "    for word in (commandline -opc)[2..-1]",
            "        if test $is_value = yes",
            "            set is_value no",
            "            continue",
            "        end",
            "        switch \"$place $word\"",
            "            case " + deeper.map { "'\($0)'" }.joined(separator: " "),
            "                set place \"$place $word\"",
        ]
        if !script.valued.isEmpty {
            lines += [
                "            case " + script.valued.map { "'\($0.place) \($0.option.flag)'" }.joined(separator: " "),
                "                set is_value yes",
            ]
        }
        return lines + [
            "            case \"$place -*\"",
            "            case '*'",
            "                set operands (math $operands + 1)",
            "        end",
            "    end",
            "    test \"$place\" = \"$argv\"; or test \"$place $operands\" = \"$argv\"",
            "end",
        ]
    }

    /// The function that prints the names of a kind; with a second argument, behind what the word has up to its first `=`.
    private static func names(_ script: CompletionScript) -> [String] {
        [
            "function \(script.namesFunction)",
            "    set -l head ''",
            "    if set -q argv[2]",
            "        set head (string match -r '^[^=]*=' -- (commandline -ct)); or return",
            "    end",
            "    \(script.namesLine("$argv[1]")) | while read -l name",
            "        echo $head$name",
            "    end",
            "end",
        ]
    }

    private static func value(_ value: Value, _ script: CompletionScript) -> String {
        switch value {
        case .listed(_, let kind, let afterEquals): " -x -a '(\(script.namesFunction) \(kind)\(afterEquals ? " =" : ""))'"
        case .text, .number, .seconds: " -x"
        case .choice(_, let choices): " -x -a '\(choices.joined(separator: " "))'"
        case .file: " -r -F"
        case .folder: " -x -a '(__fish_complete_directories)'"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for character in Prose.plain(text) {
            quoted += character == "'" || character == "\\" ? "\\\(character)" : String(character)
        }
        return quoted
    }
}
