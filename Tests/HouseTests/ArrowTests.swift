import Foundation
import Testing

@Suite("Arrows between rooms")
struct ArrowTests {
    @Test("The house as it stands keeps to its plan")
    func realTree() async throws {
        let outcome = try await run([checkout.appending(path: "scripts/check-house").path])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.isEmpty)
    }

    @Test("A copy of the house keeps to it as well, so what a test finds there is what it planted")
    func untouchedCopy() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await HouseCopy(in: folder).check()
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }

    @Test(
        "An arrow that the plan doesn't have is named",
        arguments: [
            ("ThumbAccess", "ThumbClient"), ("ThumbKeychain", "ThumbStorage"), ("ThumbClient", "CThumbOpenSSL"),
            ("LocalAuthentication", "Security"),
        ])
    func wrongArrow(room: String, other: String) async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.draw(room, to: other)
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.lines.contains { $0.hasPrefix("Package.swift:") && $0.contains("\(room) may not know \(other)") })
            #expect(outcome.lines.count == 1, "\(outcome.output)")
        }
    }

    @Test("A room that the plan doesn't have is named")
    func unknownRoom() async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.change("ThumbLoop") { $0["name"] = "ThumbCommon" }
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("ThumbCommon isn't a room of the house"))
        }
    }

    @Test("Tests that import what they don't declare are named: alone they wouldn't link")
    func undeclaredInTests() async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            let tests = house.root.appending(path: "Tests/MeteringTests")
            try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
            try tests.appending(path: "Planted.swift").write("import Testing\nimport ThumbLoop\n@testable import ThumbMetering\n")
            let outcome = try await house.check()
            #expect(outcome.status == 1 && outcome.lines.count == 1, "\(outcome.output)")
            #expect(outcome.output.hasPrefix("Tests/MeteringTests/Planted.swift:2: MeteringTests imports ThumbLoop without"))
        }
    }

    @Test("A door that asks pkg-config is named")
    func pkgConfig() async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.change("CThumbSQLite") { $0["pkgConfig"] = "sqlite3" }
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("CThumbSQLite asks pkg-config"))
        }
    }

    @Test(
        "An import against the arrows is named, however it is written",
        arguments: [
            "import ThumbClient", "public import ThumbClient", "@preconcurrency import ThumbClient",
            "import struct ThumbClient.Connection", "@testable internal import ThumbClient",
        ])
    func wrongImport(line: String) async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.plant("// planted\n\(line)\n", in: "Rules/Access")
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("Sources/Rules/Access/Planted.swift:2: ThumbAccess may not know ThumbClient"))
        }
    }

    @Test("An import that the plan allows but Package.swift doesn't declare is named")
    func undeclaredImport() async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.change("ThumbClient") { $0["dependencies"] = [Any]() }
            try house.plant("import ThumbLoop\n", in: "Wire/Client")
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("Planted.swift:1: ThumbClient imports ThumbLoop without an arrow"))
        }
    }

    @Test("An arrow of the plan that is neither declared nor imported is named")
    func unusedArrow() async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            let plan = house.root.appending(path: "scripts/house.txt")
            let text = try String(contentsOf: plan, encoding: .utf8)
            try #require(text.contains("\nThumbLoop: "))
            try plan.write(text.replacingOccurrences(of: "\nThumbLoop: ", with: "\nThumbLoop: CThumbTSS "))
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.lines.count == 1, "\(outcome.output)")
            #expect(outcome.output.contains("ThumbLoop doesn't know CThumbTSS; remove the arrow"))
        }
    }

    @Test("An arrow that a room declares and none of its files imports is named")
    func idleArrow() async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.change("ThumbSQLite") { $0["path"] = "Sources/Parts/Nothing" }
            try house.root.appending(path: "Sources/Parts/Nothing/Planted.swift").write("let planted = 1\n")
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("ThumbSQLite depends on CThumbSQLite and imports it nowhere; remove the arrow"))
        }
    }

    @Test("A line of the plan whose room isn't in Package.swift is named")
    func lineWithoutRoom() async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            let plan = house.root.appending(path: "scripts/house.txt")
            try plan.write(try String(contentsOf: plan, encoding: .utf8) + "ThumbAttic: ThumbLoop\n")
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("ThumbAttic isn't in Package.swift; remove its line"))
        }
    }

    @Test("A source file outside every room is named")
    func homeless() async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.plant("let stray = 1\n", in: "Attic")
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("Sources/Attic/Planted.swift:1: belongs to no target"))
        }
    }
}
