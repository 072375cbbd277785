import Testing

@testable import ThumbCommands

private let file = Option("settings", "read the settings in this file", .file("FILE"))

/// A program whose options can be set besides its line.
private let program = Sample(
    Command(
        "turn", "keep things",
        options: [
            Option("place", "where things are", .text("PLACE")),
            Option("when", "when they come", .choice("WHEN", ["now", "later"])),
            Option("most-things", "how many there are", .number("NUMBER", 1...9)), Option("loud", "with noise"),
            Option("secret-door", "for tests", isHidden: true),
        ], subcommands: [Command("list", "list things", action: names("list"))], action: names("turn")), version: "7",
    everywhere: [Option("store", "where they are kept", .file("WHERE")), file],
    settings: SettingPlaces(file: file, usualFile: "/etc/turn.conf", prefix: "TURN_"), exits: [],
    manual: ManualFacts(section: 8))

/// What a line comes to with these variables and the text of that file.
private func completed(
    _ line: String, _ variables: [String: String] = [:], _ text: String? = nil
) throws -> Invocation {
    let given = try work(line, in: program).given
    return try program.completed(
        given, variable: { variables[$0] }, file: text.map { Array($0.utf8) }, named: "/etc/turn.conf")
}

@Suite("Settings besides the command line") struct SettingTests {
    @Test("The line goes before the environment, and this before the file")
    func order() throws {
        let text = "place = of the file\nwhen = later\nmost-things = 3\n"
        let variables = ["TURN_PLACE": "of the environment", "TURN_WHEN": "now"]
        let given = try completed("--place there", variables, text)
        #expect(given.value(option("place")) == "there" && given.value(option("when")) == "now")
        #expect(given.number(option("most-things")) == 3)
        // An empty variable isn't set.
        #expect(try completed("", ["TURN_PLACE": ""], text).value(option("place")) == "of the file")
        #expect(try completed("", variables).value(option("place")) == "of the environment")
        #expect(try !completed("", [:], nil).has(option("place")))
        // An option of every command is one of the program's too, and a subcommand gets what it takes.
        #expect(try completed("list", ["TURN_STORE": "/x"], "").value(option("store")) == "/x")
    }

    @Test(
        "A flag is yes or no, and the environment's no goes before the file's yes",
        arguments: [
            ("", nil, "loud = yes", true), ("", nil, "loud = no", false), ("", "no", "loud = yes", false),
            ("", "yes", "loud = no", true), ("--loud", "no", "loud = no", true), ("", nil, "", false),
        ] as [(String, String?, String, Bool)])
    func flags(_ line: String, _ variable: String?, _ text: String, _ isLoud: Bool) throws {
        #expect(try completed(line, variable.map { ["TURN_LOUD": $0] } ?? [:], text).has(option("loud")) == isLoud)
    }

    @Test("A file may have comments, empty lines, blanks around everything, other line ends, and = in its values")
    func text() throws {
        let given = try completed("", [:], "# what it is\r\n\r\n \tplace=a = b # c  \r\n  most-things =\t9\nloud=yes")
        #expect(given.value(option("place")) == "a = b # c" && given.number(option("most-things")) == 9)
        #expect(given.has(option("loud")))
        #expect(try completed("", [:], "place =\n").value(option("place")) == "")
    }

    /// What can be wrong, and how the message begins.
    private static let wrong: [(String, [String: String], String, String)] = [
        ("", [:], "\nplaces = x", "/etc/turn.conf, line 2: there is no setting 'places'."),
        ("", [:], "secret-door = yes", "/etc/turn.conf, line 1: there is no setting 'secret-door'."),
        ("", [:], "settings = /x", "/etc/turn.conf, line 1: there is no setting 'settings'."),
        ("", [:], "help = yes", "/etc/turn.conf, line 1: there is no setting 'help'."),
        ("", [:], "\u{1b}[31m = x", "/etc/turn.conf, line 1: there is no setting '\u{fffd}[31m'."),
        ("", [:], "loud", "/etc/turn.conf, line 1, isn't NAME = VALUE."),
        ("", [:], "place = a\n# b\nplace = a", "/etc/turn.conf, line 3: place is set already."),
        ("", [:], "loud = on", "loud (/etc/turn.conf, line 1) must be yes or no."),
        ("", [:], "most-things = 10", "most-things (/etc/turn.conf, line 1) must be a number from 1 to 9."),
        ("", ["TURN_MOST_THINGS": "x"], "", "TURN_MOST_THINGS must be a number from 1 to 9."),
        ("", ["TURN_WHEN": "soon"], "", "TURN_WHEN must be one of: now, later."),
        ("", ["TURN_LOUD": "1"], "", "TURN_LOUD must be yes or no."),
        // Although something else goes before it.
        ("--when now", ["TURN_WHEN": "soon"], "", "TURN_WHEN must be one of: now, later."),
        ("--when now", [:], "when = soon", "when (/etc/turn.conf, line 1) must be one of: now, later."),
        ("", ["TURN_WHEN": "now"], "when = soon", "when (/etc/turn.conf, line 1) must be one of: now, later."),
    ]

    @Test("Whatever is wrong with a setting is said with its place, and never passed over", arguments: wrong)
    func refused(_ line: String, _ variables: [String: String], _ text: String, _ message: String) throws {
        #expect(throws: LineProblem(message)) { try completed(line, variables, text) }
    }

    @Test("A file that isn't text is refused")
    func bytes() throws {
        let given = try work("", in: program).given
        #expect(throws: LineProblem("/x isn't UTF-8.")) {
            try program.completed(given, variable: { _ in nil }, file: [0x70, 0xC3, 0x28], named: "/x")
        }
    }

    @Test("What the environment has besides is nobody's mistake")
    func others() throws {
        // As some engines of containers set it for a service of that name.
        #expect(try completed("", ["TURN_PORT": "tcp://192.0.2.1:80", "TURN_HELP": "x"]).value(option("place")) == nil)
    }

    @Test("The file is named by the line or else by a variable, and a message says where a value stands")
    func named() throws {
        let variables = ["TURN_SETTINGS": "/own"]
        for (line, path) in [("--settings /mine", "/mine"), ("", "/own")] {
            let given = try work(line, in: program).given
            #expect(program.settingsFile(given, variable: { variables[$0] }) == path)
        }
        #expect(program.settingsFile(try work("", in: program).given, variable: { _ in nil }) == nil)
        let given = try completed("--when now", ["TURN_PLACE": "x"], "most-things = 2")
        #expect(given.place(of: option("when")) == "--when" && given.place(of: option("place")) == "TURN_PLACE")
        #expect(given.place(of: option("most-things")) == "most-things (/etc/turn.conf, line 1)")
    }

    @Test("Help and man pages name every setting, and are made from the same description")
    func pages() throws {
        let help = program.overview.text(.help(["turn"]))
        #expect(help.contains("'place = PLACE' in /etc/turn.conf") && help.contains("'TURN_PLACE' in"))
        #expect(!program.overview.text(.help(["turn", "list"])).contains("/etc/turn.conf"))
        #expect(Manual.pages(of: program.overview).map(\.name).contains("turn-settings.5"))
        let (page, warnings) = try ManPage(program.overview.text(.manualPage("turn-settings.5"))).set()
        #expect(warnings == "")
        for text in [
            "turn-settings - settings of turn", "/etc/turn.conf", "place = PLACE", "where things are (TURN_PLACE)",
            "most-things = NUMBER", "how many there are (1 to 9) (TURN_MOST_THINGS)", "loud = yes or no", "store = WHERE",
            "turn(8)",
        ] { #expect(page.contains(text), "\(text)") }
        for text in ["secret-door", "help =", "version =", "settings ="] { #expect(!page.contains(text), "\(text)") }
        let main = try ManPage(program.overview.text(.manualPage("turn.8"))).set()
        #expect(main.warnings == "")
        for text in ["TURN_PLACE", "The same as --place.", "TURN_SETTINGS", "turn-settings(5)"] {
            #expect(main.shown.contains(text), "\(text)")
        }
        #expect(!main.shown.contains("TURN_SECRET_DOOR"))
    }
}
