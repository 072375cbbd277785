import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// Secrets in an editor. `edit.txt` has what the command says; here is what it leaves behind.
@Suite("Editing a secret", .serialized)
struct EditTests {
    private static let secret = "moon over bourbon street"

    /// A stage whose runtime folder is in memory, and a secret on it.
    private final class Desk {
        let stage: Stage
        /// The folder in memory.
        let memory: URL

        init() throws {
            stage = try Stage()
            memory = URL(filePath: "/dev/shm/\(stage.folder.lastPathComponent)")
            try FileManager.default.createDirectory(
                at: memory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try stage.startDaemon()
            let added = try stage.run("thumbturn secret add song --protect none", input: Array(EditTests.secret.utf8))
            try #require(added.status == 0, "\(added.output)")
        }

        deinit { try? FileManager.default.removeItem(at: memory) }

        var home: URL { stage.folder.appending(path: "home") }

        /// A program at home that is the editor.
        func editor(_ lines: String...) throws -> String {
            let path = home.appending(path: "editor-\(UUID().uuidString)").path
            try writeScript((["#!/bin/sh", "for file; do :; done"] + lines).joined(separator: "\n"), to: path)
            return path
        }

        /// The line that edits the secret.
        func line(_ editor: String, runtime: URL? = nil, terminal: String = "dumb") -> String {
            let socket = stage.folder.appending(path: "run/thumbturn/socket").path
            return "exec env TERM=\(terminal) THUMBTURN_SOCKET=\(socket) XDG_RUNTIME_DIR=\((runtime ?? memory).path) "
                + "EDITOR='\(editor)' thumbturn secret edit song"
        }

        func kept() throws -> String { try stage.run("thumbturn secret get song").output }

        /// The files that lie in memory now.
        func files() -> [String] {
            (FileManager.default.enumerator(at: memory, includingPropertiesForKeys: nil)?.allObjects ?? []).compactMap {
                ($0 as? URL)?.path
            }.filter { !$0.hasSuffix("/thumbturn") }
        }
    }

    private static func isInMemory(_ folder: URL) -> Bool {
        var status = statfs()
        return statfs(folder.path, &status) == 0 && status.f_type == 0x0102_1994
    }

    @Test("The editor gets a file in memory that is the owner's alone, in a folder of its own, which is gone afterwards")
    func file() async throws {
        let (seen, output, kept, left) = try await onThread {
            let desk = try Desk()
            let editor = try desk.editor(
                "exec >\"$HOME/seen\"", "stat -c '%a %h %s' \"$file\"", "stat -c %a \"${file%/*}\"", "stat -f -c %T \"$file\"",
                "ls -A \"${file%/*}\"", "test \"$TMPDIR\" = \"${file%/*}\" && echo own", "printf 'new words' >\"$file\"")
            let (output, status) = try desk.stage.run(desk.line(editor))
            try #require(status == 0, "\(output)")
            let seen = try String(contentsOf: desk.home.appending(path: "seen"), encoding: .utf8)
            return (seen, output, try desk.kept(), desk.files())
        }
        #expect(seen == "600 1 \(Self.secret.utf8.count)\n700\ntmpfs\nsecret\nown\n")
        #expect(output == "Changed the secret 'song'.\n")
        #expect(kept == "new words")
        #expect(left == [])
    }

    @Test("Where the runtime folder is on a disk, nothing is written and no editor started")
    func disk() async throws {
        // Beside what was built; a build on a tmpfs can't try this.
        let disk = builtPrograms.deletingLastPathComponent().appending(path: "edit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: disk, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: disk) }
        try #require(!Self.isInMemory(disk), "the build's folder is in memory")
        let (output, status, isStarted, left) = try await onThread {
            let desk = try Desk()
            let (output, status) = try desk.stage.run(desk.line(try desk.editor("touch \"$HOME/started\""), runtime: disk))
            let isStarted = FileManager.default.fileExists(atPath: desk.home.appending(path: "started").path)
            let left = FileManager.default.enumerator(at: disk, includingPropertiesForKeys: nil)?.allObjects ?? []
            return (output, status, isStarted, left.count { ($0 as? URL)?.lastPathComponent != "thumbturn" })
        }
        #expect(output.contains("isn't written to a disk") && status == 6)
        #expect(!isStarted && left == 0)
    }

    @Test("A signal to end waits until the file is gone; nothing is kept then")
    func signal() async throws {
        let (output, status, kept, during, left) = try await onThread {
            let desk = try Desk()
            let child = try desk.stage.runInTerminal(
                desk.line(try desk.editor("printf changed >\"$file\"", "echo opened", "read -r line", "echo done")))
            _ = try child.read { $0.contains("opened") }
            let during = desk.files()
            kill(child.pid, SIGTERM)
            child.type(Array("\r".utf8))
            let output = try child.readToEnd()
            return (output, child.status(), try desk.kept(), during, desk.files())
        }
        #expect(during.contains { $0.hasSuffix("/secret") })
        #expect(output.contains("done") && output.contains("Cancelled.") && status == 3)
        #expect(kept == Self.secret)
        #expect(left == [])
    }

    @Test("Ctrl-C in the editor is the editor's: what is saved after it is kept")
    func keys() async throws {
        let (output, status, kept, left) = try await onThread {
            let desk = try Desk()
            let editor = try desk.editor(
                "trap 'echo interrupted' INT", "echo opened", "until read -r line; do :; done", "printf changed >\"$file\"")
            let child = try desk.stage.runInTerminal(desk.line(editor))
            try #require(try child.read { $0.contains("opened") }.met)
            child.type([0x03])
            try #require(try child.read { $0.contains("interrupted") }.met)
            child.type(Array("\r".utf8))
            let output = try child.readToEnd()
            return (output, child.status(), try desk.kept(), desk.files())
        }
        #expect(output.contains("Changed the secret 'song'.") && status == 0, "\(output)")
        #expect(kept == "changed")
        #expect(left == [])
    }

    @Test("Ctrl-C at the question whether to go on gives up, and the file is gone")
    func givenUp() async throws {
        let (output, status, kept, during, left) = try await onThread {
            let desk = try Desk()
            let child = try desk.stage.runInTerminal(desk.line(try desk.editor("truncate -s 0 \"$file\"")))
            try #require(try child.read { $0.contains("[Y/n]") }.met)
            let during = desk.files()
            child.type([0x03])
            let output = try child.readToEnd()
            return (output, child.status(), try desk.kept(), during, desk.files())
        }
        #expect(during.contains { $0.hasSuffix("/secret") })
        #expect(output.contains("Cancelled.") && status == 3, "\(output)")
        #expect(kept == Self.secret)
        #expect(left == [])
    }

    @Test("What a killed one left in memory the next one removes, and not what another one has open")
    func leftovers() async throws {
        let (killed, meanwhile, left) = try await onThread {
            let desk = try Desk()
            let first = try desk.stage.runInTerminal(desk.line(try desk.editor("echo opened", "read -r line")))
            _ = try first.read { $0.contains("opened") }
            kill(first.pid, SIGKILL)
            _ = first.status()
            let killed = desk.files()
            let second = try desk.stage.runInTerminal(desk.line(try desk.editor("echo opened", "read -r line")))
            _ = try second.read { $0.contains("opened") }
            let ended = try desk.stage.run(desk.line("true"))
            try #require(ended.status == 0, "\(ended.output)")
            let meanwhile = desk.files()
            second.type(Array("\r".utf8))
            _ = try second.readToEnd()
            return (killed, meanwhile, desk.files())
        }
        #expect(killed.count == 2)
        #expect(meanwhile.count == 2 && Set(meanwhile).isDisjoint(with: killed))
        #expect(left == [])
    }

    @Test("vim, which keeps a history and undo files, keeps nothing of a secret")
    func vim() async throws {
        let (kept, traces, usual) = try await onThread {
            let desk = try Desk()
            let folder = desk.home.appending(path: "kept")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try "set nocompatible backup undofile viminfo='50,<50 backupdir=~/kept undodir=~/kept directory=~/kept\n".write(
                to: desk.home.appending(path: ".vimrc"), atomically: true, encoding: .utf8)
            func edit(_ line: String) throws {
                let child = try desk.stage.runInTerminal(line)
                _ = try child.read { $0.contains("bourbon") }
                child.type(Array("ccclaret\u{1b}:wq\r".utf8))
                _ = try child.readToEnd()
                _ = child.status()
            }
            func traces() -> [String] {
                let own = FileManager.default.fileExists(atPath: desk.home.appending(path: ".viminfo").path) ? [".viminfo"] : []
                return own + ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? ["unreadable"])
            }
            try edit(desk.line("vim", terminal: "vt100"))
            let (kept, without) = (try desk.kept(), traces())
            // The same vim keeps all that where nobody tells it not to.
            try "bourbon".write(to: desk.home.appending(path: "plain"), atomically: true, encoding: .utf8)
            try edit("cd && exec env TERM=vt100 vim plain")
            return (kept, without, traces())
        }
        #expect(kept == "claret")
        #expect(traces == [])
        #expect(usual.count >= 2, "\(usual)")
    }

    @Test(
        "An editor that is known is told to keep nothing, under whatever name it is called",
        arguments: [("nano", "--ignorercfiles"), ("micro", "-backup"), ("emacs-gtk", "--eval"), ("nvim", "-n"), ("other", "")])
    func options(_ name: String, _ first: String) async throws {
        let arguments = try await onThread {
            let desk = try Desk()
            let program = try desk.editor("echo \"$#\" >\"$HOME/seen\"", "printf '%s\\n' \"$1\" >>\"$HOME/seen\"")
            let folder = desk.home.appending(path: "bin")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: program, toPath: folder.appending(path: name).path)
            // As /usr/bin/editor leads to the editor that the machine has.
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "my-editor").path, withDestinationPath: folder.appending(path: name).path)
            _ = try desk.stage.run("PATH=\(folder.path):$PATH; " + desk.line("my-editor"))
            return try String(contentsOf: desk.home.appending(path: "seen"), encoding: .utf8).split(separator: "\n").map(
                String.init)
        }
        try #require(arguments.count == 2)
        #expect(first.isEmpty ? arguments[0] == "1" : arguments[0] != "1" && arguments[1] == first)
    }
}
