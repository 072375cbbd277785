import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("Moving to the system's daemon", .serialized)
struct MigrateTests {
    private static let (own, system) = ("tulip field", "other garden")

    /// A user with a daemon of their own, and the machine's beside it.
    private final class Machine {
        let stage: Stage
        private var daemon: Child?
        private let accounts: TrustingAccounts
        let folder: String
        var socket: String { folder + "/system/socket" }
        var at: String { "THUMBTURN_SOCKET=\(socket)" }

        init() throws {
            (stage, accounts) = (try Stage(terminal: "xterm"), try TrustingAccounts())
            folder = stage.folder.path
            try stage.startDaemon()
            try FileManager.default.createDirectory(
                atPath: folder + "/system", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            try startSystem()
            for (command, passcode) in [("", own), (at + " ", system)] {
                let child = try stage.runInTerminal(command + "thumbturn passcode set")
                // The system's asks who chooses it first.
                if !command.isEmpty { try type(child, "the account's", at: "Account password:") }
                for prompt in ["New passcode:", "Again:"] { try type(child, passcode, at: prompt) }
                _ = try child.readToEnd()
                try #require(child.status() == 0)
            }
        }

        func startSystem() throws {
            daemon?.end()
            unlink(socket)
            let words = [
                builtPrograms.appending(path: "thumbturn-front").path, "--socket", socket, "--devices", folder + "/users",
                "--idle", "0",
            ]
            daemon = try Child(accounts.starting(words), environment: [:])
            for _ in 0..<6000 where !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
        }

        func killSystem() {
            guard let daemon else { return }
            kill(daemon.pid, SIGKILL)
            _ = daemon.status()
            self.daemon = nil
        }

        @discardableResult
        func type(_ child: Child, _ words: String, at prompt: String) throws -> String {
            let shown = try child.read { $0.contains(prompt) }.output
            child.type(Array((words + "\r").utf8))
            return shown
        }

        /// A migration whose owner has typed both passcodes.
        func migrate(_ options: String = "") throws -> Child {
            let child = try stage.runInTerminal("\(at) thumbturn migrate \(options)")
            try type(child, MigrateTests.own, at: "Passcode:")
            try type(child, MigrateTests.system, at: "Passcode:")
            return child
        }

        func add(_ name: String, _ value: String, _ options: String = "") throws {
            let (output, status) = try stage.run("printf \(value) | thumbturn secret add \(name) --protect none \(options)")
            try #require(status == 0, "\(output)")
        }
    }

    @Test("Items come along and stay where they were; what can't come is counted; a second run changes nothing")
    func move() async throws {
        let (before, dry, moved, again, here, there, log) = try await onThread {
            let machine = try Machine()
            try machine.add("one", "first")
            try machine.add("two", "second")
            try machine.add("three", "third", "--only-here")
            let before = try machine.stage.run("\(machine.at) thumbturn secret get one")
            let dry = try machine.migrate("--dry-run").readToEnd()
            let child = try machine.migrate()
            let moved = (try child.readToEnd(), child.status())
            let again = try machine.migrate("--json").readToEnd()
            let here = try machine.stage.run("thumbturn secret get two").output
            let there = try machine.stage.run("\(machine.at) thumbturn secret get one").output
            let log = try machine.stage.run("\(machine.at) thumbturn log --own").output
            return (before.status, dry, moved, again, here, there, log)
        }
        #expect(before == 4)
        #expect(dry.contains("Would copy 2 items.\n1 item stayed behind: made for this device alone."), "\(dry)")
        #expect(
            moved.0.contains("Copied 2 items.\n1 item stayed behind: made for this device alone.") && moved.1 == 0, "\(moved)")
        #expect(again.contains("\"moved\": 0") && again.contains("\"present\": 2"), "\(again)")
        #expect(here == "second" && there == "first")
        #expect(log.contains("import"), "\(log)")
    }

    @Test("The system's daemon killed in the middle: what was acknowledged is there, nothing is lost, and a second run goes on")
    func killed() async throws {
        let (status, again, here, there) = try await onThread {
            let machine = try Machine()
            let (_, added) = try machine.stage.run(
                "for i in $(seq 30); do head -c 900000 /dev/urandom | thumbturn secret add item$i --protect none || exit 1; done")
            try #require(added == 0)
            let child = try machine.migrate()
            _ = try child.read { $0.contains("Copying [") }
            machine.killSystem()
            _ = try child.readToEnd()
            let status = child.status()
            try machine.startSystem()
            let again = try machine.migrate("--json").readToEnd()
            let count = "thumbturn secret list | grep -c item"
            return (status, again, try machine.stage.run(count).output, try machine.stage.run("\(machine.at) \(count)").output)
        }
        #expect(status == 2)
        let numbers = again.drop { $0 != "{" }.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        #expect(numbers.count == 2 && numbers[0] + numbers[1] == 30 && numbers[1] > 0, "\(again)")
        #expect(here == "30\n" && there == "30\n")
    }

    @Test("Where there is no system service, and where the owner has no passcode, it is said so and nothing is done")
    func refused() async throws {
        let (user, unset) = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            let user = try stage.run("thumbturn migrate")
            return (user, try stage.run("THUMBTURN_SOCKET=/nowhere thumbturn migrate"))
        }
        #expect(user.status == 2 && user.output.contains("no system service"), "\(user)")
        #expect(unset.status == 2, "\(unset)")
    }
}
