import Foundation
import Testing

/// A small house with as many rooms and mutants as there must be, in which a test may write what isn't right.
private struct MutantHouse {
    let root: URL
    /// The table of the room whose mistakes are tried, and the file that it is about.
    var table = (1...5).map { Self.entry(0, $0) }.joined(separator: "\n")
    var source = Self.source(0)

    private static func file(_ room: Int) -> String { "Sources/Parts/Room\(room)/Door.swift" }

    static func source(_ room: Int) -> String {
        "enum Door {\n" + (1...5).map { "    static let key\(room)_\($0) = true\n" }.joined() + "    static let end = 1\n}\n"
    }

    static func entry(
        _ room: Int, _ number: Int, file: String? = nil, test: String = "DoorTests.Outer/LockTests/picked",
        change: [String]? = nil
    ) -> String {
        let turned = ["- static let key\(room)_\(number) = true", "+ static let key\(room)_\(number) = false"]
        let lines = ["# Key \(room).\(number) is turned.", "file: \(file ?? Self.file(room))", "test: \(test)"]
        return (lines + (change ?? turned)).joined(separator: "\n") + "\n"
    }

    func check() async throws -> Outcome {
        try root.appending(path: "Package.swift").write(".executableTarget(name: \"door-opener\")\n")
        try root.appending(path: "Tests/DoorTests/LockTests.swift").write(
            """
            extension Outer {
                @Suite struct LockTests {
                    @Test("nobody picks it", arguments: [1]) func picked(one: Int) {}
                    func helper() {}
                }
            }
            """)
        for room in 0..<24 {
            let entries = (1...5).map { Self.entry(room, $0) }.joined(separator: "\n")
            try root.appending(path: "Tests/Mutants/Room\(room).txt").write(room == 0 ? table : entries)
            try root.appending(path: Self.file(room)).write(room == 0 ? source : Self.source(room))
        }
        return try await run([checkout.appending(path: "scripts/mutants").path, "--check", "--root", root.path])
    }
}

@Suite("The table of mutants")
struct MutantTests {
    /// The findings over a house that was changed.
    private func findings(_ change: (inout MutantHouse) -> Void) async throws -> Outcome {
        try await withTemporaryFolder { folder in
            var house = MutantHouse(root: folder)
            change(&house)
            return try await house.check()
        }
    }

    /// The table of the first room with its second entry replaced.
    private func replacing(_ entry: String) -> String {
        [MutantHouse.entry(0, 1), entry, MutantHouse.entry(0, 3), MutantHouse.entry(0, 4), MutantHouse.entry(0, 5)]
            .joined(separator: "\n")
    }

    @Test("Each of ours can be planted, names a test that there is, and there are enough of them in each room")
    func whole() async throws {
        let outcome = try await run([checkout.appending(path: "scripts/mutants").path, "--check"])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("120 in 24 rooms, five in each, are enough; a neighbour that stays tells equal lines apart, and programs may be named")
    func enough() async throws {
        let outcome = try await findings { house in
            house.source += "let lock = false\nlet door = 1\nlet lock = false\n"
            let change = ["starts: door-opener", "  let door = 1", "- let lock = false", "+ let lock = true"]
            house.table = replacing(MutantHouse.entry(0, 2, change: change))
        }
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
    }

    @Test(
        "An entry that can't be planted, or whose test can't be run, is a finding, with its line",
        arguments: [
            (MutantHouse.entry(0, 2, file: "Sources/Parts/Room0/Gate.swift"), "there is no Sources/Parts/Room0/Gate.swift"),
            (MutantHouse.entry(0, 2, file: "Sources/Parts/Room1/Door.swift"), "isn't in the room Room0"),
            (MutantHouse.entry(0, 2, test: "DoorTests.Outer/LockTests/helper"), "there is no test"),
            (MutantHouse.entry(0, 2, test: "DoorTests.LockTests/picked"), "there is no test"),
            (MutantHouse.entry(0, 2, test: "WallTests.Outer/LockTests/picked"), "there is no test"),
            (MutantHouse.entry(0, 2, test: "DoorTests.Outer/LockTests"), "there is no test"),
            (MutantHouse.entry(0, 2, change: ["- static let key0_9 = true"]), "its old lines stand 0 times"),
            (
                MutantHouse.entry(0, 2, change: ["- static let key0_2 = true", "- static let key0_4 = true"]),
                "its old lines stand 0 times"
            ),
            (MutantHouse.entry(0, 2, change: ["+ let key = 1"]), "a change that changes nothing"),
            (MutantHouse.entry(0, 2, change: ["- let key = 1", "+ let key = 1"]), "a change that changes nothing"),
            (MutantHouse.entry(0, 2, change: ["starts: wall", "- static let key0_2 = true"]), "Package.swift has no wall"),
            (MutantHouse.entry(0, 2) + "test: DoorTests.Outer/LockTests/picked\n", "a second 'test:'"),
            (MutantHouse.entry(0, 2) + "what: is this\n", "this can't be read"),
            ("# Key 0.2 is turned.\n- static let key0_2 = true\n", "an entry without its file or its test"),
            (MutantHouse.entry(0, 2).replacing("turned.", with: "turned"), "isn't a sentence"),
            (MutantHouse.entry(0, 2).replacing("Key 0.2", with: "Key 0.1"), "Room0.1 has the same sentence"),
        ] as [(String, String)])
    func broken(entry: String, finding: String) async throws {
        let outcome = try await findings { $0.table = replacing(entry) }
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(
            outcome.lines.count == 1 && outcome.lines[0].hasPrefix("Tests/Mutants/Room0.txt:")
                && outcome.output.contains(finding), "\(outcome.output)")
    }

    @Test("Lines that stand twice in their file are a finding")
    func ambiguous() async throws {
        let outcome = try await findings { $0.source += "static let key0_2 = true\n" }
        #expect(outcome.status == 1 && outcome.output.contains("its old lines stand 2 times"), "\(outcome.output)")
        #expect(outcome.lines.count == 1 && outcome.output.hasPrefix("Tests/Mutants/Room0.txt:7: "), "\(outcome.output)")
    }

    @Test("A room with four, and a table with 119, are too small")
    func few() async throws {
        let outcome = try await findings { house in house.table = (1...4).map { MutantHouse.entry(0, $0) }.joined() }
        #expect(outcome.status == 1)
        #expect(
            outcome.lines == [
                "Tests/Mutants/Room0.txt: 4 entries; a room has 5 at least",
                "Tests/Mutants: 119 entries in 24 rooms; there must be 120 at least, in 24 rooms",
            ], "\(outcome.output)")
    }

    @Test("Where there is no table, it doesn't pass")
    func nothing() async throws {
        try await withTemporaryFolder { folder in
            try folder.appending(path: "Package.swift").write("")
            let outcome = try await run([checkout.appending(path: "scripts/mutants").path, "--check", "--root", folder.path])
            #expect(outcome.status == 1 && outcome.output.contains("0 entries"), "\(outcome.output)")
        }
    }

    @Test("What is known of a wrong stays known until something changes that is built for its test, or the tests' data does")
    func known() async throws {
        let depended = ["Sources/Door/Door.swift", "Tests/DoorTests/LockTests.swift", "Tests/WallTests/corpus.txt"]
        let others = [
            "Sources/Wall/Wall.swift", "Tests/WallTests/BrickTests.swift", "Tests/Mutants/Room.txt", "Tests/repeat.txt",
        ]
        try await withTemporaryFolder { folder in
            let manifest = folder.appending(path: "tree/Package.swift")
            try manifest.write(Self.manifest(of: ["Door"]))
            for file in depended + others { try folder.appending(path: "tree/" + file).write("1") }
            let first = try await digest(folder)
            #expect(first.count == 64)
            for file in others { try folder.appending(path: "tree/" + file).write("2") }
            #expect(try await digest(folder) == first)
            var seen: Set = [first]
            for file in depended {
                try folder.appending(path: "tree/" + file).write("2")
                #expect(seen.insert(try await digest(folder)).inserted, "\(file)")
            }
            try manifest.write(Self.manifest(of: ["Door", "Wall"]))
            #expect(try await digest(folder) != first)
        }
    }

    @Test("Of a wrong whose test runs a script of the house, nothing stays known once anything in Sources changes")
    func knownOfScripts() async throws {
        try await withTemporaryFolder { folder in
            try folder.appending(path: "tree/Package.swift").write(Self.manifest(of: ["Door"]))
            for file in ["Sources/Door/Door.swift", "Sources/Wall/wall.c"] {
                try folder.appending(path: "tree/" + file).write("1")
            }
            try folder.appending(path: "tree/Tests/DoorTests/LockTests.swift").write("run(\"scripts/wall\")")
            let first = try await digest(folder)
            try folder.appending(path: "tree/Sources/Wall/wall.c").write("2")
            #expect(try await digest(folder) != first)
        }
    }

    /// A package whose DoorTests depend on these targets.
    private static func manifest(of targets: [String]) -> String {
        let named = targets.map { ".target(name: \"\($0)\", path: \"Sources/\($0)\")" }
        let tests = ".testTarget(name: \"DoorTests\", dependencies: \(targets), path: \"Tests/DoorTests\")"
        return """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(name: "house", targets: [\((named + [tests]).joined(separator: ", "))])
            """
    }

    @Test("Where a wrong is planted in a header of C's, what imports the header is built again")
    func headers() async throws {
        try await withTemporaryFolder { folder in
            let sources = folder.appending(path: "tree/Sources")
            try sources.appending(path: "C/Door/module.modulemap").write("module CDoor [system] {\n    header \"shim.h\"\n}\n")
            try sources.appending(path: "C/Door/shim.h").write("int door;\n")
            for (name, text) in [
                ("Plain", "import CDoor\n"), ("Public", "public import CDoor\n"), ("Other", "import CDoors\n"), ("None", "\n"),
            ] { try sources.appending(path: "Door/\(name).swift").write(text) }
            let program = """
                import os, pathlib, sys
                sys.dont_write_bytecode = True
                sys.path.insert(0, sys.argv[1])
                from mutant_copy import Copy
                files = sorted(pathlib.Path(sys.argv[2], "tree").rglob("*.swift"))
                for file in files: os.utime(file, (1, 1))
                copy = Copy(None, pathlib.Path(sys.argv[2]))
                copy.write("Sources/C/Door/shim.h", "int gate;\\n")
                print([file.stem for file in files if file.stat().st_mtime > 1])
                """
            let words = ["/usr/bin/python3", "-c", program, checkout.appending(path: "scripts").path, folder.path]
            let outcome = try await run(words)
            #expect(outcome.status == 0 && outcome.lines == ["['Plain', 'Public']"], "\(outcome.output)")
            #expect(try String(contentsOf: sources.appending(path: "C/Door/shim.h"), encoding: .utf8) == "int gate;\n")
        }
    }

    /// What the script takes for the state of what DoorTests depends on, in a copy.
    private func digest(_ folder: URL) async throws -> String {
        let program = """
            import pathlib, sys
            sys.dont_write_bytecode = True
            sys.path.insert(0, sys.argv[1])
            from mutant_copy import Copy
            print(Copy(None, pathlib.Path(sys.argv[2])).digest("Door", ()))
            """
        let words = ["/usr/bin/python3", "-c", program, checkout.appending(path: "scripts").path, folder.path]
        let outcome = try await run(words)
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.lines.first ?? ""
    }
}
