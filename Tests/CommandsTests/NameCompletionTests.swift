import Foundation
import Testing
import thumbturn_test_programs

@testable import ThumbCommands

/// A program whose operands and options are names of things that there are.
private let naming = Sample(
    Command(
        "keeper", "keep things",
        subcommands: [
            Command(
                "take", "take a thing",
                operands: [
                    Operand(.listed("THING", kind: "things"), "the thing"), Operand(.text("WHERE"), "where to", .optional),
                ],
                options: [
                    Option("box", "whose", .listed("BOX", kind: "boxes")), Option("label", "what to write on it", .text("LABEL")),
                ], action: names("take")),
            Command(
                "hand", "hand things on", operands: [Operand(.text("PROGRAM"), "to whom", .program)],
                options: [
                    Option("as", "what", .listed("NAME=THING", kind: "things", afterEquals: true), isRepeatable: true)
                ], action: names("hand")),
            Command.names(of: ["things", "boxes"], action: names("names")),
        ]), version: "1", exits: [], manual: ManualFacts(section: 1))

/// Names as hostile as a program can choose them, which the shells take from a program of that name.
@Suite("Completions of names") struct NameCompletionTests {
    private static let things = ["ball", "ball of wool", "big$(touch pwned)", "it's", "a:b", "a@b", "x=y", "back\\slash"]

    /// What a shell prints that runs a script in a folder with the program.
    private func said(by shell: Shell, _ script: String) throws -> (lines: [String], isHarmed: Bool) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = Self.things.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        let program = """
            #!/bin/sh
            case "$1 $2" in
                "names things") printf '%s\\n' \(names) ;;
                "names boxes") echo red; echo blue ;;
                *) echo "not this" >&2; exit 64 ;;
            esac
            """
        try writeScript(program, to: folder.appending(path: "keeper").path)
        let printed = try lines(of: shell, script, in: folder)
        return (printed, FileManager.default.fileExists(atPath: folder.appending(path: "pwned").path))
    }

    // What bash's own reading makes of each line: it divides words at = and : too.
    @Test(
        "bash offers names, quoted as the shell needs them, and runs nothing of them",
        arguments: [
            (["keeper", "take", "ba"], "keeper take ba", ["ball", "ball\\ of\\ wool", "back\\\\slash"]),
            (["keeper", "take", "bi"], "keeper take bi", ["big\\$\\(touch\\ pwned\\)"]),
            (["keeper", "take", "ball\\ "], "keeper take ball\\ ", ["ball\\ of\\ wool"]),
            (["keeper", "take", "\"ball "], "keeper take \"ball ", ["ball of wool"]),
            (["keeper", "take", "\"b"], "keeper take \"b", ["ball", "ball of wool"]),
            (["keeper", "take", "'i"], "keeper take 'i", []), (["keeper", "take", "i"], "keeper take i", ["it\\'s"]),
            (["keeper", "take", "a", ":"], "keeper take a:", ["b"]), (["keeper", "take", "a@"], "keeper take a@", ["@b"]),
            (["keeper", "take", "x", "="], "keeper take x=", ["y"]),
            (["keeper", "take", "--label", "=", "l", "x"], "keeper take --label=l x", ["x=y"]),
            (["keeper", "take", "ball", "b"], "keeper take ball b", []),
            (["keeper", "take", "--box", ""], "keeper take --box ", ["red", "blue"]),
            (["keeper", "take", "--box", "=", "r"], "keeper take --box=r", ["red"]),
            (["keeper", "take", "--l"], "keeper take --l", ["--label"]),
            (["keeper", "hand", "--as", "A"], "keeper hand --as A", []),
            (["keeper", "hand", "--as", "A", "=", "it"], "keeper hand --as A=it", ["it\\'s"]),
            (["keeper", "hand", "--as", "A", "=", "a", ":"], "keeper hand --as A=a:", ["b"]),
        ] as [([String], String, [String])])
    func bash(_ words: [String], _ line: String, _ offered: [String]) throws {
        let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        let typed = "'\(line.replacing("'", with: "'\\''"))'"
        let found = try said(
            by: .bash,
            naming.overview.text(.completions(.bash))
                + "COMP_WORDBREAKS=$' \\t\\n\"\\'@><=;|&(:'; COMP_LINE=\(typed); COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)\n"
                + "_keeper; [ \"${#COMPREPLY[@]}\" -eq 0 ] || printf '%s\\n' \"${COMPREPLY[@]}\"")
        #expect(found.lines == offered)
        #expect(!found.isHarmed)
    }

    @Test(
        "fish offers names as they are, and runs nothing of them",
        arguments: [
            ("keeper take b", ["back\\slash", "ball", "ball of wool", "big$(touch pwned)"]), ("keeper take i", ["it's"]),
            ("keeper take --box ", ["blue", "red"]), ("keeper take ball b", []), ("keeper take --label l a:", ["a:b"]),
            ("keeper hand --as A=it", ["A=it's"]), ("keeper hand --as A", []),
        ] as [(String, [String])])
    func fish(_ line: String, _ offered: [String]) throws {
        let found = try said(by: .fish, naming.overview.text(.completions(.fish)) + "complete -C '\(line)'")
        // Behind a tab it tells what an option's value is.
        let words = found.lines.map { String($0.prefix { $0 != "\t" }) }
        #expect(words.filter { !$0.hasPrefix("-") && $0 != "keeper" }.sorted() == offered)
        #expect(!found.isHarmed)
    }

    @Test("No help, no page and no completion tells of the command that prints names")
    func hidden() throws {
        let overview = naming.overview
        #expect(overview.places.allSatisfy { $0.command.name != "names" })
        #expect(!overview.text(.help(["keeper"])).contains("names"))
        guard case .work(_, let given) = try naming.read(["names", "boxes"]) else { throw NotWork(line: "names boxes") }
        #expect(given.operands == ["boxes"])
        #expect(throws: Misuse.self) { try naming.read(["names", "secrets"]) }
    }

    @Test("A shell whose program has no names gets no function for them", arguments: Shell.allCases)
    func without(_ shell: Shell) {
        #expect(!plain.overview.text(.completions(shell)).contains("_names"))
        #expect(naming.overview.text(.completions(shell)).contains("__keeper_names"))
    }
}
