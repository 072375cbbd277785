import Foundation
import Testing

@testable import thumbturn

/// What is made from the table of commands is whole.
@Suite("Help and completions")
struct TableTests {
    static let commands = Command.program.walk()

    @Test("Every command's help names all its options, operands and subcommands", arguments: commands.map(\.path))
    func help(_ path: [String]) throws {
        let command = try #require(Self.commands.first { $0.path == path }).command
        let outcome = try Program.run(path.dropFirst() + ["--help"])
        let text = try written(outcome.text)
        #expect(text.hasPrefix("Usage: \(path.joined(separator: " "))"))
        for option in command.allOptions { #expect(text.contains("  \(option.flag)")) }
        for name in command.operands.map(\.name) + command.subcommands.map(\.name) { #expect(text.contains("  \(name)")) }
        for line in text.components(separatedBy: "\n") { #expect(line.count <= Help.width, "\(line)") }
        #expect(try JSONSerialization.jsonObject(with: Data(written(outcome.json.printed()).utf8)) is [String: Any])
        // `thumbturn help X` says the same.
        if path != ["thumbturn", "help"] {
            #expect(try written(Program.run(["help"] + path.dropFirst()).text) == text)
        }
    }

    @Test("A command either does something or has subcommands", arguments: commands.map(\.path))
    func actions(_ path: [String]) throws {
        let command = try #require(Self.commands.first { $0.path == path }).command
        #expect(command.action != nil || !command.subcommands.isEmpty)
        // Where subcommands stand no other word can.
        #expect(command.subcommands.isEmpty || command.operands.isEmpty || command.takesProgram)
        #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count)
    }

    @Test("Help can be asked about every command, and completes them")
    func helpOperands() {
        let offered = Command.help.operands[0].values
        for command in Command.program.subcommands where command.name != "help" { #expect(offered.contains(command.name)) }
    }

    @Test("Every exit status is told")
    func exits() throws {
        let text = try written(Program.run(["help", "exit-codes"]).text)
        for exit in Exit.allCases { #expect(text.contains("\(exit.rawValue)  \(exit.meaning)")) }
    }

    @Test("Every command and option occurs in every shell's completions", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) throws {
        let script = try written(Program.run(["completions", shell]).text)
        for (path, command) in Self.commands {
            #expect(script.contains(path.last ?? ""))
            for option in command.allOptions {
                #expect(script.contains(shell == "fish" ? "-l \(option.name)" : option.flag))
                for choice in option.value?.choices ?? [] { #expect(script.contains(choice)) }
            }
        }
    }

    @Test("The completions are scripts that their shell can read", arguments: ["bash -n", "zsh -n", "fish --no-execute"])
    func syntax(_ reader: String) throws {
        let words = reader.components(separatedBy: " ")
        let shell = try #require(
            ["/bin", "/usr/bin"].map { "\($0)/\(words[0])" }.first { FileManager.default.isExecutableFile(atPath: $0) },
            "scripts/packages has every shell that completions are made for")
        let file = FileManager.default.temporaryDirectory.appending(path: "completions-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(written(Program.run(["completions", words[0]]).text).utf8).write(to: file)
        let child = try Child([shell, words[1], file.path], environment: [:])
        #expect(try child.readToEnd() == "")
        #expect(child.status() == 0)
    }

    @Test(
        "bash offers what fits where the line stands",
        arguments: [
            (["thumbturn", "s"], ["secret", "sign-in", "ssh-agent", "ssh-key", "store", "simulate"]),
            (["thumbturn", "secret", "re"], ["remove"]),
            (["thumbturn", "secret", "add", "x", "--pro"], ["--protect"]),
            (["thumbturn", "secret", "add", "--protect", "p"], ["presence", "passcode"]),
            (["thumbturn", "completions", "z"], ["zsh"]), (["thumbturn", "apps", "f"], ["forget"]),
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
            try written(Program.run(["completions", "bash"]).text)
            + "COMP_WORDS=(\(words)); COMP_CWORD=\(line.count - 1); _thumbturn; printf '%s\\n' \"${COMPREPLY[@]}\""
        let child = try Child(["/bin/bash", "-c", script], environment: ["PATH": "/usr/bin"])
        #expect(try child.readToEnd().split(separator: "\n").map(String.init) == offered)
    }
}
