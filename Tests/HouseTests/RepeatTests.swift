import Foundation
import Testing

/// A small house with two rooms, a list of suites, and a program that answers as a build's tests would and notes what it was asked.
private struct RepeatHouse {
    let root: URL
    var list = ["Door: DoorTests.LockTests", "Wall: DoorTests.Outer/WallTests"]
    var tests = """
        @Suite struct LockTests {
            @Test func picked() {}
            @Test("each key", arguments: [1, 2]) func forced(by key: Int) {}
        }
        extension Outer {
            @Suite struct WallTests { @Test func stands() {} }
        }
        """
    /// What the program lists.
    var listed = [
        "DoorTests.LockTests/picked()", "DoorTests.LockTests/forced(by:)", "DoorTests.Outer/WallTests/stands()",
        "DoorTests.OtherTests/more()",
    ]
    /// What it says of every run, and how it ends one of the room Wall.
    var says = "✔ Test run with 1 test in 1 suite passed after 0.001 seconds."
    var wallStatus = 0

    var asked: [String] {
        get throws {
            try String(contentsOf: root.appending(path: "asked"), encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }

    func run(_ words: String...) async throws -> Outcome {
        try root.appending(path: "Package.swift").write(
            """
            func room(
                _ name: String
            ) {}
            room("ThumbDoor", "Parts/Door", []),
            room(
                "ThumbWall", "Rules/Wall", []),

            """)
        try root.appending(path: "Tests/repeat.txt").write("# A comment.\n" + list.joined(separator: "\n") + "\n")
        try root.appending(path: "Tests/DoorTests/LockTests.swift").write(tests)
        try root.appending(path: "asked").write("")
        let program = root.appending(path: "tests")
        try program.write(
            """
            #!/bin/sh
            echo "$*" >>'\(root.path)/asked'
            [ "$3" = --list-tests ] && printf '%s\\n' \(listed.map { "'\($0)'" }.joined(separator: " ")) && exit 0
            echo '\(says)'
            case "$*" in *WallTests*) exit \(wallStatus) ;; esac

            """, executable: true)
        let script = checkout.appending(path: "scripts/test-repeat").path
        return try await HouseTests.run([script, "--root", root.path, "--tests", program.path] + words)
    }
}

@Suite("Tests, again and again")
struct RepeatTests {
    @Test("The list covers each room and each folder of tests, and names suites that there are")
    func whole() async throws {
        let outcome = try await run([checkout.appending(path: "scripts/test-repeat").path, "--check"])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("Each test runs alone once, then each suite many times in a row, side by side and one after the other")
    func runs() async throws {
        try await withTemporaryFolder { folder in
            let house = RepeatHouse(root: folder)
            let outcome = try await house.run("--times", "4")
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.lines.contains("repeat: DoorTests.LockTests 2 alone, 4 in a row, 0 failed"))
            #expect(outcome.lines.contains("repeat: DoorTests.Outer/WallTests 1 alone, 4 in a row, 0 failed"))
            #expect(outcome.lines.last == "repeat: 2 suites, 4 times each, 0 failed")
            let asked = try house.asked.map { $0.replacing("--testing-library swift-testing ", with: "") }
            func count(_ words: String) -> Int { asked.count { $0 == words } }
            #expect(count(#"--filter ^DoorTests\.LockTests/picked\(\)"#) == 1)
            #expect(count(#"--filter ^DoorTests\.LockTests/forced\(by:\)"#) == 1)
            #expect(count(#"--filter ^DoorTests\.LockTests/"#) == 2)
            #expect(count(#"--filter ^DoorTests\.LockTests/ --no-parallel"#) == 2)
            #expect(asked.count == 1 + 3 + 8)
        }
    }

    @Test("A seed decides the order, and is said; a word chooses suites")
    func seed() async throws {
        try await withTemporaryFolder { folder in
            var orders: [[String]] = []
            for _ in 1...2 {
                let house = RepeatHouse(root: folder)
                let outcome = try await house.run("--times", "1", "--seed", "7")
                #expect(outcome.lines.first == "repeat: seed 7")
                orders.append(try house.asked)
            }
            #expect(orders[0] == orders[1])
            let outcome = try await RepeatHouse(root: folder).run("--times", "1", "Wall")
            #expect(outcome.lines.last == "repeat: 1 suites, 1 times each, 0 failed", "\(outcome.output)")
        }
    }

    @Test("A run that fails is counted and kept, and the others go on")
    func failed() async throws {
        try await withTemporaryFolder { folder in
            var house = RepeatHouse(root: folder)
            house.wallStatus = 3
            let outcome = try await house.run("--times", "2")
            #expect(outcome.status == 1)
            #expect(outcome.lines.contains("repeat: DoorTests.LockTests 2 alone, 2 in a row, 0 failed"))
            #expect(outcome.lines.contains("repeat: DoorTests.Outer/WallTests 1 alone, 2 in a row, 3 failed"))
            #expect(outcome.lines.last == "repeat: 2 suites, 2 times each, 3 failed")
            let kept = try String(contentsOf: folder.appending(path: ".build/repeat/3.log"), encoding: .utf8)
            #expect(kept.contains("Test run with 1 test"))
        }
    }

    @Test(
        "A run in which nothing ran, or something was skipped, failed though it says otherwise",
        arguments: [
            ("✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.", "no test ran"), ("", "no test ran"),
            (
                "➜ Test picked() skipped: \"takes root\"\n✔ Test run with 2 tests in 1 suite passed after 0.1 seconds.",
                "skipped: \"takes root\""
            ),
        ])
    func nothingRan(said: String, why: String) async throws {
        try await withTemporaryFolder { folder in
            var house = RepeatHouse(root: folder)
            house.says = said
            let outcome = try await house.run("--times", "1")
            #expect(outcome.status == 1 && outcome.output.contains(why), "\(outcome.output)")
        }
    }

    @Test("A suite of which the build has no test fails")
    func unknown() async throws {
        try await withTemporaryFolder { folder in
            var house = RepeatHouse(root: folder)
            house.listed.removeAll { $0.contains("WallTests") }
            let outcome = try await house.run("--times", "1")
            #expect(outcome.status == 1)
            #expect(outcome.lines.contains("repeat: failed: DoorTests.Outer/WallTests has no test in this build"))
        }
    }

    @Test(
        "A list that is empty, lacks a room or a folder, or names what isn't there runs nothing",
        arguments: [
            ([String](), "names no suite"), (["Door:", "Wall:"], "names no suite"),
            (["Door: DoorTests.LockTests"], "the room Wall has no line"),
            (["Door: DoorTests.LockTests", "Wall:"], "Wall has no suite"),
            (["Door: DoorTests.LockTests", "Wall: DoorTests.WallTests"], "there is no suite DoorTests.WallTests"),
            (["Door: DoorTests.LockTests", "Wall: DoorTests.LockTests", "Roof: DoorTests.LockTests"], "Roof is no room"),
            (["Door: DoorTests.LockTests", "Door: DoorTests.LockTests"], "write each room once"),
        ])
    func wrongList(list: [String], finding: String) async throws {
        try await withTemporaryFolder { folder in
            var house = RepeatHouse(root: folder)
            house.list = list
            let outcome = try await house.run()
            #expect(outcome.status == 2 && outcome.output.contains(finding), "\(outcome.output)")
            #expect(try house.asked.isEmpty)
        }
    }

    @Test("A folder of tests without a suite in the list is a finding, and so is a word that chooses nothing")
    func leftOut() async throws {
        try await withTemporaryFolder { folder in
            let house = RepeatHouse(root: folder)
            let roof = "@Suite struct RoofTests { @Test func holds() {} }"
            try folder.appending(path: "Tests/RoofTests/RoofTests.swift").write(roof)
            let outcome = try await house.run()
            #expect(outcome.status == 2 && outcome.output.contains("no suite of Tests/RoofTests"), "\(outcome.output)")
            try FileManager.default.removeItem(at: folder.appending(path: "Tests/RoofTests"))
            let other = try await house.run("Cellar")
            #expect(other.status == 2 && other.output.contains("has Cellar in its name"), "\(other.output)")
        }
    }
}
