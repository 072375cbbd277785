import Foundation
import Testing

/// A small house with a threat model, a list of attacks and tests, in which a test may write what isn't right.
private struct ThreatHouse {
    let root: URL
    var rows = ["| a thief | a secret | a rule | `DoorTests.LockTests`, `LockTests/picked` |"]
    var attacks = "^DoorTests\\."
    var tests = """
        extension Outer {
            @Suite struct LockTests {
                @Test("nobody picks it", arguments: [1]) func picked() { Tally.attack("picked", succeeded: false) }
                func helper() {}
            }
        }
        struct Bystander {}
        """

    func check() async throws -> Outcome {
        let head = "# Threat model\n\n## Kept out\n\n| who | from what | by | attacked in |\n|---|---|---|---|\n"
        let tail = "\n\n## Not kept out\n\n| who | from what | by | attacked in |\n| nobody | a | b | c |\n"
        try root.appending(path: "docs/contributors/threat-model.md").write(head + rows.joined(separator: "\n") + tail)
        try root.appending(path: "Makefile").write("all:\n\nATTACKS := \(attacks)\n")
        try root.appending(path: "Tests/DoorTests/LockTests.swift").write(tests)
        return try await run([checkout.appending(path: "scripts/check-threats").path, "--root", root.path])
    }
}

@Suite("The threat model's tests")
struct ThreatTests {
    @Test("Every row that names a test is one of a test that there is, and every attack is run")
    func whole() async throws {
        let outcome = try await run([checkout.appending(path: "scripts/check-threats").path])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("Suites and tests are found by target, alone, and within another type; what isn't a name in backticks isn't looked at")
    func found() async throws {
        try await withTemporaryFolder { folder in
            var house = ThreatHouse(root: folder)
            house.rows.append("| b | c | d | `DoorTests.Outer.LockTests/picked`: as `root`, after `make demo` and `--tpm none` |")
            let outcome = try await house.check()
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }

    @Test(
        "A row that promises without a test of that name is a finding, with its line",
        arguments: [
            ("`DoorTests.KeyTests`", "there is no test DoorTests.KeyTests"),
            ("`LockTests/helper`", "there is no test LockTests/helper"),
            ("`LockTests/gone`", "there is no test LockTests/gone"), ("`Bystander`", "there is no test Bystander"),
            ("`WallTests.LockTests/kept`", "there is no test WallTests.LockTests/kept"),
            ("`DoorTests`", "DoorTests is a folder of tests"),
            ("`LockTests`, `DoorTests`", "DoorTests is a folder of tests"), ("`make demo`", "a row that names no test"),
            ("LockTests", "a row that names no test"), ("`LockTests` | and more", "a row with 5 columns"),
        ])
    func missing(column: String, finding: String) async throws {
        try await withTemporaryFolder { folder in
            var house = ThreatHouse(root: folder)
            // Behind an empty line too, which ends the table where it is shown.
            house.rows += ["", "| a guest | a room | a door | \(column) |"]
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(
                outcome.lines.count == 1 && outcome.output.contains("docs/contributors/threat-model.md:9: \(finding)"),
                "\(outcome.output)")
        }
    }

    @Test(
        "A name in the list of attacks that matches no suite is a finding",
        arguments: [
            "^DoorTests\\. ^WallTests\\.", "^DoorTests\\. ^DoorTests\\.KeyTests/",
            "^DoorTests\\. ^DoorTests\\.Outer/LockTests/gone",
        ])
    func idle(attacks: String) async throws {
        try await withTemporaryFolder { folder in
            var house = ThreatHouse(root: folder)
            house.attacks = attacks
            let outcome = try await house.check()
            #expect(outcome.status == 1 && outcome.output.contains("which is no test"), "\(outcome.output)")
        }
    }

    @Test("A test that notes an attack and isn't in the list is a finding; one that is there by its own name isn't")
    func unlisted() async throws {
        try await withTemporaryFolder { folder in
            var house = ThreatHouse(root: folder)
            house.attacks = "^DoorTests\\.Outer/LockTests/picked"
            let listed = try await house.check()
            #expect(listed.status == 0, "\(listed.output)")
            house.tests +=
                "\n@Suite struct KeyTests {\n    @Test func copied() {\n        Tally.check(\"a\", succeeded: false)\n    }\n}\n"
            let outcome = try await house.check()
            let place = "Tests/DoorTests/LockTests.swift:10: an attack that `make test-attacks` doesn't run"
            #expect(outcome.status == 1 && outcome.output.contains(place), "\(outcome.output)")
        }
    }

    @Test("Where there is nothing to look at, it says so and doesn't pass")
    func nothing() async throws {
        try await withTemporaryFolder { folder in
            var house = ThreatHouse(root: folder)
            house.rows = []
            let outcome = try await house.check()
            #expect(outcome.status == 2 && outcome.output.contains("no row"), "\(outcome.output)")
        }
    }
}
