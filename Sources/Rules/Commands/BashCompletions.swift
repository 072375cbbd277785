/// Completions for bash: one function, which follows the line to its command and offers what may come next.
enum BashCompletions {
    static func script(of program: Overview) -> String {
        let script = CompletionScript(program)
        var lines = [
            "# bash completions for \(script.name), \(script.origin)",
            "\(script.function)() {",
            "    local place=\(script.name) word isValue= operands=0 words=() rest=$COMP_LINE current previous",
            "    COMPREPLY=()",
        ]
        lines += joining + following(script)
        lines += ["    case \"$place $previous\" in"]
        for (place, option, value) in script.valued {
            lines.append("        \"\(place) \(option.flag)\") \(reply(value, script)); return ;;")
        }
        lines += ["    esac"] + firstNames(script) + ["    case \"$place\" in"]
        for place in script.places {
            let words = (script.words(at: place) + place.listedOptions.map(\.flag)).joined(separator: " ")
            let files = script.takesFiles(at: place) ? "; compopt -o default" : ""
            lines.append("        \"\(place.name)\") COMPREPLY=($(compgen -W \"\(words)\" -- \"$current\"))\(files) ;;")
        }
        lines += ["    esac", "}"]
        if script.completesNames { lines += names(script) }
        lines.append("complete -F \(script.function) \(script.name)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Makes the words of the line, up to the one that is being typed.
    private static let joining = [
        "    # bash also divides words at = and :. What no blank divides on the line is one word.",
        "    for word in \"${COMP_WORDS[@]:0:COMP_CWORD+1}\"; do",
        "        if [ -z \"$COMP_LINE\" ] || [ \"${#words[@]}\" -eq 0 ] || [[ $rest == [[:space:]]* ]]; then",
        "            words+=(\"$word\")",
        "        else",
        "            words[${#words[@]}-1]+=$word",
        "        fi",
        "        while [[ $rest == [[:space:]]* ]]; do rest=${rest:1}; done",
        "        rest=${rest#\"$word\"}",
        "    done",
        "    current=${words[${#words[@]}-1]} previous=${words[${#words[@]}-2]}",
        "    case $current in",
        "        --*=*) previous=${current%%=*} current=${current#*=} ;;",
        "    esac",
    ]

    /// Follows the words before that one to their command, and counts its operands.
    private static func following(_ script: CompletionScript) -> [String] {
        var lines = [
            "    for word in \"${words[@]:1:${#words[@]}-2}\"; do",
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
        return lines + [
            "            \"$place -\"*) ;;", "            *) operands=$((operands + 1)) ;;", "        esac", "    done",
        ]
    }

    /// Where the first operand is a name, nothing else is offered, unless an option is begun.
    private static func firstNames(_ script: CompletionScript) -> [String] {
        let rows = script.places.compactMap { place in
            script.listedKind(at: place).map { "            \"\(place.name) 0\") \(script.namesFunction) \($0); return ;;" }
        }
        if rows.isEmpty { return [] }
        return ["    if [[ $current != -* ]]; then", "        case \"$place $operands\" in"] + rows + ["        esac", "    fi"]
    }

    private static func reply(_ value: Value, _ script: CompletionScript) -> String {
        switch value {
        case .text, .number, .seconds: "COMPREPLY=()"
        case .choice(_, let choices): "COMPREPLY=($(compgen -W \"\(choices.joined(separator: " "))\" -- \"$current\"))"
        case .file: "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\"))"
        case .folder: "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$current\"))"
        case .listed(_, let kind, let afterEquals): "\(script.namesFunction) \(kind)\(afterEquals ? " =" : "")"
        }
    }

    /// The function that offers the names of a kind; with a second argument, behind the word's first `=`. Some program chose each name, so
    /// no name is ever expanded: `compgen -W` would run the commands in it.
    private static func names(_ script: CompletionScript) -> [String] {
        [
            "\(script.namesFunction)() {",
            "    local head= typed=$current quote= name reply cut= mark marks=",
            "    case $typed in",
            "        [\\\"\\']*) quote=${typed:0:1} typed=${typed:1} ;;",
            "    esac",
            "    if [ -n \"$2\" ]; then",
            "        case $typed in",
            "            *=*) head=${typed%%=*}= typed=${typed#*=} ;;",
            "            *) return ;;",
            "        esac",
            "    fi",
            "    # Takes away backslashes, as the shell will.",
            "    [ -n \"$quote\" ] || IFS= read typed <<<\"$typed\"",
            "    # readline replaces only what follows the last mark that divides words, and an @ with what follows it.",
            "    for mark in = : @; do [[ $COMP_WORDBREAKS == *$mark* ]] && marks+=$mark; done",
            "    if [ -z \"$quote\" ] && [ -n \"$marks\" ]; then",
            "        cut=${current%\"${current##*[$marks]}\"}",
            "        cut=${cut%@}",
            "    fi",
            "    while IFS= read -r name; do",
            "        [[ $name == \"$typed\"* ]] || continue",
            "        case $quote in",
            "            \"\") printf -v reply %q \"$name\" ;;",
            "            \"'\") [[ $name == *\"'\"* ]] && continue; reply=$name ;;",
            "            *) [[ $name == *[\\\"\\$\\`\\\\\\!]* ]] && continue; reply=$name ;;",
            "        esac",
            "        reply=$head$reply",
            "        [[ $reply == \"$cut\"* ]] && COMPREPLY+=(\"${reply#\"$cut\"}\")",
            "    done < <(\(script.namesLine("\"$1\"")))",
            "}",
        ]
    }
}
