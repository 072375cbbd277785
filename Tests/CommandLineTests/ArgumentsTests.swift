import Testing

@testable import thumbturn

@Suite("Reading the command line")
struct ArgumentsTests {
    @Test("A command, its operand and its options are found in any order")
    func order() throws {
        for line in [
            ["secret", "add", "mail", "--account", "me", "--replace"],
            ["--json", "secret", "add", "--replace", "--account=me", "mail"],
            ["secret", "--json", "add", "--account", "me", "--replace", "--", "mail"],
        ] {
            let found = try Arguments.parse(line)
            #expect(found.path == ["thumbturn", "secret", "add"])
            #expect(found.operands == ["mail"])
            #expect(found.value(.account) == "me")
            #expect(found.has(.replace))
            #expect(found.has(.json) == line.contains("--json"))
        }
    }

    @Test("After -- nothing is an option")
    func separator() throws {
        #expect(try Arguments.parse(["secret", "get", "--", "--json"]).operands == ["--json"])
        #expect(!Arguments.wantJSON(["secret", "get", "--", "--json"]))
    }

    @Test("What stands behind -- is another program's, as it is")
    func program() throws {
        let found = try Arguments.parse(["simulate", "--biometry", "none", "--", "control", "--json", "--", "-x"])
        #expect(found.path == ["thumbturn", "simulate"])
        #expect(found.operands == ["control", "--json", "--", "-x"])
        #expect(!found.wantsJSON)
        #expect(
            try Arguments.parse(["simulate", "control", "answer", "passcode", "--", "-x"]).operands == [
                "answer", "passcode", "-x",
            ])
    }

    @Test("An empty value and a value that looks like an option are values")
    func oddValues() throws {
        #expect(try Arguments.parse(["secret", "get", "x", "--account="]).value(.account) == "")
        #expect(try Arguments.parse(["secret", "get", "x", "--account", "--json"]).value(.account) == "--json")
    }

    @Test(
        "What isn't in the table is refused",
        arguments: [
            [], ["nothing"], ["secret"], ["secret", "nothing"], ["doctor", "more"], ["doctor", "--more"], ["doctor", "-x"],
            ["doctor", "--json", "--json"], ["doctor", "--json=yes"], ["secret", "add"], ["secret", "add", "a", "b"],
            ["secret", "get", "a", "--account"], ["secret", "get", "a", "--label", "x"],
            ["secret", "add", "a", "--protect", "magic"], ["secret", "add", "a", "--class", ""], ["completions"],
            ["completions", "csh"], ["simulate"], ["simulate", "ls"], ["simulate", "--"],
            ["simulate", "--biometry", "nose", "--", "ls"],
            ["simulate", "control"], ["simulate", "control", "fly"], ["apps", "list"], ["apps", "allow"],
            ["secret", "--account", "me", "get", "a"], ["run"], ["run", "--secret", "A=b"], ["run", "--secret", "A=b", "ls"],
            ["run", "--secret", "A=b", "--"], ["key"], ["key", "sign"], ["key", "create", "a", "--protect", "none"],
            ["key", "sign", "a", "--hash", "md5"], ["key", "verify", "a"], ["allow"], ["allow", "everything"],
        ])
    func refused(_ line: [String]) {
        let error = #expect(throws: Failure.self) { try Arguments.parse(line) }
        #expect(error?.exit == .usage)
    }

    @Test("An error repeats no operand, and nothing that a terminal would obey")
    func errors() {
        let tooMuch = #expect(throws: Failure.self) { try Arguments.parse(["secret", "add", "bank", "hunter2"]) }
        #expect(tooMuch?.lines.contains { $0.contains("hunter2") } == false)
        let strange = #expect(throws: Failure.self) { try Arguments.parse(["--\u{1b}[2J"]) }
        #expect(strange?.lines.contains { $0.contains("\u{1b}") } == false)
    }

    @Test(
        "Help can be asked for on an unfinished line", arguments: [["--help"], ["secret", "--help"], ["secret", "add", "-h"]])
    func help(_ line: [String]) throws {
        #expect(try Arguments.parse(line).has(.help))
        #expect(try Program.run(line).exit == .done)
    }
}
