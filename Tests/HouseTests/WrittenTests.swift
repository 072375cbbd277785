import Foundation
import Testing

/// A copy of the script that writes the status codes, with its table and what it wrote.
private struct Desk {
    static let folder = "Sources/Frameworks/SecurityAPI/Status"
    let root: URL

    init(in root: URL) throws {
        self.root = root
        let files = FileManager.default
        for path in ["scripts/write-status-codes", Self.folder] {
            let copy = root.appending(path: path)
            try files.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try files.copyItem(at: checkout.appending(path: path), to: copy)
        }
    }

    func file(_ name: String) -> URL { root.appending(path: Self.folder).appending(path: name) }

    func run(_ arguments: String...) async throws -> Outcome {
        try await HouseTests.run([root.appending(path: "scripts/write-status-codes").path] + arguments)
    }
}

@Suite("What scripts write")
struct WrittenTests {
    @Test("The status codes are what their table says, and written once more they are the same bytes")
    func same() async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let checked = try await desk.run("--check")
            #expect(checked.status == 0, "\(checked.output)")
            #expect(try await desk.run().status == 0)
            for name in ["StatusCodes.swift", "StatusTexts.swift"] {
                let written = try Data(contentsOf: desk.file(name))
                #expect(try Data(contentsOf: checkout.appending(path: Desk.folder).appending(path: name)) == written, "\(name)")
            }
        }
    }

    @Test("A file that differs from the table is a finding", arguments: ["StatusCodes.swift", "StatusTexts.swift"])
    func differs(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let text = try String(contentsOf: desk.file(name), encoding: .utf8)
            try desk.file(name).write(text.replacingOccurrences(of: "Memory ran out.", with: "Memory is full."))
            let outcome = try await desk.run("--check")
            #expect(outcome.status == 1)
            let finding = "\(Desk.folder)/\(name):1: isn't what StatusCodes.tsv says; run scripts/write-status-codes"
            #expect(outcome.lines == [finding])
        }
    }

    @Test(
        "A line that isn't a name, a number and a sentence is refused",
        arguments: [
            ("errSecNoPlace\t-99", "a line has a name, a number and a text, with tabs between them"),
            ("errSecNoPlace\t99\tThere is no place.", "99 isn't a status: they are 0 or negative"),
            ("noPlace\t-99\tThere is no place.", "noPlace isn't the name of a status; write `-` where there is none"),
            ("errSecNoPlace\t-99\tno place", "text isn't a sentence"),
            ("errSecNoPlace\t-99\tNo place.", "errSecNoPlace's text only repeats its name; say what went wrong"),
            ("errSecParam\t-99\tThere is no place.", "errSecParam has two lines; keep one"),
            ("errSecNoPlace\t-50\tThere is no place.", "-50 has two texts; names that share a number share its text"),
        ])
    func refused(_ line: String, _ reason: String) async throws {
        try await withTemporaryFolder { folder in
            let desk = try Desk(in: folder)
            let table = try String(contentsOf: desk.file("StatusCodes.tsv"), encoding: .utf8)
            try desk.file("StatusCodes.tsv").write(table + line + "\n")
            let outcome = try await desk.run()
            #expect(outcome.status == 2)
            #expect(outcome.output.contains(reason), "\(outcome.output)")
        }
    }
}
