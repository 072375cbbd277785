import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// A secret on the clipboard: of a real X server by the real tools, and through a program that does as wl-copy does.
@Suite("The clipboard", .serialized)
struct ClipboardTests {
    static let secret = "moon over bourbon street"

    /// A stage with a secret, a display with nobody in front of it, and only those tools that a test names.
    final class Desk {
        let stage: Stage
        private let server: Child
        let display: String
        /// Where the tools are that the command finds.
        private let tools: URL
        /// A runtime folder in memory, for tools that keep a file.
        let memory: URL

        convenience init(_ names: String...) throws { try self.init(names) }

        init(_ names: [String]) throws {
            stage = try Stage()
            tools = stage.folder.appending(path: "tools")
            memory = URL(filePath: "/dev/shm/\(stage.folder.lastPathComponent)")
            for folder in [tools, memory] {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            for name in names {
                try FileManager.default.createSymbolicLink(
                    at: tools.appending(path: name), withDestinationURL: URL(filePath: "/usr/bin/\(name)"))
            }
            server = try Child(
                ["/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "64x64x24", "-nolisten", "tcp", "-noreset"],
                environment: ["PATH": "/usr/bin:/bin"])
            func number(_ output: String) -> Substring? { output.split(separator: "\n").first { $0.allSatisfy(\.isNumber) } }
            let output = try server.read { number($0) != nil && $0.hasSuffix("\n") }.output
            display = ":" + (try #require(number(output), "\(output)"))
            try stage.startDaemon()
            let added = try stage.run("thumbturn secret add song --protect none", input: Array(ClipboardTests.secret.utf8))
            try #require(added.status == 0, "\(added.output)")
        }

        deinit {
            for keeper in (try? keepers()) ?? [] { kill(-keeper, SIGKILL) }
            server.end()
            try? FileManager.default.removeItem(at: memory)
        }

        /// A tool that the command finds.
        func write(_ name: String, _ lines: String...) throws {
            let text = (["#!/bin/sh", "PATH=/usr/bin:/bin"] + lines).joined(separator: "\n")
            try writeScript(text, to: tools.appending(path: name).path)
        }

        func run(_ command: String, display: String? = nil) throws -> (output: String, status: Int32) {
            try stage.run("PATH=\(builtPrograms.path):\(tools.path) DISPLAY=\(display ?? self.display) \(command)")
        }

        /// What anybody would paste now; nil if the clipboard is empty.
        func pasted() throws -> String? {
            let (output, status) = try stage.run("DISPLAY=\(display) /usr/bin/xclip -selection clipboard -out 2>/dev/null")
            return status == 0 ? output : nil
        }

        /// Waits until that is on the clipboard: a tool may have it a moment after it said so.
        func isPasted(_ text: String) throws -> Bool { try waited { try pasted() == text } }

        /// The processes that clear the clipboard, of this desk alone.
        func keepers() throws -> [pid_t] {
            let home = Data("HOME=\(stage.folder.path)/home".utf8)
            return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { pid in
                let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
                return line.range(of: Data("keep-clipboard".utf8)) != nil
                    && FileManager.default.contents(atPath: "/proc/\(pid)/environ")?.range(of: home) != nil
            }
        }

        func isLeftAlone() throws -> Bool { try waited { try keepers().isEmpty } }

        private func waited(_ isSo: () throws -> Bool) throws -> Bool {
            for _ in 0..<3000 {
                if try isSo() { return true }
                usleep(20_000)
            }
            return false
        }

        func exists(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: stage.folder.appending(path: "home/\(name)").path)
        }
    }

    @Test("The clipboard has the secret, and no argument, no environment and no output has it", arguments: ["xclip", "xsel"])
    func copied(_ tool: String) async throws {
        let (output, isThere, holders, descriptors, clocks) = try await onThread {
            let desk = try Desk(tool)
            let (output, status) = try desk.run("thumbturn secret get song --clipboard --clear-after 3600")
            try #require(status == 0, "\(output)")
            let isThere = try desk.isPasted(Self.secret)
            let holders = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.filter { pid in
                ["cmdline", "environ"].contains { name in
                    FileManager.default.contents(atPath: "/proc/\(pid)/\(name)")?.range(of: Data(Self.secret.utf8)) != nil
                }
            }
            let keeper = try #require(try desk.keepers().first)
            // What it could still have the secret from.
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(keeper)/fd").map {
                try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(keeper)/fd/\($0)")
            }
            let clocks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(keeper)/fdinfo").flatMap {
                try String(contentsOfFile: "/proc/\(keeper)/fdinfo/\($0)", encoding: .utf8).split(separator: "\n")
            }.filter { $0.hasPrefix("clockid") }
            return (output, isThere, holders, descriptors, clocks)
        }
        #expect(output == "The secret 'song' is on the clipboard for 3600 seconds.\n")
        #expect(isThere)
        #expect(holders.isEmpty)
        #expect(Set(descriptors) == ["/dev/null", "anon_inode:[signalfd]", "anon_inode:[timerfd]"])
        // The clock that runs on while the machine sleeps; then the time is over when it wakes up.
        #expect(clocks == ["clockid: \(CLOCK_BOOTTIME)"])
    }

    @Test("After the time the clipboard is empty, and nothing of ours runs any more", arguments: ["xclip", "xsel"])
    func cleared(_ tool: String) async throws {
        let (isAlone, pasted) = try await onThread {
            let desk = try Desk(tool)
            let (output, status) = try desk.run("thumbturn secret get song --clipboard --clear-after 1")
            try #require(status == 0, "\(output)")
            return (try desk.isLeftAlone(), try desk.pasted())
        }
        #expect(isAlone)
        #expect(pasted == nil)
    }

    @Test("What somebody else has put there since stays there", arguments: ["xclip", "xsel"])
    func kept(_ tool: String) async throws {
        let (isAlone, pasted) = try await onThread {
            let desk = try Desk(tool)
            let (output, status) = try desk.run("thumbturn secret get song --clipboard --clear-after 3600")
            try #require(status == 0, "\(output)")
            try #require(try desk.isPasted(Self.secret))
            _ = try desk.stage.run(
                "printf mine | DISPLAY=\(desk.display) /usr/bin/xclip -selection clipboard >/dev/null 2>&1")
            // From here on nobody is left who could clear it.
            return (try desk.isLeftAlone(), try desk.isPasted("mine"))
        }
        #expect(isAlone)
        #expect(pasted)
    }

    @Test("A secret that is made up goes there too, and not to the screen")
    func generated() async throws {
        let (output, kept, isThere) = try await onThread {
            let desk = try Desk("xclip")
            let (output, status) = try desk.run("thumbturn secret generate new --protect none --clipboard --json")
            try #require(status == 0, "\(output)")
            let kept = try desk.stage.run("thumbturn secret get new").output
            return (output, kept, try desk.isPasted(kept))
        }
        #expect(kept.count == 24 && isThere)
        #expect(output.contains("\"clipboard\": true") && output.contains("\"seconds\": 45") && !output.contains("\"secret\""))
    }

    @Test("Where the display can't be reached, that is said, and nothing stays behind")
    func unreachable() async throws {
        let (output, status, isAlone) = try await onThread {
            let desk = try Desk("xclip")
            let (output, status) = try desk.run("thumbturn secret get song --clipboard", display: ":4242")
            return (output, status, try desk.isLeftAlone())
        }
        #expect(output.contains("The clipboard could not be taken.") && status == 6)
        #expect(isAlone)
    }

    @Test("If a secret that was replaced doesn't get onto the clipboard, that it was replaced is said first")
    func replacedAlone() async throws {
        let (output, status, kept) = try await onThread {
            let desk = try Desk("xclip")
            let (output, status) = try desk.run("thumbturn secret generate song --replace --clipboard", display: ":4242")
            return (output, status, try desk.stage.run("thumbturn secret get song").output)
        }
        #expect(kept != Self.secret && kept.count == 24 && status == 6)
        #expect(
            output == """
                thumbturn: Replaced the secret 'song'. But the clipboard could not be taken.
                  Run 'thumbturn secret get song --clipboard' to try that again.

                """)
    }

    @Test("A field that is on the clipboard is named")
    func field() async throws {
        let output = try await onThread {
            let desk = try Desk("xclip")
            let kept = try desk.stage.run("printf 1234 | thumbturn secret add card --protect none --field pin")
            try #require(kept.status == 0, "\(kept.output)")
            return try desk.run("thumbturn secret get card --field pin --clipboard --clear-after 1").output
        }
        #expect(output == "The field 'pin' of the secret 'card' is on the clipboard for 1 second.\n")
    }

    /// As a wl-copy that obeys TMPDIR does: a file below TMPDIR, a process in the background, and `--clear`.
    private static let wlCopy = [
        "if [ \"$1\" = --clear ]; then touch \"$HOME/cleared\"; kill \"$(cat \"$HOME/holder\")\"; exit; fi",
        "echo \"$@\" >\"$HOME/arguments\"", "folder=$(mktemp -d \"$TMPDIR/wl-copy-buffer-XXXXXX\")", "cat >\"$folder/stdin\"",
        "cat \"$folder/stdin\" >\"$HOME/seen\"", "stat -f -c %T \"$folder\" >\"$HOME/place\"",
        "sleep $HOLD & echo $! >\"$HOME/holder\"",
    ]

    @Test(
        "On Wayland its tool gets the secret on standard input and keeps its file in memory; it is told to clear only what is ours",
        arguments: [true, false])
    func wayland(_ staysOurs: Bool) async throws {
        let (seen, output, isAlone, isCleared, left) = try await onThread {
            let desk = try Desk("xclip")
            try desk.write("wl-copy", Self.wlCopy.joined(separator: "\n"))
            let runtime = "THUMBTURN_SOCKET=\(desk.stage.folder.path)/run/thumbturn/socket XDG_RUNTIME_DIR=\(desk.memory.path)"
            // The background process ends when another program takes the clipboard.
            let (output, status) = try desk.run(
                "\(runtime) WAYLAND_DISPLAY=wayland-9 HOLD=\(staysOurs ? 3600 : 0) "
                    + "thumbturn secret get song --clipboard --clear-after 1")
            try #require(status == 0, "\(output)")
            let isAlone = try desk.isLeftAlone()
            let seen = try ["arguments", "seen", "place"].map {
                try String(contentsOf: desk.stage.folder.appending(path: "home/\($0)"), encoding: .utf8)
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: desk.memory.appending(path: "thumbturn").path)
            return (seen, output, isAlone, desk.exists("cleared"), left)
        }
        #expect(seen == ["--type text/plain\n", Self.secret, "tmpfs\n"])
        #expect(output == "The secret 'song' is on the clipboard for 1 second.\n")
        #expect(isAlone && left == [])
        #expect(isCleared == staysOurs)
    }
}
