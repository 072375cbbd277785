import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// Only root can give a program a group, and write a registry that counts.
@Suite("Protected programs as readers", .enabled(if: getuid() == 0, "takes groups of root's"), .timeLimit(.minutes(10)))
struct ProtectedReaderTests {
    /// The same lines as a program of that name, started with that group besides.
    private func run(_ stage: ProviderStage, _ name: String, group: String?, _ lines: String) throws -> String {
        let start = try stage.program(name, PythonClient.head + "exec(open(sys.argv[1]).read())\n")
        let task = try stage.file("task", lines)
        let groups = group.map { "/usr/bin/setpriv --groups \($0) " } ?? ""
        let result = try stage.run("\(groups)\(start) \(task)")
        return result.status == 0 ? result.output : result.output + result.errors + stage.log
    }

    @Test("a reader with a protected program's group is that program, if the registry is root's alone")
    func group() async throws {
        let said = try await onThread {
            let stage = try ProviderStage()
            _ = try stage.file("protected", "70001 vault /usr/bin/vault\n70002 other /usr/bin/other\n")
            chmod(stage.registry, 0o644)
            let look = "print([len(l) for l in search(s='x')])"
            let refused = "print(failure(lambda: search(s='x')))"
            var said = try run(stage, "a", group: "70001", "make({'s': 'x'}, b'mine')\n" + look)
            // Another script, the same program; the same script, another program.
            said += try run(stage, "b", group: "70001", look)
            said += try run(stage, "a", group: "70002", look)
            said += try run(stage, "a", group: nil, look)
            // Nobody can say which of two.
            said += try run(stage, "a", group: "70001,70002", refused)
            // Whoever else can write it could make any group a protected program's.
            chmod(stage.registry, 0o666)
            return said + (try run(stage, "b", group: "70001", look))
        }
        #expect(said == "[1, 0]\n[1, 0]\n[0, 1]\n[0, 1]\nAccessDenied\n[0, 1]\n")
    }
}
