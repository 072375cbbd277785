import Foundation
import Testing

/// A small house with promises on three pages and a page of assurance, in which a test may write what isn't right.
private struct AssuranceHouse {
    let root: URL
    var readme = "It keeps a secret. <!-- promise: keeps -->\n"
    var security = "- A door opens.\n  Unasked. <!-- promise: opens -->\n"
    var threats = ["### Doors", "", "| a thief | open a door | it is shut | `DoorTests.LockTests` |"]
    var rows = [
        "| `keeps`: it keeps a secret | secrecy | it is sealed | `DoorTests.LockTests/picked` |",
        "| `opens`: no door opens unasked | safety, secrecy | it is shut | `DoorTests.LockTests/picked`: as `root` |",
    ]
    var told = ["| a thief can't open a door | safety | it is shut | `DoorTests.LockTests/picked` |"]

    static let head = "| promise | kind | because | test |\n|---|---|---|---|\n"
    var page: String {
        get throws { try String(contentsOf: root.appending(path: "docs/ASSURANCE.md"), encoding: .utf8) }
    }

    func check(_ words: String...) async throws -> Outcome {
        try root.appending(path: "README.md").write(readme)
        try root.appending(path: "SECURITY.md").write(
            "## What Thumbturn promises\n\n\(security)\nMore.\n\n## Not\n\n- A wall falls.\n")
        let columns = "| who | can't | because | attacked in |\n|---|---|---|---|"
        try root.appending(path: "docs/contributors/threat-model.md").write(
            "## Kept out\n\n" + threats.joined(separator: "\n").replacing("### Doors\n", with: "### Doors\n\n\(columns)")
                + "\n\n## Not kept out\n\n| nobody | a | b | c |\n")
        try root.appending(path: "docs/ASSURANCE.md").write(
            "# Assurance\n\n\(Self.head)\(rows.joined(separator: "\n"))\n\n### Doors\n\n\(Self.head)\(told.joined(separator: "\n"))\n"
        )
        try root.appending(path: "Tests/DoorTests/LockTests.swift").write(
            "@Suite struct LockTests {\n    @Test func picked() {}\n    func helper() {}\n}\n")
        return try await run([checkout.appending(path: "scripts/check-assurance").path, "--root", root.path] + words)
    }
}

@Suite("Every promise has its argument and its test")
struct AssuranceTests {
    @Test("No promise of README, SECURITY and the threat model is without a row, and no row without a promise or a test")
    func whole() async throws {
        let outcome = try await run([checkout.appending(path: "scripts/check-assurance").path])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("A house whose promises all have their rows has no finding")
    func right() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await AssuranceHouse(root: folder).check()
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
        }
    }

    @Test(
        "A promise without a row is a finding, wherever it is made",
        arguments: [
            ("It lasts. <!-- promise: lasts -->\n", "", "", "README.md:2: the promise lasts has 0 rows"),
            ("", "- A wall falls. <!-- promise: wall -->\n", "", "SECURITY.md:5: the promise wall has 0 rows"),
            ("", "- A wall falls.\n", "", "SECURITY.md:5: a promise without a mark"),
            (
                "", "", "| a thief | break a wall | it is thick | `DoorTests.LockTests` |",
                "threat-model.md:8: this promise isn't in"
            ),
            ("Again. <!-- promise: keeps -->\n", "", "", "the mark keeps is there twice"),
        ])
    func missing(readme: String, security: String, threat: String, finding: String) async throws {
        try await withTemporaryFolder { folder in
            var house = AssuranceHouse(root: folder)
            house.readme += readme
            house.security += security
            if !threat.isEmpty { house.threats.append(threat) }
            let outcome = try await house.check()
            #expect(outcome.status == 1 && outcome.output.contains(finding), "\(outcome.output)")
        }
    }

    @Test(
        "A row without a promise, of no kind, without an argument or without a test that there is is a finding",
        arguments: [
            ("| `flies`: it flies | safety | it has wings | `DoorTests.LockTests` |", "no page promises flies"),
            ("| `keeps`: it keeps a secret | safety | it is sealed | `DoorTests.LockTests` |", "the promise keeps has 2 rows"),
            ("| a thief can't fly | safety | no wings | `DoorTests.LockTests` |", "the threat model makes no such promise"),
            ("| `opens`: again | ? | it is shut | `DoorTests.LockTests` |", "the kind '?'"),
            ("| `opens`: again | safety |  | `DoorTests.LockTests` |", "a promise without an argument"),
            ("| `opens`: again | safety | it is shut | by hand |", "a promise without a test"),
            (
                "| `opens`: again | safety | it is shut | `DoorTests.LockTests/helper` |",
                "there is no test DoorTests.LockTests/helper"
            ),
            ("| `opens`: again | safety | it is shut | `DoorTests.KeyTests` |", "there is no test DoorTests.KeyTests"),
        ])
    func wrongRow(row: String, finding: String) async throws {
        try await withTemporaryFolder { folder in
            var house = AssuranceHouse(root: folder)
            house.rows.append(row)
            let outcome = try await house.check()
            #expect(outcome.status == 1 && outcome.output.contains(finding), "\(outcome.output)")
        }
    }

    @Test("What the threat model says otherwise is a finding, and is copied on request; kind and tests stay, a new row has none")
    func copied() async throws {
        try await withTemporaryFolder { folder in
            var house = AssuranceHouse(root: folder)
            house.threats = [
                "### Doors", "", "| a thief | open a door | it is locked | `DoorTests.LockTests` |",
                "| a thief | break a wall | it is thick | `DoorTests.LockTests`, by `hand` |",
            ]
            let before = try await house.check()
            #expect(before.status == 1 && before.output.contains("the threat model has another argument"), "\(before.output)")
            let after = try await house.check("--write")
            #expect(after.status == 1 && after.lines.count == 1 && after.output.contains("the kind '?'"), "\(after.output)")
            let page = try house.page
            #expect(page.contains("| a thief can't open a door | safety | it is locked | `DoorTests.LockTests/picked` |\n"))
            #expect(page.contains("| a thief can't break a wall | ? | it is thick | `DoorTests.LockTests` |\n"))
        }
    }

    @Test("Where there is nothing to look at, it says so and doesn't pass")
    func nothing() async throws {
        try await withTemporaryFolder { folder in
            var unmarked = AssuranceHouse(root: folder)
            unmarked.readme = "Nothing.\n"
            var empty = AssuranceHouse(root: folder)
            (empty.rows, empty.told) = ([], [])
            var threatless = AssuranceHouse(root: folder)
            threatless.threats = ["### Doors", ""]
            for (house, words) in [(unmarked, "README.md has no mark"), (empty, "has no table"), (threatless, "has no row")] {
                let outcome = try await house.check()
                #expect(outcome.status == 2 && outcome.output.contains(words), "\(outcome.output)")
            }
        }
    }
}
