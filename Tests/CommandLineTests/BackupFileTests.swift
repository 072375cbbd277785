import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("A backup's file", .serialized)
struct BackupFileTests {
    private static let passphrase = "a-passphrase-of-these-tests"
    private static let passcode = "tulip field"

    /// A stage whose owner has a passcode.
    private static func stage() throws -> Stage {
        let stage = try Stage(terminal: "xterm")
        try stage.startDaemon()
        let child = try stage.runInTerminal("thumbturn passcode set")
        _ = try child.read { $0.contains("New passcode:") }
        child.type(Array((passcode + "\r").utf8))
        _ = try child.read { $0.contains("Again:") }
        child.type(Array((passcode + "\r").utf8))
        _ = try child.readToEnd()
        try #require(child.status() == 0)
        return stage
    }

    /// Items of about that many bytes, which are random and so stay as many.
    private static func fill(_ stage: Stage, _ count: Int, bytes: Int) throws {
        let add = "head -c \(bytes) /dev/urandom | thumbturn secret add item$i --protect none || exit 1"
        let (output, status) = try stage.run("for i in $(seq \(count)); do \(add); done")
        try #require(status == 0, "\(output)")
    }

    private static func type(_ child: Child, _ words: String, at prompt: String) throws -> String {
        let shown = try child.read { $0.contains(prompt) }.output
        child.type(Array((words + "\r").utf8))
        return shown
    }

    /// Runs an export or import whose passphrase comes from standard input, and types the passcode.
    private static func run(_ command: String, on stage: Stage) throws -> Child {
        let child = try stage.runInTerminal("cd $HOME && echo \(passphrase) | \(command)")
        _ = try type(child, passcode, at: "Passcode:")
        return child
    }

    private static func files(_ stage: Stage) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: stage.folder.path + "/home").sorted()
    }

    @Test("Neither names nor secrets nor the passphrase can be read in it, and no process has the passphrase in its arguments")
    func sealed() async throws {
        let (file, holders, shown) = try await onThread {
            let stage = try Self.stage()
            _ = try stage.run(
                "printf a-planted-secret | thumbturn secret add a-planted-name --account a-planted-account --protect none")
            let child = try stage.runInTerminal("cd $HOME && thumbturn export vault")
            var shown = try Self.type(child, Self.passphrase, at: "New passphrase:")
            shown += try Self.type(child, Self.passphrase, at: "Again:")
            shown += try child.read { $0.contains("Passcode:") }.output
            let holders = try Self.holders()
            child.type(Array((Self.passcode + "\r").utf8))
            shown += try child.readToEnd()
            try #require(child.status() == 0)
            return (try Data(contentsOf: stage.folder.appending(path: "home/vault")), holders, shown)
        }
        #expect(file.starts(with: Array("THUMBBAK".utf8)))
        for marker in ["a-planted-secret", "a-planted-name", "a-planted-account", "thumbturn", Self.passphrase] {
            #expect(file.range(of: Data(marker.utf8)) == nil, "\(marker)")
        }
        #expect(holders.isEmpty && !shown.contains(Self.passphrase))
    }

    /// The processes whose arguments or environment hold the passphrase.
    private static func holders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.filter { pid in
            ["cmdline", "environ"].contains { name in
                let data = FileManager.default.contents(atPath: "/proc/\(pid)/\(name)")
                return data?.range(of: Data(passphrase.utf8)) != nil
            }
        }
    }

    @Test("A terminal shows a bar while it takes long, and a pipe a line at each tenth")
    func progress() async throws {
        let (bar, lines) = try await onThread {
            let stage = try Self.stage()
            try Self.fill(stage, 20, bytes: 300_000)
            let bar = try Self.run("thumbturn export one", on: stage).readToEnd()
            let lines = try Self.run("thumbturn export two 2>&1 | cat", on: stage).readToEnd()
            return (bar, lines)
        }
        #expect(bar.contains("Exporting [") && bar.contains("10 of 20 items"))
        #expect(lines.contains("Exporting: 10 of 20 items\n") && !lines.contains("["), "\(lines)")
        #expect(bar.contains("Exported 20 items to one.") && lines.contains("Exported 20 items to two."))
    }

    @Test(
        "Interrupted in the middle, an export leaves nothing, and an import what it has acknowledged",
        arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        let (status, files, again) = try await onThread {
            let stage = try Self.stage()
            try Self.fill(stage, 40, bytes: 900_000)
            let child = try stage.runInTerminal("cd $HOME && echo \(Self.passphrase) >pass && exec thumbturn export vault <pass")
            _ = try Self.type(child, Self.passcode, at: "Passcode:")
            _ = try child.read { $0.contains("Exporting [") }
            kill(child.pid, signal)
            _ = try child.readToEnd()
            let status = child.status()
            let files = try Self.files(stage)
            return (status, files, try Self.run("thumbturn export vault", on: stage).readToEnd())
        }
        #expect(status == 3)
        #expect(files == ["pass"])
        #expect(again.contains("Exported 40 items"))
    }

    @Test(
        "A daemon killed in the middle: no file of an export; an import keeps what was acknowledged, and goes on when run again")
    func killed() async throws {
        let (exported, files, imported, again, count) = try await onThread {
            let stage = try Self.stage()
            try Self.fill(stage, 40, bytes: 900_000)
            _ = try Self.run("thumbturn export whole", on: stage).readToEnd()
            var child = try Self.run("thumbturn export vault", on: stage)
            _ = try child.read { $0.contains("Exporting [") }
            stage.killDaemon()
            let exported = (try child.readToEnd(), child.status())
            let files = try Self.files(stage)
            try stage.startDaemon()
            let remove = try stage.runInTerminal("for i in $(seq 40); do thumbturn secret remove item$i || exit 1; done")
            _ = try remove.readToEnd()
            try #require(remove.status() == 0)
            child = try Self.run("thumbturn import whole", on: stage)
            _ = try child.read { $0.contains("Importing [") }
            stage.killDaemon()
            let imported = (try child.readToEnd(), child.status())
            try stage.startDaemon()
            let again = try Self.run("thumbturn import whole --json", on: stage).readToEnd()
            return (exported, files, imported, again, try stage.run("thumbturn secret list | wc -l").output)
        }
        #expect(exported.1 == 2 && exported.0.contains("The daemon"), "\(exported)")
        #expect(files == ["whole"])
        #expect(imported.1 == 2 && imported.0.contains("imported."), "\(imported)")
        // Some were there, some weren't, and all are now.
        let numbers = again.drop { $0 != "{" }.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        #expect(numbers.count == 3 && numbers[0] > 0 && numbers[2] > 0 && numbers.reduce(0, +) == 40, "\(again)")
        #expect(count.trimmingCharacters(in: .whitespacesAndNewlines) == "41")
    }

    @Test(
        "On a full disk it is said so, nothing is left, and a backup that was there stays",
        .enabled(if: geteuid() == 0, "takes root, to mount a small disk"))
    func full() async throws {
        let (output, status, files, kept) = try await onThread {
            let stage = try Self.stage()
            try Self.fill(stage, 3, bytes: 900_000)
            let home = stage.folder.path + "/home"
            try #require(
                try stage.run("/bin/mount -t tmpfs -o size=1m,mode=700 tmpfs \(home)").status == 0, "mounting needs root")
            defer { _ = try? stage.run("/bin/umount -l \(home)") }
            _ = try stage.run("echo old >\(home)/vault")
            let child = try Self.run("thumbturn export vault --force", on: stage)
            let output = try child.readToEnd()
            return (output, child.status(), try Self.files(stage), try stage.run("cat \(home)/vault").output)
        }
        #expect(output.contains("The disk is full") && status == 74)
        #expect(files == ["vault"] && kept == "old\n")
    }

    @Test("A file that appears while an export runs isn't replaced; a part that lies there isn't touched")
    func appeared() async throws {
        let (part, output, status, kept, files) = try await onThread {
            let stage = try Self.stage()
            let home = stage.folder.path + "/home"
            try Self.fill(stage, 40, bytes: 900_000)
            _ = try stage.run("echo other >\(home)/other.part")
            let part = try Self.run("thumbturn export other", on: stage).readToEnd()
            let child = try Self.run("thumbturn export vault", on: stage)
            _ = try child.read { $0.contains("Exporting [") }
            _ = try stage.run("echo mine >\(home)/vault")
            let output = try child.readToEnd()
            return (
                part, output, child.status(), try stage.run("cd \(home) && cat vault other.part").output, try Self.files(stage)
            )
        }
        #expect(part.contains("There is an unfinished backup of that name"))
        #expect(output.contains("The file already exists") && status == 5)
        #expect(kept == "mine\nother\n" && files == ["other.part", "vault"], "\(kept) \(files)")
    }

    @Test("The daemon's memory stays flat while it exports and imports a hundred megabytes")
    func memory() async throws {
        let (before, exporting, importing) = try await onThread {
            let stage = try Self.stage()
            // The passphrase's own cost is paid once before, so that what is measured is the chunks'.
            _ = try Self.run("thumbturn export small", on: stage).readToEnd()
            try Self.fill(stage, 100, bytes: 1_000_000)
            let daemon = try #require(stage.daemonID)
            let before = try Self.memory(of: daemon, "VmRSS:")
            try Self.forgetPeak(of: daemon)
            let export = try Self.run("thumbturn export large", on: stage)
            _ = try export.readToEnd()
            let exporting = try Self.memory(of: daemon, "VmHWM:")
            try Self.forgetPeak(of: daemon)
            let importing = try Self.run("thumbturn import large --replace", on: stage)
            _ = try importing.readToEnd()
            try #require(export.status() == 0 && importing.status() == 0)
            return (before, exporting, try Self.memory(of: daemon, "VmHWM:"))
        }
        // Stretching takes 64 MiB for a moment; chunks of one and a half, several times over, fit into the rest.
        let room = (64 + 24) << 10
        #expect(exporting - before < room && importing - before < room, "\(before) \(exporting) \(importing)")
    }

    /// How much memory a process has (VmRSS) or has had at most (VmHWM), in KiB.
    private static func memory(of pid: pid_t, _ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
        return try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
    }

    private static func forgetPeak(of pid: pid_t) throws {
        try "5".write(toFile: "/proc/\(pid)/clear_refs", atomically: false, encoding: .utf8)
    }
}
