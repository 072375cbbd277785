/// Completions for bash: finds how deep into the commands the line is, then offers what the table has there.
enum BashCompletions {
    static func script(_ program: Command = .program) -> String {
        let commands = program.walk()
        var lines = [
            "# bash completions of thumbturn, printed by: thumbturn completions bash",
            "_thumbturn() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path=thumbturn word",
            "    COMPREPLY=()",
            "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
            "        case \"$path $word\" in",
        ]
        for (path, _) in commands.dropFirst() {
            let name = path.joined(separator: " ")
            lines.append("            \"\(name)\") path=\"\(name)\" ;;")
        }
        // Behind `--` stands another program.
        for (path, command) in commands where command.takesProgram {
            lines.append(
                "            \"\(path.joined(separator: " ")) --\") COMPREPLY=($(compgen -c -- \"$current\")); return ;;")
        }
        lines += ["        esac", "    done", "    case \"$path $previous\" in"]
        for (path, command) in commands {
            for option in command.allOptions {
                guard let value = option.value else { continue }
                lines.append("        \"\(path.joined(separator: " ")) \(option.flag)\") \(reply(value)); return ;;")
            }
        }
        lines += ["    esac", "    case \"$path\" in"]
        for (path, command) in commands {
            let offered = (command.words + command.allOptions.map(\.flag)).joined(separator: " ")
            lines.append(
                "        \"\(path.joined(separator: " "))\") COMPREPLY=($(compgen -W \"\(offered)\" -- \"$current\")) ;;")
        }
        lines += ["    esac", "}", "complete -F _thumbturn thumbturn"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func reply(_ value: Command.Value) -> String {
        switch value {
        case .text: "COMPREPLY=()"
        case .choice(_, let choices): "COMPREPLY=($(compgen -W \"\(choices.joined(separator: " "))\" -- \"$current\"))"
        case .file: "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\"))"
        }
    }
}
