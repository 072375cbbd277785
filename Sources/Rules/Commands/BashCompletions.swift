/// Completions for bash: one function, which follows the line to its command and offers what may come next.
enum BashCompletions {
    static func script(of program: Overview) -> String {
        let script = CompletionScript(program)
        var lines = [
            "# bash completions for \(script.name), \(script.origin)",
            "\(script.function)() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} place=\(script.name) word isValue=",
            "    COMPREPLY=()",
            "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
            "        if [ -n \"$isValue\" ]; then",
            "            isValue=",
            "            continue",
            "        fi",
            "        case \"$place $word\" in",
        ]
        for place in script.places.dropFirst() { lines.append("            \"\(place.name)\") place=\"\(place.name)\" ;;") }
        for (place, option, _) in script.valued { lines.append("            \"\(place) \(option.flag)\") isValue=yes ;;") }
        // After `--` comes another program.
        for place in script.places where place.command.takesProgram {
            lines.append("            \"\(place.name) --\") COMPREPLY=($(compgen -c -- \"$current\")); return ;;")
        }
        lines += ["        esac", "    done", "    case \"$place $previous\" in"]
        for (place, option, value) in script.valued {
            lines.append("        \"\(place) \(option.flag)\") \(reply(value)); return ;;")
        }
        lines += ["    esac", "    case \"$place\" in"]
        for place in script.places {
            let words = (script.words(at: place) + place.listedOptions.map(\.flag)).joined(separator: " ")
            let files = script.takesFiles(at: place) ? "; compopt -o default" : ""
            lines.append("        \"\(place.name)\") COMPREPLY=($(compgen -W \"\(words)\" -- \"$current\"))\(files) ;;")
        }
        lines += ["    esac", "}", "complete -F \(script.function) \(script.name)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func reply(_ value: Value) -> String {
        switch value {
        case .text, .number, .seconds: "COMPREPLY=()"
        case .choice(_, let choices): "COMPREPLY=($(compgen -W \"\(choices.joined(separator: " "))\" -- \"$current\"))"
        case .file: "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\"))"
        case .folder: "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$current\"))"
        }
    }
}
