import Foundation
import Testing
import thumbturn_test_programs

@Suite("The product's version") struct VersionTests {
    /// What the programs say of themselves.
    private func said() async throws -> String {
        let outcome = try await run([builtPrograms.appending(path: "thumbturn").path, "--version"])
        try #require(outcome.status == 0, "\(outcome.output)")
        return try #require(outcome.lines.first?.split(separator: " ").last.map(String.init))
    }

    @Test("Every program says the same, and so does its man page", arguments: describedPrograms)
    func programs(name: String) async throws {
        let (version, program) = (try await said(), builtPrograms.appending(path: name).path)
        #expect(try await run([program, "--version"]).lines == ["\(name) \(version)"])
        let first = try #require(try await run([program, "man-page"]).lines.first)
        let page = try await run([program, "man-page", first])
        #expect(page.status == 0 && page.output.contains("\"\(name) \(version)\""), "\(page.lines.first ?? "")")
    }

    @Test("The server's description for clients says it too")
    func openAPI() async throws {
        let text = try String(contentsOf: checkout.appending(path: "docs/openapi.yaml"), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("  version: ") }
        #expect(lines.map(String.init) == ["  version: \(try await said())"])
    }

    /// Files that say the version without asking a program, and what stands before it in each.
    private static let written = [
        ("Sources/Library/errors.c", #"thumbturn_version\(void\) \{ return ""#), ("scripts/library", " version="),
        ("scripts/install", #"libthumbturn\.so\.(?=[0-9]+\.)|@VERSION@\|"#), ("debian/changelog", #"\Athumbturn \("#),
    ]

    @Test("The C library, its files' names and Debian's changelog have it too", arguments: written.indices)
    func elsewhere(file: Int) async throws {
        let (path, before) = Self.written[file]
        let text = try String(contentsOf: checkout.appending(path: path), encoding: .utf8)
        let expression = try NSRegularExpression(pattern: "(?:\(before))([0-9]+\\.[0-9]+\\.[0-9]+)")
        let found = expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
            Range($0.range(at: 1), in: text).map { String(text[$0]) }
        }
        #expect(!found.isEmpty, "\(path)")
        #expect(Set(found) == [try await said()], "\(path)")
    }
}
