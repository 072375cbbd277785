/// What a line can ask about the description itself.
public enum About: Sendable, Hashable {
    case version
    /// The help of the command that the path leads to.
    case help([String])
    /// The table of exit statuses.
    case exits
    case completions(Shell)
    /// The names of the man pages.
    case manualPages
    case manualPage(String)
}

/// A shell that completions are made for.
public enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
}

extension Overview {
    /// The text that is printed in answer.
    public func text(_ about: About) -> String {
        switch about {
        case .version: "\(name) \(version)\n"
        case .help(let path): place(path).map { Help.text(of: $0, in: self) } ?? ""
        case .exits: Help.exits(of: self)
        case .completions(.bash): BashCompletions.script(of: self)
        case .completions(.zsh): ZshCompletions.script(of: self)
        case .completions(.fish): FishCompletions.script(of: self)
        case .manualPages: Manual.pages(of: self).map { $0.name + "\n" }.joined()
        case .manualPage(let name): Manual.pages(of: self).first { $0.name == name }?.text ?? ""
        }
    }
}

/// The hidden command that completions ask for names.
let namesCommand = "names"

/// The topic of help that isn't a command.
let exitCodesTopic = "exit-codes"

extension Command {
    /// The hidden command that completions ask for the names of a kind: one a line, without a question to anybody. A program that has
    /// operands or options of the kind `Value.listed` needs it.
    public static func names(of kinds: [String], action: @escaping Action) -> Command {
        Command(
            namesCommand, "print names for completions", operands: [Operand(.choice("KIND", kinds), "what to name")],
            isHidden: true,
            action: action)
    }
}

// The commands that every program has, made from its description.
extension Command {
    static func help(of program: String, about names: [String]) -> Command {
        let topics = [names.first, exitCodesTopic].compactMap { $0 }
        return Command(
            Description(
                name: "help", summary: "explain a command, or list the exit codes",
                operands: [
                    Operand(
                        .choice("COMMAND", names + [exitCodesTopic]),
                        "a command, followed by its subcommand if it has any, or `\(exitCodesTopic)`", .any)
                ],
                examples: [
                    Example("Read about a command, and about the exit codes", lines: topics.map { "\(program) help \($0)" })
                ]
            ), .help)
    }

    static func completions(of program: String) -> Command {
        Command(
            Description(
                name: "completions", summary: "print completions for a shell",
                discussion: [
                    "Prints a script that completes \(program)'s commands, options and their values. The installation puts it in place; "
                        + "where it can't, do it yourself:",
                    "bash: `source <(\(program) completions bash)`",
                    "zsh: write it to a file `_\(program)` in a folder of $fpath",
                    "fish: write it to `~/.config/fish/completions/\(program).fish`",
                ], operands: [Operand(.choice("SHELL", Shell.allCases.map(\.rawValue)), "the shell")],
                examples: [Example("Complete commands in this shell", "source <(\(program) completions bash)")]), .completions)
    }

    static var manualPage: Command {
        Command(
            Description(
                name: "man-page", summary: "print a man page, or the names of all",
                operands: [Operand(.text("PAGE"), "the page's file name", .optional)], isHidden: true), .manualPage)
    }
}
