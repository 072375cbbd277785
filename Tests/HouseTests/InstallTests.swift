import Foundation
import Testing

@Suite("Install and uninstall")
struct InstallTests {
    @Test("Install puts programs, units and completions in their places")
    func put() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await make("install", in: folder)
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(
                try files(below: folder.appending(path: "root")) == [
                    "opt/turn/bin/thumbturn",
                    "opt/turn/lib/systemd/system/thumbturn.service",
                    "opt/turn/lib/systemd/system/thumbturn.socket",
                    "opt/turn/lib/systemd/user/thumbturn-ssh-agent.service",
                    "opt/turn/lib/systemd/user/thumbturn-ssh-agent.socket",
                    "opt/turn/lib/systemd/user/thumbturn.service",
                    "opt/turn/lib/systemd/user/thumbturn.socket",
                    "opt/turn/lib/sysusers.d/thumbturn.conf",
                    "opt/turn/lib/tmpfiles.d/thumbturn.conf",
                    "opt/turn/libexec/thumbturn/thumbturn-prompt",
                    "opt/turn/libexec/thumbturn/thumbturn-simulator",
                    "opt/turn/libexec/thumbturn/thumbturnd",
                    "opt/turn/share/bash-completion/completions/thumbturn",
                    "opt/turn/share/fish/vendor_completions.d/thumbturn.fish",
                    "opt/turn/share/zsh/site-functions/_thumbturn",
                ])
        }
    }

    @Test("The installed unit starts the daemon that was installed")
    func unit() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let unit = folder.appending(path: "root/opt/turn/lib/systemd/user/thumbturn.service")
            let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("ExecStart=/opt/turn/libexec/thumbturn/thumbturnd"))
        }
    }

    @Test("The installed agent's unit starts the command that was installed")
    func agentUnit() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let unit = folder.appending(path: "root/opt/turn/lib/systemd/user/thumbturn-ssh-agent.service")
            let lines = try String(contentsOf: unit, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("ExecStart=/opt/turn/bin/thumbturn ssh-agent"))
        }
    }

    @Test("Completions are what the command itself prints")
    func completions() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            let zsh = folder.appending(path: "root/opt/turn/share/zsh/site-functions/_thumbturn")
            #expect(try String(contentsOf: zsh, encoding: .utf8) == "completions zsh\n")
        }
    }

    @Test("Uninstall leaves no file of ours, and every file of others")
    func remove() async throws {
        try await withTemporaryFolder { folder in
            _ = try await make("install", in: folder)
            try folder.appending(path: "root/opt/turn/bin/other").write("")
            let outcome = try await make("uninstall", in: folder)
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(try files(below: folder.appending(path: "root")) == ["opt/turn/bin/other"])
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "root/opt/turn/libexec/thumbturn").path))
        }
    }

    @Test("Install stops when a program isn't built, before it writes anything")
    func notBuilt() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await make("install", in: folder, programs: ["thumbturn"])
            #expect(outcome.status != 0)
            #expect(outcome.output.contains("make release"))
            #expect(try files(below: folder.appending(path: "root")).isEmpty)
        }
    }

    /// Runs the Makefile with scripted programs in place of built ones; each prints its arguments.
    private func make(
        _ target: String, in folder: URL,
        programs: [String] = ["thumbturn", "thumbturnd", "thumbturn-prompt", "thumbturn-simulator"]
    ) async throws -> Outcome {
        try makePrograms(in: folder.appending(path: "bin"), programs)
        return try await run([
            "make", "-C", checkout.path, target, "BIN=\(folder.appending(path: "bin").path)", "PREFIX=/opt/turn",
            "DESTDIR=\(folder.appending(path: "root").path)",
        ])
    }
}
