import CThumbSQLite
import Foundation
import Testing
import ThumbStorage
import thumbturn_test_daemon
import thumbturn_test_store

/// Who can write the store's file puts back what once stood there.
@Suite("Attacks on the store's file", .timeLimit(.minutes(5))) struct DiskAttackTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try change([.add("a", .init(1)), .add("b", .init(2))])
    }

    private func change(_ deeds: [Deed]) throws {
        let store = try scratch.open()
        for deed in deeds { try store.perform(deed) }
    }

    /// Runs SQL in the closed store, as who tampers with it would; the first column.
    @discardableResult
    private func sql(_ statement: String) throws -> [String] {
        var connection, prepared: OpaquePointer?
        try #require(sqlite3_open(scratch.path + "/items.db", &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        try #require(sqlite3_prepare_v2(connection, statement, -1, &prepared, nil) == SQLITE_OK, "\(statement)")
        defer { sqlite3_finalize(prepared) }
        var answers: [String] = []
        while sqlite3_step(prepared) == SQLITE_ROW {
            answers.append(sqlite3_column_text(prepared, 0).map { String(cString: $0) } ?? "")
        }
        return answers
    }

    /// The second item's row as literals.
    private func saved(_ table: String, _ columns: [String]) throws -> String {
        let quoted = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
        return try #require(try sql("SELECT \(quoted) FROM \(table) WHERE row = 2").first)
    }

    /// What the store gives now; nil if it refuses to open.
    private func given() throws -> Contents? {
        do {
            return try scratch.open().contents().readable
        } catch let error as StorageError {
            #expect(error.code == .recordsMismatch)
            return nil
        }
    }

    private var first: Contents { Contents().after(.add("a", .init(1))) }

    @Test("old attributes, or an old secret, put back under a new record open nothing", arguments: ["attributes", "secret"])
    func oldBlob(column: String) throws {
        let old = try saved("contents", [column])
        try change([.update("b", .init(3))])
        try sql("UPDATE contents SET \(column) = \(old) WHERE row = 2")
        let given = try given()
        #expect(given == first)
        Tally.check("an old \(column) column is read under a new record", succeeded: given != first)
    }

    private func whole() throws -> [String] {
        [
            "REPLACE INTO records VALUES(\(try saved("records", ["row", "id", "generation", "uniqueness"])))",
            "REPLACE INTO contents VALUES(\(try saved("contents", ["row", "id", "generation", "attributes", "secret"])))",
        ]
    }

    @Test("an old record put back whole, with all its seals right, is refused by the total of all records")
    func oldRecord() throws {
        let statements = try whole()
        try change([.update("b", .init(3))])
        for statement in statements { try sql(statement) }
        let given = try given()
        #expect(given == nil)
        Tally.check("an old record that is put back whole is read", succeeded: given != nil)
    }

    @Test("a removed item put back whole is refused by the total of all records")
    func removed() throws {
        let statements = try whole()
        try change([.remove("b")])
        for statement in statements { try sql(statement) }
        let given = try given()
        #expect(given == nil)
        Tally.check("a removed item that is put back whole is read", succeeded: given != nil)
    }
}
