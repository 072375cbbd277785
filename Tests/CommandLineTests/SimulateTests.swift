import Foundation
import Testing
import thumbturn_test_programs

@Suite("A simulated device ends with what ran on it", .serialized)
struct SimulateTests {
    /// A program that says where its device is, then waits.
    private static let waiting = #"thumbturn simulate -- sh -c 'dirname "$THUMBTURN_SOCKET"; read -r line'"#

    @Test("A signal that somebody sends is the program's, and nothing is left behind")
    func signal() async throws {
        let (folder, output, status, isLeft) = try await onThread {
            let stage = try Stage()
            let child = try stage.runInTerminal(
                #"exec thumbturn simulate -- sh -c 'trap "echo asked to end; exit 7" TERM; dirname "$THUMBTURN_SOCKET"; while :; do read -r line; done'"#
            )
            let folder = try Self.line(of: child)
            kill(child.pid, SIGTERM)
            let output = try child.readToEnd()
            return (folder, output, child.status(), FileManager.default.fileExists(atPath: folder))
        }
        #expect(folder.hasPrefix("/tmp/thumbturn-simulate-"))
        #expect(output.contains("asked to end"))
        #expect(status == 7)
        #expect(!isLeft)
    }

    @Test("A device that is killed makes the run fail, whatever the program said, and nothing is left behind")
    func deviceKilled() async throws {
        let (output, status, isLeft) = try await onThread {
            let stage = try Stage()
            let child = try stage.runInTerminal(
                #"thumbturn simulate -- sh -c 'dirname "$THUMBTURN_SOCKET"; read -r line; thumbturn verify; exit 0'"#)
            let folder = try Self.line(of: child)
            for pid in Self.simulators(of: folder) { kill(pid, SIGKILL) }
            child.type(Array("\r".utf8))
            let output = try child.readToEnd()
            return (output, child.status(), FileManager.default.fileExists(atPath: folder))
        }
        // The program isn't handed to another device instead.
        // A device that is just dying may still let it in, and then answers nothing.
        #expect(output.contains("Nothing listens at $THUMBTURN_SOCKET") || output.contains("went away before it answered"))
        #expect(output.contains("The simulated device ended before the program did"))
        #expect(status == 6)
        #expect(!isLeft)
    }

    @Test("When thumbturn itself is killed, the device goes and takes its folder along")
    func killed() async throws {
        let (hadDevice, isGone) = try await onThread {
            let stage = try Stage()
            let child = try stage.runInTerminal("exec " + Self.waiting)
            let folder = try Self.line(of: child)
            let devices = Self.simulators(of: folder)
            kill(child.pid, SIGKILL)
            _ = child.status()
            // It isn't our child to wait for: the folder's end is its own.
            for _ in 0..<6000 where FileManager.default.fileExists(atPath: folder) { usleep(10_000) }
            return (devices.count == 1, !FileManager.default.fileExists(atPath: folder))
        }
        #expect(hadDevice)
        #expect(isGone)
    }

    @Test("Two devices at once know nothing of each other")
    func two() async throws {
        let output = try await onThread {
            let stage = try Stage()
            return try stage.run(
                """
                thumbturn simulate -- sh -c 'printf outer | thumbturn secret add one --protect none >/dev/null
                thumbturn simulate -- thumbturn secret get one; thumbturn secret get one'
                """
            ).output
        }
        #expect(output == "thumbturn: There is no secret 'one'.\n  Run 'thumbturn secret list' to see what there is.\nouter")
    }

    @Test("A program started by simulate or by run gets back what thumbturn changed for itself: SIGPIPE and core files")
    func surroundings() async throws {
        let (plain, simulated, inRun) = try await onThread {
            let stage = try Stage()
            // Signals 32 and 33 are the C library's own.
            let masks = "case $name in SigBlk:|SigIgn:) echo $name $((0x$mask & 0x7fffffff));; esac"
            let command = "sh -c 'ulimit -c; while read -r name mask; do \(masks); done </proc/self/status'"
            try Data("printf x | thumbturn secret add one >/dev/null\nthumbturn run --secret A=one -- \(command)\n".utf8)
                .write(to: stage.folder.appending(path: "home/script"))
            return (
                try stage.run(command), try stage.run("thumbturn simulate -- " + command),
                try stage.run("thumbturn simulate -- sh $HOME/script")
            )
        }
        #expect(plain.output == simulated.output)
        #expect(plain.output == inRun.output)
        #expect(simulated.output.contains("SigIgn"))
    }

    @Test("What whoever starts thumbturn has ignored stays so in a program that run starts", arguments: ["", "trap '' PIPE; "])
    func pipeSignal(before: String) async throws {
        let (alone, inRun) = try await onThread {
            let stage = try Stage()
            // Its own bit alone: the C library ignores signals for itself.
            let look = "case $name in SigIgn:) echo pipe $((0x$mask >> 12 & 1));; esac"
            let command = "sh -c 'while read -r name mask; do \(look); done </proc/self/status'"
            try Data(
                "printf x | thumbturn secret add one >/dev/null\n\(before)thumbturn run --secret A=one -- \(command)\n".utf8
            ).write(to: stage.folder.appending(path: "home/script"))
            return (try stage.run("\(before)\(command)"), try stage.run("thumbturn simulate -- sh $HOME/script"))
        }
        #expect(alone.output == (before.isEmpty ? "pipe 0\n" : "pipe 1\n"))
        #expect(inRun.output == alone.output)
    }

    @Test("It starts what it needs without a standard input or error too", arguments: ["2>&-", "<&-", "<&- 2>&-"])
    func closed(closing: String) async throws {
        let outcome = try await onThread { try Stage().run("thumbturn simulate -- echo there \(closing)") }
        #expect(outcome.output == "there\n" && outcome.status == 0, "\(outcome.output)")
    }

    /// The first line that a program says.
    private static func line(of child: Child) throws -> String {
        try child.read { $0.contains("\n") }.output.split(separator: "\n").first.map(String.init) ?? ""
    }

    private static func simulators(of folder: String) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { pid in
            let words =
                FileManager.default.contents(atPath: "/proc/\(pid)/cmdline").map { String(decoding: $0, as: UTF8.self) } ?? ""
            return words.hasPrefix("thumbturn-simulator\0--folder\0\(folder)\0")
        }
    }
}
