extension Command {
    static let completions: Command = .init(
        name: "completions", summary: "print the completions for a shell",
        discussion: [
            "Prints a script that completes thumbturn's commands and options.",
            "bash: source <(thumbturn completions bash)",
            "zsh: write it as _thumbturn into a folder of $fpath",
            "fish: write it to ~/.config/fish/completions/thumbturn.fish",
        ],
        operands: [Operand(name: "SHELL", help: "the shell", values: ["bash", "zsh", "fish"])]
    ) { invocation throws(Failure) in
        let shell = invocation.operands[0]
        let script =
            switch shell {
            case "bash": BashCompletions.script()
            case "zsh": ZshCompletions.script()
            default: FishCompletions.script()
            }
        return Outcome(text: [.text(script)], json: .object([("shell", .text(shell)), ("script", .text(script))]))
    }
}

extension Command {
    /// The command and all below it, with their paths, for what has to tell about each.
    func walk(_ path: [String] = []) -> [(path: [String], command: Command)] {
        let here = path + [name]
        return [(here, self)] + subcommands.flatMap { $0.walk(here) }
    }

    /// Whether `thumbturn --version` and its like end the line: options of the program alone.
    var words: [String] { subcommands.map(\.name) + (operands.first?.values ?? []) }
}
