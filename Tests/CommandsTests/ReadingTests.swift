import Testing

@testable import ThumbCommands

@Suite("Reading a command line") struct ReadingTests {
    @Test("A command, its operand and its options are found in any order")
    func order() throws {
        for line in [
            "keep ball --label me --force", "--json keep --force --label=me ball", "keep --json --label me --force -- ball",
        ] {
            let (action, given) = try work(line)
            #expect(action == "keep" && given.path == ["turn", "keep"] && given.operands == ["ball"])
            #expect(given.value(option("label")) == "me" && given.has(option("force")) && !given.has(option("class")))
            #expect(given.has(option("json")) == line.contains("--json"))
        }
    }

    @Test("A command with subcommands does its own work where the line names none of them")
    func group() throws {
        #expect(try work("box").action == "box")
        #expect(try work("box open red blue").given.operands == ["red", "blue"])
        #expect(try work("box shut").given.operands == [])
    }

    @Test("After -- nothing is an option or a command")
    func dashes() throws {
        #expect(try work("keep -- --json").given.operands == ["--json"])
        #expect(try work("list -- -").given.operands == ["-"])
        let (action, given) = try work("run --with x -- keep --json -- -x")
        #expect(action == "run" && given.operands == ["keep", "--json", "--", "-x"] && !given.has(option("json")))
    }

    @Test("An empty value and a value that looks like an option are values, and a repeatable option keeps all of them")
    func values() throws {
        #expect(try work("keep x --label=").given.value(option("label")) == "")
        #expect(try work("keep x --label --json").given.value(option("label")) == "--json")
        #expect(try work("keep x --tag a --tag=b").given.values(option("tag")) == ["a", "b"])
        #expect(try work("keep x --count 9").given.number(option("count")) == 9)
        #expect(try work("keep x --count 1").given.number(option("count")) == 1)
    }

    @Test("What is hidden is understood all the same")
    func hidden() throws {
        #expect(try work("nobody").action == "nobody")
        #expect(try work("keep x --secret-door").given.has(option("secret-door")))
    }

    @Test(
        "What isn't in the description is refused, and it is said what is wrong",
        arguments: [
            ("-- keep", .unknownCommand("keep")), ("nothing", .unknownCommand("nothing")),
            ("box nothing", .unknownCommand("nothing")), ("keep x --more", .unknownOption("--more")),
            ("keep x -x", .unknownOption("-x")), ("--label a keep x", .unknownOption("--label")),
            ("keep x --force --force", .givenTwice("--force")), ("keep x --force=yes", .takesNoValue("--force")),
            ("keep x --label", .needsValue("--label", "LABEL")),
            ("keep x --class never", .notAChoice("--class", ["now", "later"])),
            ("keep x --class=", .notAChoice("--class", ["now", "later"])), ("keep x --count 0", .notANumber("--count", 1...9)),
            ("keep x --count 10", .notANumber("--count", 1...9)), ("keep x --count one", .notANumber("--count", 1...9)),
            ("keep", .missing("NAME")), ("keep a b", .tooMuch("Things are kept one at a time.")), ("list a b", .tooMuch(nil)),
            ("box open", .missing("BOX")), ("box open green", .notAChoice("BOX", ["red", "blue"])), ("run", .missing("PROGRAM")),
            ("run --", .missing("PROGRAM")), ("run ls", .programWithoutDashes),
            ("completions csh", .notAChoice("SHELL", ["bash", "zsh", "fish"])),
        ] as [(String, Misuse.Kind)])
    func refused(_ line: String, _ kind: Misuse.Kind) {
        let misuse = #expect(throws: Misuse.self) { try read(line) }
        #expect(misuse?.kind == kind)
        let message = misuse?.message ?? ""
        #expect(message.hasSuffix(".") && misuse?.advice.hasSuffix("--help' to see how it is used.") == true, "\(message)")
    }

    @Test(
        "An unknown word comes with what was most likely meant: a near one, the rest of a beginning, or a command that stands deeper",
        arguments: [
            ("kepe x", ["keep"]), ("KEEP x", ["keep"]), ("ke x", ["keep"]), ("lsit", ["list"]), ("completion", ["completions"]),
            ("open red", ["box open"]), ("box shutt", ["shut"]), ("box opne red", ["open"]), ("help kepe", ["keep"]),
            ("help box opne", ["open"]), ("keep x --labl me", ["--label"]), ("keep x -label me", ["--label"]),
            ("keep x --LABEL=me", ["--label"]), ("keep x --co 3", ["--count"]), ("keep x --class latre", ["later"]),
            ("box open bleu", ["blue"]), ("--vresion", ["--version"]), ("nothing", []), ("keep x --more", []), ("keep x -x", []),
            ("list --secret-doo", []), ("keep x --class never", []), ("nobdy", []),
        ] as [(String, [String])])
    func meant(_ line: String, _ meant: [String]) {
        let misuse = #expect(throws: Misuse.self) { try read(line) }
        #expect(misuse?.meant == meant)
        #expect(misuse?.advice.hasPrefix("Did you mean '\(meant.first ?? "")'? Run 'turn") == !meant.isEmpty)
    }

    @Test("Words that are equally near are all named, four at most; a long word is compared as quickly as a short one")
    func several() {
        func group(_ name: String) -> Command<String, NotWork> {
            Command(name, "group", subcommands: [Command("show", "show", action: names("show"))])
        }
        let program = Sample(
            Command("wide", "wide", subcommands: ["a", "b", "c", "d", "e"].map { group("box-\($0)") }), exits: [],
            manual: ManualFacts(section: 1))
        for line in ["box", "box-x", "show"] {
            #expect(throws: Misuse.self) { try read(line, in: program) }
        }
        do throws(Misuse) {
            _ = try read("show", in: program)
        } catch {
            #expect(error.meant == ["box-a show", "box-b show", "box-c show", "box-d show"])
            #expect(
                error.advice == "Did you mean 'box-a show', 'box-b show', 'box-c show' or 'box-d show'? "
                    + "Run 'wide --help' to see how it is used.")
        }
        #expect(Nearest.words(to: String(repeating: "x", count: 1 << 20), among: ["box"]) == [])
    }

    @Test("A time is a number of seconds, and a path that has to be absolute begins at the root")
    func timesAndPaths() throws {
        let (after, place) = (Option("after", "", .seconds("SECONDS")), Option("in", "", .folder("FOLDER", isAbsolute: true)))
        let program = Sample(
            Command("wait", "wait", options: [after, place], action: names("wait")), exits: [], manual: ManualFacts(section: 1))
        #expect(try work("--after 0.5 --in /tmp", in: program).given.seconds(after) == 0.5)
        #expect(try work("--in /", in: program).given.seconds(after) == nil)
        for (line, kind) in [
            ("--after -1", Misuse.Kind.notSeconds("--after")), ("--after inf", .notSeconds("--after")),
            ("--after soon", .notSeconds("--after")), ("--in tmp", .notAbsolute("--in")), ("--in=", .notAbsolute("--in")),
        ] {
            #expect(throws: Misuse(kind, ["wait"])) { try read(line, in: program) }
        }
    }

    @Test("An error repeats no operand, and nothing that a terminal would obey")
    func silence() throws {
        let tooMuch = #expect(throws: Misuse.self) { try sample.read(["list", "a", "hunter2"]) }
        #expect(tooMuch?.message.contains("hunter2") == false)
        for line in [["--\u{1b}[2J"], ["\u{1b}[2J"]] {
            let strange = #expect(throws: Misuse.self) { try sample.read(line) }
            #expect(strange?.message.contains("\u{1b}") == false)
        }
    }

    @Test("Help can be asked for anywhere on an unfinished line, and the version at the program")
    func about() throws {
        for (line, path) in [
            ("--help", ["turn"]), ("keep -h", ["turn", "keep"]), ("box open --help", ["turn", "box", "open"]),
            ("help box open", ["turn", "box", "open"]), ("help", ["turn"]), ("", ["turn"]), ("--json", ["turn"]),
        ] {
            guard case .about(.help(path)) = try read(line) else { throw NotWork(line: line) }
        }
        for line in ["--version", "-V", "--json -V"] {
            guard case .about(.version) = try read(line) else { throw NotWork(line: line) }
        }
        guard case .about(.exits) = try read("help exit-codes") else { throw NotWork(line: "help exit-codes") }
        guard case .about(.manualPages) = try read("man-page") else { throw NotWork(line: "man-page") }
        #expect(throws: Misuse(.unknownOption("--version"), ["turn", "keep"])) { try read("keep --version") }
        #expect(throws: Misuse(.unknownOption("-V"), ["turn", "keep"])) { try read("keep -V") }
        #expect(throws: Misuse(.unknownCommand("nothing"), ["turn", "help"])) { try read("help box nothing") }
    }

    @Test("A program without subcommands has only its options")
    func plainProgram() throws {
        #expect(try work("--loud", in: plain).given.has(option("loud")))
        #expect(throws: Misuse(.tooMuch(nil), ["plain"])) { try read("help", in: plain) }
        guard case .about(.manualPages) = try read("man-page", in: plain) else { throw NotWork(line: "man-page") }
    }
}
