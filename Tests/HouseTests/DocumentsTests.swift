import Foundation
import Testing

/// The page that goes through the documents Thumbturn is made after. `scripts/check-docs` holds its links and tests to what is there.
@Suite("From the documents")
struct DocumentsTests {
    /// The rows of each part, each as its three columns.
    private func parts() throws -> [(name: String, rows: [[String]])] {
        let page = checkout.appending(path: "docs/developers/from-the-documents.md")
        var parts: [(name: String, rows: [[String]])] = []
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("## ") { parts.append((String(line.dropFirst(3)), [])) }
            guard line.hasPrefix("| "), !line.hasSuffix("| shown by |") else { continue }
            let columns = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            parts[parts.count - 1].rows.append(columns.map { $0.trimmingCharacters(in: .whitespaces) })
        }
        return parts
    }

    @Test("Five documents have a part each, and none of them is a stub")
    func whole() throws {
        let parts = try parts()
        #expect(parts.count == 6)
        for part in parts.prefix(5) { #expect(part.rows.count >= 12, "\(part.name)") }
        #expect(parts.map(\.rows.count).reduce(0, +) >= 130)
    }

    @Test("Every row says what is here and names a test that shows it, and a difference leads to its reason")
    func rows() throws {
        for (name, rows) in try parts() {
            for row in rows {
                try #require(row.count == 3, "\(name): \(row)")
                #expect(row.allSatisfy { !$0.isEmpty }, "\(name): \(row)")
                #expect(
                    row[2].wholeMatch(of: /`\w+Tests\.\w+(?:\/\w+)?`(?:, `\w+Tests\.\w+(?:\/\w+)?`)*/) != nil, "\(name): \(row)")
                if row[1].contains("not here") { #expect(row[1].contains("](compatibility.md"), "\(name): \(row)") }
            }
        }
    }

    @Test("No row is there twice")
    func once() throws {
        for (name, rows) in try parts() { #expect(Set(rows.map { $0[0] }).count == rows.count, "\(name)") }
    }
}
