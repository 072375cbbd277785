import Testing
import ThumbCommands

@testable import thumbturn

@Suite("The command line")
struct ArgumentsTests {
    private func given(_ line: [String]) throws -> Invocation {
        guard case .work(_, let given) = try Thumbturn.program.read(line) else { throw Misuse(.missing("work"), line) }
        return given
    }

    @Test("A secret's name, its account and whether it is to be replaced are found in any order")
    func order() throws {
        for line in [
            ["secret", "add", "mail", "--account", "me", "--replace"],
            ["--json", "secret", "add", "--replace", "--account=me", "mail"],
            ["secret", "--json", "add", "--account", "me", "--replace", "--", "mail"],
        ] {
            let given = try given(line)
            #expect(given.path == ["thumbturn", "secret", "add"])
            #expect(WantedSecret(given).name == "mail" && WantedSecret(given).account == "me")
            #expect(try SecretName(new: given).name == "mail" && SecretName(new: given).account == "me")
            #expect(given.has(SecretAdd.replace) && given.wantsJSON == line.contains("--json"))
        }
    }

    @Test("What stands behind -- is another program's, as it is")
    func program() throws {
        let found = try given(["simulate", "--biometry", "none", "--", "control", "--json", "--", "-x"])
        #expect(found.path == ["thumbturn", "simulate"])
        #expect(found.operands == ["control", "--json", "--", "-x"])
        #expect(!found.wantsJSON)
        #expect(
            try given(["simulate", "control", "answer", "passcode", "--", "-x"]).operands == ["answer", "passcode", "-x"])
    }

    @Test(
        "What no command takes is refused, with the status for that",
        arguments: [
            ["nothing"], ["secret", "nothing"], ["doctor", "more"], ["doctor", "--more"], ["doctor", "-x"],
            ["doctor", "--json", "--json"], ["doctor", "--json=yes"], ["secret", "add"], ["secret", "add", "a", "b"],
            ["secret", "get", "a", "--account"], ["secret", "get", "a", "--label", "x"],
            ["secret", "add", "a", "--protect", "magic"], ["secret", "add", "a", "--class", ""], ["completions"],
            ["completions", "csh"], ["simulate"], ["simulate", "ls"], ["simulate", "--"],
            ["simulate", "--biometry", "nose", "--", "ls"],
            ["simulate", "control"], ["simulate", "control", "fly"], ["apps", "list"], ["apps", "allow"],
            ["secret", "--account", "me", "get", "a"], ["run"], ["run", "--secret", "A=b"], ["run", "--secret", "A=b", "ls"],
            ["run", "--secret", "A=b", "--"], ["key", "sign"], ["key", "create", "a", "--protect", "none"],
            ["key", "sign", "a", "--hash", "md5"], ["key", "verify", "a"], ["allow"], ["allow", "everything"],
            ["log", "--last", "0"], ["log", "--last", "65537"], ["help", "nothing"], ["enroll", "sixth"],
        ])
    func refused(_ line: [String]) {
        let failure = #expect(throws: Failure.self) { try Thumbturn.run(line) }
        #expect(failure?.exit == .usage)
    }

    @Test(
        "A command that only groups others shows its help if none of them is named",
        arguments: Thumbturn.program.overview.places.filter { !$0.actsAlone }.map(\.path))
    func bare(_ path: [String]) throws {
        let bare = try Thumbturn.run(Array(path.dropFirst()))
        #expect(try written(bare.text) == written(Thumbturn.run(path.dropFirst() + ["--help"]).text))
        #expect(bare.exit == .done)
    }

    @Test("An error repeats no operand")
    func errors() {
        let tooMuch = #expect(throws: Failure.self) { try Thumbturn.run(["secret", "add", "bank", "hunter2"]) }
        #expect(tooMuch?.words.lines.contains { $0.contains("hunter2") } == false)
    }

    @Test("Every example can be typed: the command takes it", arguments: Thumbturn.program.overview.places.map(\.path))
    func examples(_ path: [String]) throws {
        for line in Thumbturn.program.overview.place(path)?.command.examples.flatMap(\.lines) ?? [] {
            for words in commands(in: line) {
                _ = try Thumbturn.program.read(words)
            }
        }
    }

    /// What a line of shell gives to `thumbturn`; the examples use single quotes and no other way to have a blank in a word.
    private func commands(in line: String) -> [[String]] {
        var words: [String] = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "'": isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        guard let start = words.firstIndex(of: "thumbturn") else { return [] }
        let end =
            words[start...].firstIndex { ["&&", "||", "|"].contains($0) || $0.hasPrefix(">") || $0.hasPrefix("<") }
            ?? words.endIndex
        return [Array(words[(start + 1)..<end])]
    }
}
