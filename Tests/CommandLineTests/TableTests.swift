import Foundation
import Testing
import ThumbCommands

@testable import thumbturn

/// What is made from the description of the commands is whole.
@Suite("Help, completions and man pages")
struct TableTests {
    static let places = Thumbturn.program.overview.places

    @Test(
        "Every command's help names all its options, operands and subcommands, in lines that fit a terminal",
        arguments: places.map(\.path))
    func help(_ path: [String]) throws {
        let place = try #require(Thumbturn.program.overview.place(path))
        let outcome = try Thumbturn.run(path.dropFirst() + ["--help"])
        let text = try written(outcome.text)
        #expect(text.hasPrefix("Usage: \(place.name)"))
        for option in place.listedOptions { #expect(text.contains("  \(option.flag)")) }
        for name in place.command.operands.map(\.name) + place.subcommands.map(\.name) { #expect(text.contains("  \(name)")) }
        // What is to be typed stays in one piece.
        for line in text.components(separatedBy: "\n") where !line.hasPrefix("    thumbturn") {
            #expect(line.count <= Prose.width, "\(line)")
        }
        #expect(try JSONSerialization.jsonObject(with: Data(written(outcome.json.printed()).utf8)) is [String: Any])
        // `thumbturn help X` says the same.
        if path != ["thumbturn", "help"] { #expect(try written(Thumbturn.run(["help"] + path.dropFirst()).text) == text) }
    }

    @Test("Where subcommands stand no other word can, and no option has two meanings", arguments: places.map(\.path))
    func shape(_ path: [String]) throws {
        let place = try #require(Thumbturn.program.overview.place(path))
        let hasWords = place.command.operands.contains { $0.extent != .program }
        #expect(place.subcommands.isEmpty || !hasWords)
        #expect(Set(place.options.map(\.name)).count == place.options.count)
    }

    @Test(
        "Summaries are for lists: short, in lower case, without a full stop; paragraphs are sentences or lists",
        arguments: places.map(\.path))
    func prose(_ path: [String]) throws {
        let command = try #require(Thumbturn.program.overview.place(path)).command
        #expect(!command.summary.hasSuffix(".") && command.summary.first?.isLowercase == true && command.summary.count <= 90)
        for paragraph in command.discussion {
            #expect(paragraph.hasSuffix(".") || paragraph.hasSuffix(":") || paragraph.contains(": "), "\(paragraph)")
            #expect(paragraph.count { $0 == "`" }.isMultiple(of: 2), "\(paragraph)")
        }
        for help in command.options.map(\.help) + command.operands.map(\.help) + command.exits.map(\.meaning) {
            #expect(!help.hasSuffix(".") && help.first?.isUppercase == false, "\(help)")
        }
    }

    @Test("Every exit code is explained")
    func exits() throws {
        let text = try written(Thumbturn.run(["help", "exit-codes"]).text)
        for exit in Exit.allCases { #expect(text.contains("\n  \(exit.rawValue)  ") && !exit.meaning.isEmpty) }
    }

    @Test("Every command and option occurs in every shell's completions", arguments: Shell.allCases)
    func completions(_ shell: Shell) throws {
        let script = try written(Thumbturn.run(["completions", shell.rawValue]).text)
        for place in Self.places {
            #expect(script.contains(place.path.last ?? ""))
            for option in place.listedOptions {
                #expect(script.contains(shell == .fish ? "-l \(option.name)" : option.flag))
                for choice in option.value?.choices ?? [] { #expect(script.contains(choice)) }
            }
        }
    }

    @Test("The completions are scripts that their shell can read", arguments: ["bash -n", "zsh -n", "fish --no-execute"])
    func syntax(_ reader: String) throws {
        let words = reader.components(separatedBy: " ")
        let script = try written(Thumbturn.run(["completions", words[0]]).text)
        let (output, status) = try check([words[0], words[1]], script, named: "completions")
        #expect(output == "" && status == 0)
    }

    @Test("Every command and option occurs in a man page, which groff sets without a warning")
    func pages() throws {
        let names = try written(Thumbturn.run(["man-page"]).text).split(separator: "\n").map(String.init)
        // Beside the pages of files.
        #expect(names.count { $0.hasSuffix(".1") } == Self.places.filter { $0.path.count <= 2 }.count)
        for place in Self.places {
            let name = place.path.prefix(2).joined(separator: "-") + ".1"
            try #require(names.contains(name))
            let page = try written(Thumbturn.run(["man-page", name]).text)
            func typed(_ text: String) -> String { text.replacing("-", with: "\\-") }
            #expect(page.contains(typed(place.name)), "\(place.name)")
            for option in place.listedOptions { #expect(page.contains("\\fB\(typed(option.flag))\\fR"), "\(option.flag)") }
            for operand in place.command.operands { #expect(page.contains("\\fI\(operand.name)\\fR"), "\(operand.name)") }
        }
        for name in names {
            let page = try written(Thumbturn.run(["man-page", name]).text)
            let (output, status) = try check(["groff", "-man", "-ww", "-z", "-Tutf8"], page, named: name)
            #expect(output == "" && status == 0, "\(name)")
        }
    }

    /// Runs a program on a file with that text.
    private func check(_ words: [String], _ text: String, named name: String) throws -> (output: String, status: Int32) {
        let program = try #require(
            ["/bin", "/usr/bin"].map { "\($0)/\(words[0])" }.first { FileManager.default.isExecutableFile(atPath: $0) },
            "scripts/packages-test has every program that reads what is made of the description")
        let file = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        let child = try Child([program] + words.dropFirst() + [file.path], environment: [:])
        return (try child.readToEnd(), child.status())
    }

    @Test(
        "bash offers what fits where the line stands",
        arguments: [
            (
                ["thumbturn", "s"],
                ["secret", "sign-in", "ssh-agent", "ssh-key", "system-mode", "sudo", "secrets-service", "store", "simulate"]
            ),
            (["thumbturn", "secret", "re"], ["rename", "remove"]),
            (["thumbturn", "secret", "add", "x", "--pro"], ["--protect"]),
            (["thumbturn", "secret", "add", "--protect", "p"], ["presence", "passcode"]),
            (["thumbturn", "companion", "r"], ["remove"]), (["thumbturn", "completions", "z"], ["zsh"]),
            (["thumbturn", "apps", "f"], ["forget"]),
            (["thumbturn", "simulate", "--biometry", "f"], ["face-id"]),
            (["thumbturn", "simulate", "control", "en"], ["enroll"]),
            (["thumbturn", "simulate", "--", "basenam"], ["basename"]),
            (["thumbturn", "run", "--in"], ["--in-environment"]),
            (["thumbturn", "run", "--secret", "A=b", "--", "basenam"], ["basename"]),
            (["thumbturn", "verify", "--b"], ["--biometrics"]),
        ])
    func bash(_ line: [String], _ offered: [String]) throws {
        let words = line.map { "'\($0)'" }.joined(separator: " ")
        let script =
            try written(Thumbturn.run(["completions", "bash"]).text)
            + "COMP_WORDS=(\(words)); COMP_CWORD=\(line.count - 1); _thumbturn; printf '%s\\n' \"${COMPREPLY[@]}\""
        let child = try Child(["/bin/bash", "-c", script], environment: ["PATH": "/usr/bin"])
        #expect(try child.readToEnd().split(separator: "\n").map(String.init) == offered)
    }
}
