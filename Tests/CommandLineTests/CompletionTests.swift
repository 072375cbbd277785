import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// Names on Tab, in the real shells, of the real daemon.
@Suite("Completion of names", .serialized)
struct CompletionTests {
    /// Names of secrets, and what each holds. One is a command that a careless shell would run.
    private static let secrets = [
        "mail": "bourbon", "my bank": "claret", "https://example.org/a": "retsina", "big$(touch ~/pwned)": "harmless",
        "it's": "gin",
    ]

    private static func stage() throws -> Stage {
        let stage = try Stage()
        try stage.startDaemon()
        for (name, secret) in secrets {
            let quoted = "'\(name.replacing("'", with: "'\\''"))'"
            let added = try stage.run("thumbturn secret add \(quoted) --protect none", input: Array(secret.utf8))
            try #require(added.status == 0, "\(added.output)")
        }
        return stage
    }

    /// What is typed before Tab, and the secret that the completed line prints.
    private static let lines = [
        ("thumbturn secret get ma", "bourbon"), ("thumbturn secret get my", "claret"), ("thumbturn secret get ht", "retsina"),
        ("thumbturn secret get https:", "retsina"), ("thumbturn secret get bi", "harmless"), ("thumbturn secret get it", "gin"),
        ("thumbturn run --in-environment A=ma", "bourbon"), ("thumbturn run --in-environment A=https:", "retsina"),
    ]

    @Test(
        "A name that is begun is completed on Tab, and the line that comes of it reads the secret; nothing in a name is run",
        arguments: [
            ("exec bash --norc --noprofile -i", "source <(thumbturn completions bash)"),
            ("exec zsh -f -i", "autoload -U compinit; compinit -D -u; source <(thumbturn completions zsh)"),
        ])
    func tab(_ shell: String, _ loading: String) async throws {
        let (shown, isHarmed) = try await onThread {
            let stage = try Self.stage()
            let child = try stage.runInTerminal(shell)
            child.type(Array("\(loading); echo ready-$((1 + 1))\r".utf8))
            _ = try child.read { $0.contains("ready-2") }
            let shown = try Self.lines.map { line, _ in
                let rest = line.contains(" run ") ? " -- sh -c 'echo \"<$A>\"'" : ""
                // The end of each line says that it is over, whatever came of it.
                child.type(Array("\(line)\t\(rest); echo over-$((1 + 1))\r".utf8))
                return try child.read { $0.contains("over-2") }.output
            }
            child.type(Array("exit\r".utf8))
            _ = try child.readToEnd()
            return (shown, FileManager.default.fileExists(atPath: stage.folder.appending(path: "home/pwned").path))
        }
        for ((line, secret), shown) in zip(Self.lines, shown) { #expect(shown.contains(secret), "\(line): \(shown)") }
        #expect(shown.count == Self.lines.count)
        #expect(!isHarmed)
    }

    @Test("fish offers the names too, and runs nothing of them")
    func fish() async throws {
        let (found, isHarmed) = try await onThread {
            let stage = try Self.stage()
            let found = try ["thumbturn secret get m", "thumbturn secret remove bi", "thumbturn run --secret A=ht"].map { line in
                try stage.run("fish --no-config -c \"source (thumbturn completions fish | psub); complete -C '\(line)'\"").output
            }
            return (found, FileManager.default.fileExists(atPath: stage.folder.appending(path: "home/pwned").path))
        }
        // Behind a tab fish tells what an option is for.
        #expect(
            found.map { $0.hasPrefix("A=") ? String($0.prefix { $0 != "\t" }) + "\n" : $0 }
                == ["mail\nmy bank\n", "big$(touch ~/pwned)\n", "A=https://example.org/a\n"])
        #expect(!isHarmed)
    }

    @Test("Naming asks nobody and opens nothing: also where the owner would be asked, and before the passcode was given")
    func silence() async throws {
        let (names, secret) = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            let child = try stage.runInTerminal("thumbturn passcode set")
            for question in ["New passcode:", "Again:"] {
                try #require(try child.read { $0.contains(question) }.met)
                child.type(Array("tulip field\r".utf8))
            }
            _ = try child.readToEnd()
            try #require(child.status() == 0)
            _ = try stage.run("thumbturn secret add guarded --account anna", input: Array("bourbon".utf8))
            try stage.startDaemon()
            let names = try ["secrets", "accounts"].map { try stage.run("thumbturn names \($0)") }
            return (names.map { "\($0.output)\($0.status)" }, try stage.run("thumbturn secret get guarded --account anna"))
        }
        #expect(names == ["guarded\n0", "anna\n0"])
        // The same secret does ask: here nobody can be.
        #expect(secret.status == 2 && !secret.output.contains("bourbon"))
    }

    @Test("Tab starts no daemon, and a daemon that doesn't answer holds up no line")
    func patience() async throws {
        let (without, isStarted, stopped) = try await onThread {
            let stage = try Stage()
            let without = try stage.run("thumbturn names secrets")
            let isStarted = FileManager.default.fileExists(atPath: stage.folder.appending(path: "run/thumbturn/socket").path)
            try stage.startDaemon()
            let daemon = try #require(stage.daemonID)
            kill(daemon, SIGSTOP)
            let stopped = Result { try stage.run("thumbturn names secrets") }
            // Before the stage ends it and waits.
            kill(daemon, SIGCONT)
            return try withExtendedLifetime(stage) { (without, isStarted, try stopped.get()) }
        }
        #expect(without.output == "" && without.status == 0)
        #expect(!isStarted)
        #expect(stopped.output == "" && stopped.status == 0)
    }
}
