/// One command of a program, described once.
///
/// A program is a command, and so is each word that may follow its name. This value is the source of parsing a command line
/// (`Program.read`), the text of `--help` (`Help`), completions for three shells (`BashCompletions`, `ZshCompletions`, `FishCompletions`)
/// and the man pages (`Manual`). Nothing about a command is written anywhere else, so these can't disagree.
///
/// The command's action turns a line that names it into its `Work`, which this room never looks into.
public struct Command<Work: Sendable, Failure: Error>: Sendable {
    /// What can be said about it without knowing what it does.
    public let description: Description
    public internal(set) var subcommands: [Command]
    let deed: Deed?

    /// Turns a line into what the program then does or prints.
    public typealias Action = @Sendable (Invocation) throws(Failure) -> Work

    /// What a line asks for that ends at this command.
    enum Deed: Sendable {
        case action(Action)
        /// Something that is made from the description itself.
        case help, completions, manualPage
    }

    /// A command that does something, or groups subcommands, or both. With an action and subcommands it acts if the line names no
    /// subcommand. The parameters are those of `Description`.
    public init(
        _ name: String, _ summary: String, discussion: [String] = [], operands: [Operand] = [], options: [Option] = [],
        exits: [ExitStatus] = [], examples: [Example] = [], excess: String? = nil, isHidden: Bool = false,
        subcommands: [Command] = [], action: Action? = nil
    ) {
        description = Description(
            name: name, summary: summary, discussion: discussion, operands: operands, options: options, exits: exits,
            examples: examples, excess: excess, isHidden: isHidden)
        self.subcommands = subcommands
        deed = action.map(Deed.action)
    }

    /// A command that this room itself answers.
    init(_ description: Description, _ deed: Deed) {
        (self.description, self.deed, subcommands) = (description, deed, [])
    }

    var name: String { description.name }
    /// The subcommands that help shows.
    var listed: [Command] { subcommands.filter { !$0.description.isHidden } }

    func subcommand(_ name: String) -> Command? { subcommands.first { $0.name == name } }
}

/// What can be said about a command without knowing what it does.
///
/// Prose is plain text with backquotes around whatever a person can type. Help shows it in quotes, man pages in bold.
public struct Description: Sendable, Hashable {
    public let name: String
    /// One line for lists, in lower case and without a full stop.
    public let summary: String
    /// Paragraphs for its own help. If there are none, the summary is used.
    public var discussion: [String] = []
    public var operands: [Operand] = []
    public var options: [Option] = []
    /// Exit statuses with a special meaning in this command.
    public var exits: [ExitStatus] = []
    public var examples: [Example] = []
    /// What to say if a line has more words than the command takes; nil for the usual sentence.
    public var excess: String?
    /// Whether only the parser knows it, and help doesn't show it.
    public var isHidden = false

    /// Whether another program's line follows `--`.
    var takesProgram: Bool { operands.last?.extent == .program }
    /// Its prose: always at least one paragraph.
    var paragraphs: [String] { discussion.isEmpty ? [summary.asSentence] : discussion }
}

/// How a program ends, for scripts.
public struct ExitStatus: Sendable, Hashable {
    public let number: Int32
    public let meaning: String

    public init(_ number: Int32, _ meaning: String) { (self.number, self.meaning) = (number, meaning) }
}

/// Lines that a person can type, and what they do.
public struct Example: Sendable, Hashable {
    public let purpose: String
    public let lines: [String]

    public init(_ purpose: String, _ lines: String...) { self.init(purpose, lines: lines) }

    init(_ purpose: String, lines: [String]) { (self.purpose, self.lines) = (purpose, lines) }
}
