/// Completions for zsh: a function for each command, in the form of `_arguments`.
enum ZshCompletions {
    static func script(of program: Overview) -> String {
        let script = CompletionScript(program)
        let entry = "_" + script.name
        var lines = ["#compdef \(script.name)", "# zsh completions for \(script.name), \(script.origin)", ""]
        for place in script.places { lines += function(place, script) + [""] }
        if script.completesNames { lines += names(script) + [""] }
        // If zsh autoloads the file, it is the body of the function that it is named for. If it is sourced, it registers itself.
        lines += [
            "if [ \"$funcstack[1]\" = \"\(entry)\" ]; then", "    \(entry) \"$@\"", "else",
            "    compdef \(entry) \(script.name)", "fi",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func function(_ place: Place, _ script: CompletionScript) -> [String] {
        let name = "_" + place.path.joined(separator: "_")
        var specs = place.listedOptions.map { option in
            "'\(option.isRepeatable ? "*" : "")\(option.flag)[\(quoted(option.help))]\(option.value.map { ":" + words($0, script) } ?? "")'"
        }
        guard !place.subcommands.isEmpty else {
            specs += place.command.operands.map { operand($0, script) }
            return ["\(name)() {", "    _arguments \\", "        " + specs.joined(separator: " \\\n        "), "}"]
        }
        specs += ["'1: :->command'", "'*:: :->rest'"]
        var lines = [
            "\(name)() {", "    local context state state_descr line", "    typeset -A opt_args", "    _arguments -C \\",
            "        " + specs.joined(separator: " \\\n        "), "    case $state in", "    command)",
            "        local -a commands",
            "        commands=(",
        ]
        lines += place.subcommands.map { "            '\($0.name):\(quoted($0.summary))'" }
        lines += ["        )", "        _describe command commands", "        ;;", "    rest)", "        case $line[1] in"]
        lines += place.subcommands.map { "        \($0.name)) \(name)_\($0.name) ;;" }
        return lines + ["        esac", "        ;;", "    esac", "}"]
    }

    /// The function that offers the names of a kind; with a second argument, behind the word's first `=`.
    private static func names(_ script: CompletionScript) -> [String] {
        [
            "\(script.namesFunction)() {",
            "    local -a names",
            "    [[ -z $2 ]] || compset -P 1 '*=' || return",
            "    names=(${(f)\"$(\(script.namesLine("$1")))\"})",
            "    compadd -a names",
            "}",
        ]
    }

    private static func operand(_ operand: Operand, _ script: CompletionScript) -> String {
        switch operand.extent {
        // Another program's line, completed as if it were alone.
        case .program: "'*::\(operand.name):_normal'"
        case .one: "':\(words(operand.value, script))'"
        case .optional: "'::\(words(operand.value, script))'"
        case .several, .any: "'*:\(words(operand.value, script))'"
        }
    }

    /// A name, and how to complete its value.
    private static func words(_ value: Value, _ script: CompletionScript) -> String {
        switch value {
        // Without the blank before it, _arguments would give the function arguments of its own.
        case .listed(let name, let kind, let afterEquals):
            "\(name): \(script.namesFunction) \(kind)\(afterEquals ? " =" : "")"
        case .text(let name), .number(let name, _), .seconds(let name): "\(name): "
        case .choice(let name, let choices): "\(name):(\(choices.joined(separator: " ")))"
        case .file(let name, _): "\(name):_files"
        case .folder(let name, _): "\(name):_files -/"
        }
    }

    /// Escapes text inside single quotes and brackets of a specification.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for character in Prose.plain(text) {
            switch character {
            case "'": quoted += "'\\''"
            case "[", "]", ":", "\\": quoted += "\\\(character)"
            default: quoted.append(character)
            }
        }
        return quoted
    }
}
