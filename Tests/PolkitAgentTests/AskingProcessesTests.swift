import CThumbLinux
import Testing
import thumbturn_test_daemon

@testable import ThumbPolkitAgent

@Suite("Who has polkit ask", .timeLimit(.minutes(1))) struct AskingProcessesTests {
    /// A process that waits, with these arguments behind its name.
    private func waiting(as real: uid_t? = nil, _ arguments: [String]) throws -> Child {
        let become = real.map { "os.setresuid(\($0), 0, 0); " } ?? ""
        let words = "[" + arguments.map { "'\($0)'" }.joined(separator: ", ") + "]"
        let script =
            "import os; \(become)os.execv('/usr/bin/python3', ['pkexec', '-c', 'import time; time.sleep(60)'] + \(words))"
        return try Child("/usr/bin/python3", ["-c", script])
    }

    /// Waits until the process is the program that it becomes.
    private func seen(_ child: Child, _ look: (Int32) -> AskingProcesses) -> AskingProcesses {
        for _ in 0..<3000 {
            let found = look(child.pid)
            let text = found.command ?? found.asker ?? ""
            if text.hasPrefix("pkexec ") { return found }
            usleep(10_000)
        }
        return look(child.pid)
    }

    @Test(
        "what a program of root's was told by its user is the command, with blanks and empty arguments made visible",
        .enabled(if: geteuid() == 0, "takes root"))
    func command() throws {
        let child = try waiting(as: 12_345, ["/usr/bin/id", "-u", "", "a b"])
        defer { child.killed() }
        let message = "Authentication is needed to run `/usr/bin/id' as the super user"
        let found = seen(child) { AskingProcesses(caller: $0, subject: 1, message: message) }
        #expect(found.command == "pkexec -c 'import time; time.sleep(60)' /usr/bin/id -u '' 'a b'")
        #expect(found.asker == nil && found.isKnown)
        // A program asks polkit, which takes no path from it, and then becomes one of root's by starting it.
        let became = AskingProcesses(caller: child.pid, subject: 1, message: "Authentication is needed to run a program")
        Tally.check("a program passes for what root runs by starting su", succeeded: became != AskingProcesses(isKnown: false))
        #expect(became == AskingProcesses(isKnown: false))
        // For another action, what it was started with is the asking program's own word.
        let other = AskingProcesses(caller: child.pid, subject: 1, message: nil)
        #expect(other.command == nil && other.asker == found.command && other.isKnown)
    }

    @Test("arguments with a quotation mark, with which one could pass for several, are shown, and don't count as known")
    func marks() throws {
        let child = try waiting(["a\\' \\'b"])
        defer { child.killed() }
        let found = seen(child) { AskingProcesses(caller: getpid(), subject: $0, message: nil) }
        #expect(found.asker?.hasSuffix(" 'a' 'b'") == true && !found.isKnown)
    }

    @Test("for a service, it is what the asking program was started with")
    func service() throws {
        let child = try waiting(["x"])
        defer { child.killed() }
        let found = seen(child) { AskingProcesses(caller: getpid(), subject: $0, message: nil) }
        #expect(found.command == nil && found.asker == "pkexec -c 'import time; time.sleep(60)' x" && found.isKnown)
    }

    @Test("of a process that is gone, or that polkit doesn't name, nothing is known")
    func unknown() {
        for (caller, subject) in [(nil, getpid()), (Int32.max, getpid()), (getpid(), nil), (getpid(), Int32.max)] {
            #expect(AskingProcesses(caller: caller, subject: subject, message: nil) == AskingProcesses(isKnown: false))
        }
    }
}
