/// One command of a program, described once.
///
/// A program is a command, and so is each word that may follow its name. From this value come the reading of a command line
/// (`Program.read`), the text of `--help` (`Help`), completions for three shells (`BashCompletions`, `ZshCompletions`,
/// `FishCompletions`) and the man pages (`Manual`). Nothing of a command is written anywhere else, so they can't disagree.
///
/// A line that names a command becomes its `Work`, by the command's action; this room never looks into it.
public struct Command<Work: Sendable, Failure: Error>: Sendable {
    /// What can be said of it without knowing what it does.
    public let description: Description
    public internal(set) var subcommands: [Command]
    let deed: Deed?

    /// Makes of a line what the program then does or prints.
    public typealias Action = @Sendable (Invocation) throws(Failure) -> Work

    /// What a line that ends at a command asks for.
    enum Deed: Sendable {
        case action(Action)
        /// Something that is made of the description itself.
        case help, completions, manualPage
    }

    /// A command that does something, or that groups subcommands, or both: with an action and subcommands it acts where the
    /// line names none of them. The parameters are those of `Description`.
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
    /// The subcommands that people are told of.
    var listed: [Command] { subcommands.filter { !$0.description.isHidden } }

    func subcommand(_ name: String) -> Command? { subcommands.first { $0.name == name } }
}

/// What can be said of a command without knowing what it does.
///
/// Prose is plain text in which backquotes stand around whatever a person can type: help shows it in quotes, man pages in bold.
public struct Description: Sendable, Hashable {
    public let name: String
    /// One line for lists, in lower case and without a full stop.
    public let summary: String
    /// Paragraphs for its own help; without any the summary stands there.
    public var discussion: [String] = []
    public var operands: [Operand] = []
    public var options: [Option] = []
    /// Exit statuses that mean something of their own here.
    public var exits: [ExitStatus] = []
    public var examples: [Example] = []
    /// What to say where a line has more words than the command takes; nil for the usual sentence.
    public var excess: String?
    /// Known to the parser and to nobody else.
    public var isHidden = false

    /// Whether another program's line stands behind `--`.
    var takesProgram: Bool { operands.last?.extent == .program }
    /// Its prose: paragraphs, never none.
    var paragraphs: [String] { discussion.isEmpty ? [summary.asSentence] : discussion }
}

/// How a program ends, as scripts see it.
public struct ExitStatus: Sendable, Hashable {
    public let number: Int32
    public let meaning: String

    public init(_ number: Int32, _ meaning: String) { (self.number, self.meaning) = (number, meaning) }
}

/// Lines that a person can type, and what they are good for.
public struct Example: Sendable, Hashable {
    public let purpose: String
    public let lines: [String]

    public init(_ purpose: String, _ lines: String...) { (self.purpose, self.lines) = (purpose, lines) }
}
