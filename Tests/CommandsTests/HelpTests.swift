import Testing

@testable import ThumbCommands

@Suite("Help") struct HelpTests {
    @Test("A command's help is its description, laid out for a terminal")
    func text() {
        #expect(
            sample.overview.text(.help(["turn", "keep"])) == """
                Usage: turn keep NAME [OPTION …]

                Keep a thing.

                Arguments:
                  NAME  what it is called

                Options:
                  --label LABEL   what lists show
                  --class WHEN    when it comes out: now, later
                  --count NUMBER  how many (1 to 9)
                  --output FILE   where to write
                  --into FOLDER   where to go
                  --tag TAG       a tag
                  --force         even so
                  --json          print JSON
                  --help, -h      explain how to use the command

                Exit codes:
                  1  it wasn't kept

                Examples:
                  Keep a ball:
                    turn keep ball --label 'My ball'

                Run 'turn help exit-codes' for the meaning of every exit code.

                """)
    }

    @Test("What is to be typed stands in quotes, and a sentence keeps its apostrophe")
    func quotes() {
        #expect(sample.overview.text(.help(["turn"])).contains("\nKeeps things. Run 'turn keep' first; it's easy.\n"))
    }

    @Test(
        "The usage line shows what may be left out, repeated or put behind --",
        arguments: [
            ("turn", "turn COMMAND [OPTION …]"), ("turn list", "turn list [FILE] [OPTION …]"),
            ("turn box", "turn box [COMMAND] [OPTION …]"),
            ("turn box open", "turn box open BOX … [OPTION …]"), ("turn box shut", "turn box shut [BOX …] [OPTION …]"),
            ("turn run", "turn run [OPTION …] -- PROGRAM …"),
        ])
    func usage(_ path: String, _ line: String) {
        #expect(sample.overview.text(.help(path.split(separator: " ").map(String.init))).hasPrefix("Usage: \(line)\n\n"))
    }

    @Test("Nobody is told of what is hidden")
    func hidden() {
        let all = sample.overview.places.map { sample.overview.text(.help($0.path)) }.joined()
        for name in ["secret-door", "nobody", "man-page"] { #expect(!all.contains(name)) }
    }

    @Test("A program without subcommands tells all its exit codes, and every other one has a topic for them")
    func exits() {
        #expect(plain.overview.text(.help(["plain"])).hasSuffix("\n\nExit codes:\n  0  it was done\n"))
        #expect(
            sample.overview.text(.exits)
                == "The exit code tells a script how turn ended:\n\n  0   it was done\n  64  the line was wrong\n"
        )
        #expect(sample.overview.text(.version) == "turn 7\n")
    }

    @Test("No line is longer than a terminal is wide, whatever its words are")
    func width() {
        let long = String(repeating: "word ", count: 60)
        for line in Prose.wrapped(long, indent: 7) + Prose.rows([("a", long), ("a name that is too long for a column", long)]) {
            #expect(line.count <= Prose.width)
        }
        #expect(Prose.wrapped("", indent: 2) == ["  "])
    }
}
