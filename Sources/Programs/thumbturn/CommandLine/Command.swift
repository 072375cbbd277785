/// One command as a value: the parser, the help and the completions all read this, so that they can't tell different stories.
struct Command: Sendable {
    typealias Action = @Sendable (Invocation) throws(Failure) -> Outcome

    let name: String
    /// One line, for lists.
    let summary: String
    /// Paragraphs, for its own help.
    var discussion: [String] = []
    var operands: [Operand] = []
    var options: [Option] = []
    var subcommands: [Command] = []
    /// nil: it only groups its subcommands. With subcommands besides: what it does where none of them is named.
    var action: Action?

    /// What stands behind the command's name and isn't an option.
    struct Operand: Sendable {
        let name: String
        let help: String
        var values: [String] = []
        var isOptional = false
        /// As many words as the caller likes, joined by spaces.
        var takesAll = false
        /// Another program and its arguments: whatever stands behind `--`, as it is.
        var isProgram = false
    }

    /// What begins with two dashes.
    struct Option: Sendable {
        let name: String
        let help: String
        /// nil: a flag.
        var value: Value?
        /// Whether it may be given more than once.
        var isRepeatable = false

        var flag: String { "--" + name }
    }

    enum Value: Sendable {
        case text(String)
        case choice(String, [String])
        case file(String)

        var placeholder: String {
            switch self {
            case .text(let name), .choice(let name, _), .file(let name): name
            }
        }

        var choices: [String] { if case .choice(_, let choices) = self { choices } else { [] } }
    }

    var takesProgram: Bool { operands.first?.isProgram == true }

    func subcommand(_ name: String) -> Command? { subcommands.first { $0.name == name } }

    /// Its own options and those that every command has.
    var allOptions: [Option] { options + Option.common }
}

extension Command.Option {
    static let json = Command.Option(name: "json", help: "print one JSON object instead of words")
    static let help = Command.Option(name: "help", help: "tell how the command is used")
    static let common = [json, help]
}
