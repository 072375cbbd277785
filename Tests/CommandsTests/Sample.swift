import Testing

@testable import ThumbCommands

/// What the commands of the sample do: they name themselves.
typealias Sample = Program<String, NotWork>

/// An action that names its command.
func names(_ name: String) -> Command<String, NotWork>.Action { { _ throws(NotWork) in name } }

/// A program with a command of every kind.
let sample = Sample(
    Command(
        "turn", "keep things",
        discussion: ["Keeps things. Run `turn keep` first; it's easy."],
        subcommands: [
            Command(
                "keep", "keep a thing", operands: [Operand(.text("NAME"), "what it is called")],
                options: [
                    Option("label", "what lists show", .text("LABEL")),
                    Option("class", "when it comes out", .choice("WHEN", ["now", "later"])),
                    Option("count", "how many", .number("NUMBER", 1...9)),
                    Option("output", "where to write", .file("FILE")), Option("into", "where to go", .folder("FOLDER")),
                    Option("tag", "a tag", .text("TAG"), isRepeatable: true), Option("force", "even so"),
                    Option("secret-door", "for tests", isHidden: true),
                ],
                exits: [ExitStatus(1, "it wasn't kept")],
                examples: [Example("Keep a ball", "turn keep ball --label 'My ball'")],
                excess: "Things are kept one at a time.", action: names("keep")),
            Command(
                "list", "list things", operands: [Operand(.file("FILE"), "what to list from", .optional)], action: names("list")
            ),
            Command(
                "box", "do things with boxes",
                subcommands: [
                    Command(
                        "open", "open some", operands: [Operand(.choice("BOX", ["red", "blue"]), "the box", .several)],
                        action: names("open")),
                    Command("shut", "shut any", operands: [Operand(.text("BOX"), "the box", .any)], action: names("shut")),
                ], action: names("box")),
            Command(
                "run", "run a program", operands: [Operand(.text("PROGRAM"), "the program and its arguments", .program)],
                options: [Option("with", "a thing", .text("NAME"))], action: names("run")),
            Command("nobody", "only for tests", isHidden: true, action: names("nobody")),
        ]),
    version: "7", everywhere: [Option("json", "print JSON")],
    exits: [ExitStatus(0, "it was done"), ExitStatus(64, "the line was wrong")],
    manual: ManualFacts(
        section: 1, environment: [("TURN_HOME", "Where things are.")], files: [("~/.turn", "The things.")], seeAlso: ["box(5)"],
        further: [
            FurtherPage(
                "turn-box", section: 5, "how a box is written down", synopsis: ["~/.turn/box"],
                paragraphs: ["A box is a line; `turn box open` reads it.", "It's short."],
                lists: [("PARTS", [("-lid", "What is on top.")])], examples: [Example("A box", "lid 'red'")], seeAlso: ["turn(1)"]
            ),
            FurtherPage("turner", section: 8, "turn things for others", paragraphs: ["Others start it."]),
        ]))

/// A program without subcommands.
let plain = Sample(
    Command("plain", "do one thing", options: [Option("loud", "with noise")], action: names("plain")), version: "7",
    exits: [ExitStatus(0, "it was done")], manual: ManualFacts(section: 8))

/// What a line of the sample comes to.
func read(_ line: String, in program: Sample = sample) throws(Misuse) -> Sample.Reading {
    try program.read(line.split(separator: " ").map(String.init))
}

/// The action that a line names, and what was given to it.
func work(_ line: String, in program: Sample = sample) throws -> (action: String, given: Invocation) {
    guard case .work(let action, let given) = try read(line, in: program) else { throw NotWork(line: line) }
    return (try action(given), given)
}

struct NotWork: Error { let line: String }

/// An option of the sample's first command.
func option(_ name: String) -> Option {
    Option(name, "")
}
