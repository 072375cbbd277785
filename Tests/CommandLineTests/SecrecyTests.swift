import Foundation
import Testing

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
