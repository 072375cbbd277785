import Foundation
import Testing
import thumbturn_test_programs

@Suite("Secrets stay where they belong", .serialized)
struct SecrecyTests {
    private static let secret = "moon-over-bourbon-street"

    @Test("While a secret is typed and kept, no terminal shows it, and no process in its arguments or environment")
    func processes() async throws {
        let (shown, holders, status) = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            let child = try stage.runInTerminal("thumbturn secret add song --protect none")
            var shown = try child.read { $0.contains("Secret:") }.output
            child.type(Array((Self.secret + "\r").utf8))
            shown += try child.read { $0.contains("Again:") }.output
            var holders = try Self.holders()
            child.type(Array((Self.secret + "\r").utf8))
            shown += try child.readToEnd()
            holders += try Self.holders()
            return (shown, holders, child.status())
        }
        #expect(!shown.contains(Self.secret))
        #expect(holders.isEmpty)
        #expect(status == 0)
    }

    @Test("What is typed before a secret is asked for is no part of it")
    func typedAhead() async throws {
        let (status, kept) = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            // The shell takes one line. What stands behind it waits in the terminal for whoever reads next.
            let child = try stage.runInTerminal("read -r line; exec thumbturn secret add song --protect none")
            child.type(Array("go\rtoo early\r".utf8))
            for label in ["Secret:", "Again:"] {
                _ = try child.read { $0.contains(label) }
                child.type(Array((Self.secret + "\r").utf8))
            }
            _ = try child.readToEnd()
            return (child.status(), try stage.run("thumbturn secret get song").output)
        }
        #expect(status == 0)
        #expect(kept == Self.secret)
    }

    @Test("No file of the daemon has the secret in clear")
    func files() async throws {
        let (output, contents) = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            _ = try stage.run("thumbturn secret add song --protect none", input: Array(Self.secret.utf8))
            let output = try stage.run("thumbturn secret get song").output
            let files = FileManager.default.enumerator(at: stage.folder, includingPropertiesForKeys: nil)?.allObjects ?? []
            return (output, files.compactMap { ($0 as? URL).flatMap { try? Data(contentsOf: $0) } })
        }
        #expect(output == Self.secret)
        #expect(contents.count > 2)
        #expect(!contents.contains { $0.range(of: Data(Self.secret.utf8)) != nil })
    }

    @Test("A program run with a secret has it in no argument and no environment, unless that was asked for")
    func run() async throws {
        let (byFile, inEnvironment) = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            _ = try stage.run("thumbturn secret add song --protect none", input: Array(Self.secret.utf8))
            return (try Self.run("--secret", on: stage), try Self.run("--in-environment", on: stage))
        }
        #expect(byFile.holders.isEmpty)
        #expect(byFile.file?.hasPrefix("/memfd:secret") == true)
        #expect(byFile.status == 0)
        // The program itself: so the search finds what is there.
        #expect(inEnvironment.holders == ["\(inEnvironment.pid)"])
        #expect(inEnvironment.file == nil)
    }

    @Test("The file of a secret is gone when the last program that has it is")
    func gone() async throws {
        let (isItsAlone, left) = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            _ = try stage.run("thumbturn secret add song --protect none", input: Array(Self.secret.utf8))
            let child = try stage.runInTerminal("exec thumbturn run --secret SONG=song -- sh -c 'echo ready; read -r line'")
            _ = try child.read { $0.contains("ready") }
            let file = try #require(Self.number(of: "/proc/\(child.pid)/fd/64"))
            let descriptors = try Self.descriptors(of: file)
            child.type(Array("\r".utf8))
            _ = try child.readToEnd()
            _ = child.status()
            return (descriptors == ["/proc/\(child.pid)/fd/64"], try Self.descriptors(of: file))
        }
        #expect(isItsAlone)
        #expect(left.isEmpty)
    }

    @Test("A daemon that isn't there is started by the first command, and once")
    func start() async throws {
        let answers = try await onThread {
            let stage = try Stage()
            let first = try stage.run("thumbturn doctor --json").output
            defer { if let process = try? Self.process(first) { kill(process, SIGTERM) } }
            return [first, try stage.run("thumbturn doctor --json").output]
        }
        #expect(try Self.process(answers[0]) == Self.process(answers[1]))
    }

    private static func process(_ doctor: String) throws -> pid_t {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(doctor.utf8)) as? [String: Any], "\(doctor)")
        return try #require((object["process"] as? NSNumber)?.int32Value)
    }

    private struct Running: Sendable {
        var pid: pid_t
        var holders: [String]
        /// What its descriptor for the secret leads to.
        var file: String?
        var status: Int32
    }

    /// Runs a program with the secret and looks around while it waits.
    private static func run(_ option: String, on stage: Stage) throws -> Running {
        let child = try stage.runInTerminal("exec thumbturn run \(option) SONG=song -- sh -c 'echo ready; read -r line'")
        _ = try child.read { $0.contains("ready") }
        let holders = try holders()
        let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child.pid)/fd/64")
        child.type(Array("\r".utf8))
        _ = try child.readToEnd()
        return Running(pid: child.pid, holders: holders, file: file, status: child.status())
    }

    /// The descriptors of all processes that lead to that file in memory.
    private static func descriptors(of file: UInt64) throws -> [String] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.flatMap { pid in
            ((try? files.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []).map { "/proc/\(pid)/fd/\($0)" }
        }.filter { path in
            let target = try? files.destinationOfSymbolicLink(atPath: path)
            return target?.hasPrefix("/memfd:secret") == true && number(of: path) == file
        }
    }

    private static func number(of path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The processes whose arguments or environment hold the secret.
    private static func holders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.filter { pid in
            ["cmdline", "environ"].contains { name in
                guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/\(name)") else { return false }
                return data.range(of: Data(secret.utf8)) != nil
            }
        }
    }
}
