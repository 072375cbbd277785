/// Completions for zsh: one function a command, as `_arguments` wants them.
enum ZshCompletions {
    static func script(_ program: Command = .program) -> String {
        var lines = ["#compdef thumbturn", "# zsh completions of thumbturn, printed by: thumbturn completions zsh", ""]
        for (path, command) in program.walk() { lines += function(path, command) + [""] }
        // Autoloaded, the file is the function's body; sourced, it registers itself.
        lines += [
            "if [ \"$funcstack[1]\" = \"_thumbturn\" ]; then", "    _thumbturn \"$@\"", "else",
            "    compdef _thumbturn thumbturn", "fi",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func function(_ path: [String], _ command: Command) -> [String] {
        let name = "_" + path.joined(separator: "_")
        var specs = command.allOptions.map { option in
            "'\(option.isRepeatable ? "*" : "")\(option.flag)[\(quoted(option.help))]\(option.value.map(value) ?? "")'"
        }
        guard !command.subcommands.isEmpty else {
            specs += command.operands.map { operand in
                // Another program's line, completed as if it stood alone.
                if operand.isProgram { return "'*::\(operand.name):_normal'" }
                let colon = operand.takesAll ? "'*:" : operand.isOptional ? "'::" : "':"
                return colon + operand.name + ":" + (operand.values.isEmpty ? " " : "(\(operand.values.joined(separator: " ")))")
                    + "'"
            }
            return ["\(name)() {", "    _arguments \\", "        " + specs.joined(separator: " \\\n        "), "}"]
        }
        specs += ["'1: :->command'", "'*:: :->rest'"]
        var lines = [
            "\(name)() {", "    local context state state_descr line", "    typeset -A opt_args", "    _arguments -C \\",
            "        " + specs.joined(separator: " \\\n        "), "    case $state in", "    command)",
            "        local -a commands",
            "        commands=(",
        ]
        lines += command.subcommands.map { "            '\($0.name):\(quoted($0.summary))'" }
        lines += ["        )", "        _describe command commands", "        ;;", "    rest)", "        case $line[1] in"]
        lines += command.subcommands.map { "        \($0.name)) \(name)_\($0.name) ;;" }
        return lines + ["        esac", "        ;;", "    esac", "}"]
    }

    private static func value(_ value: Command.Value) -> String {
        switch value {
        case .text(let name): ":\(name): "
        case .choice(let name, let choices): ":\(name):(\(choices.joined(separator: " ")))"
        case .file(let name): ":\(name):_files"
        }
    }

    /// Inside single quotes and brackets of a specification.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for character in text {
            switch character {
            case "'": quoted += "'\\''"
            case "[", "]", ":", "\\": quoted += "\\\(character)"
            default: quoted.append(character)
            }
        }
        return quoted
    }
}
