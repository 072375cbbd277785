import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// How a prompt treats the terminal it is in.
@Suite("A terminal's habits", .serialized)
struct TerminalTests {
    private static let passcode = "tulip field"
    private static let interrupt: [UInt8] = [3]

    /// A daemon whose passcode is set.
    private static func stage() throws -> Stage {
        let stage = try Stage()
        try stage.startDaemon()
        try stage.setPasscode(passcode)
        return stage
    }

    /// Types wrong passcodes until the prompt makes the owner wait. Returns what it has shown since the last of them.
    private static func misses(_ child: Child) throws -> (met: Bool, output: String) {
        _ = try child.read { $0.contains("Passcode:") }
        for _ in 0..<3 {
            child.type(Array("tulip bed\r".utf8))
            _ = try child.read { $0.contains("That passcode is not right.") && $0.contains("Passcode:") }
        }
        child.type(Array("tulip bed\r".utf8))
        return try child.read { !seconds($0).isEmpty }
    }

    /// The seconds that a countdown has shown.
    private static func seconds(_ shown: String) -> [Int] {
        shown.matches(of: /You can try the next passcode in ([0-9]+) s\./).compactMap { Int($0.1) }
    }

    @Test("After four wrong passcodes the seconds count down in one line")
    func countdown() async throws {
        let (begin, rest, status) = try await onThread {
            let stage = try Self.stage()
            let child = try stage.runInTerminal("TERM=xterm thumbturn verify")
            let begin = try Self.misses(child).output
            let rest = try child.read { Self.seconds($0).count > 1 }.output
            child.type(Self.interrupt)
            _ = try child.readToEnd()
            return (begin, rest, child.status())
        }
        let seconds = Self.seconds(begin + rest)
        #expect(seconds.count > 2 && seconds.first == 10, "\(begin)\(rest)")
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 > $1 }, "\(seconds)")
        #expect(begin.hasSuffix(" s.") && !rest.contains("\n"), "\(begin)\(rest)")
        #expect(status == 3)
    }

    @Test("A terminal that can't write over a line is told the seconds once, and nothing but text; then the field is back")
    func dumb() async throws {
        let (begin, back, end, raw, status) = try await onThread {
            let stage = try Self.stage()
            let child = try stage.runInTerminal("thumbturn verify")
            var raw: [UInt8] = []
            let begin = try Self.misses(child)
            raw += child.collected
            // What is typed while the countdown runs isn't sent, and counts as no guess.
            child.type(Array("tulip bed\r".utf8))
            let back = try child.read { $0.contains("Passcode:") }
            raw += child.collected
            child.type(Array((Self.passcode + "\r").utf8))
            let end = try child.readToEnd()
            raw += child.collected
            return (begin, back, end, raw, child.status())
        }
        #expect(begin.met && begin.output.contains("in 10 s."))
        #expect(back.met && !back.output.contains(" s.") && !back.output.contains("not right"), "\(back.output)")
        #expect(end.contains("The owner was recognized by passcode.") && status == 0, "\(end)")
        #expect(!raw.contains(0x1b))
    }

    @Test(
        "Letters are bold where the terminal can and the user lets them",
        arguments: [
            ("TERM=xterm", true), ("TERM=xterm NO_COLOR=", true), ("TERM=xterm NO_COLOR=1", false), ("TERM=dumb", false),
            ("TERM=", false), ("NO_COLOR=1", false),
        ])
    func styled(_ variables: String, _ isBold: Bool) async throws {
        let (begin, status) = try await onThread {
            let stage = try Self.stage()
            let child = try stage.runInTerminal("\(variables) thumbturn verify")
            _ = try child.read { $0.contains("Passcode:") }
            let begin = child.collected
            child.type(Self.interrupt)
            _ = try child.readToEnd()
            return (begin, child.status())
        }
        #expect(begin.contains(0x1b) == isBold)
        #expect(status == 3)
    }

    @Test("A prompt that is ended leaves the terminal as it found it", arguments: [SIGTERM, SIGHUP, SIGINT])
    func ended(_ signal: Int32) async throws {
        let (output, status) = try await onThread {
            let stage = try Self.stage()
            let child = try stage.runInTerminal(
                "thumbturn verify; for word in $(stty -a); do case $word in *echo|*isig) echo \"has $word\";; esac; done")
            _ = try child.read { $0.contains("Passcode:") }
            let prompts = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter { pid in
                let line = FileManager.default.contents(atPath: "/proc/\(pid)/stat").map { String(decoding: $0, as: UTF8.self) }
                // Its name, which is cut to fifteen letters, and its session, which is the child's own.
                guard let line, line.contains("(thumbturn-promp)") else { return false }
                return line.split(separator: ")").last?.split(separator: " ")[3] == "\(child.pid)"
            }
            try #require(prompts.count == 1)
            kill(prompts[0], signal)
            return (try child.readToEnd(), child.status())
        }
        #expect(output.contains("This question is no longer open."))
        #expect(output.contains("has echo") && output.contains("has isig") && !output.contains("has -"), "\(output)")
        #expect(status == 0)
    }

    @Test("A command that is ended while a secret is typed leaves the terminal as it found it", arguments: [SIGTERM, SIGHUP])
    func endedTyping(_ signal: Int32) async throws {
        let output = try await onThread {
            let stage = try Self.stage()
            let child = try stage.runInTerminal(
                "thumbturn secret add zz; for word in $(stty -a); do case $word in *echo|*isig) echo \"has $word\";; esac; done")
            _ = try child.read { $0.contains("Secret:") }
            let commands = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter { pid in
                let line = FileManager.default.contents(atPath: "/proc/\(pid)/stat").map { String(decoding: $0, as: UTF8.self) }
                guard let line, line.contains("(thumbturn)") else { return false }
                return line.split(separator: ")").last?.split(separator: " ")[3] == "\(child.pid)"
            }
            try #require(commands.count == 1)
            kill(commands[0], signal)
            return try child.readToEnd()
        }
        #expect(output.contains("has echo") && output.contains("has isig") && !output.contains("has -"), "\(output)")
    }
}
