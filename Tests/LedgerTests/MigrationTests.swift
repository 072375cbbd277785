import Testing
import ThumbSignIn
import thumbturn_test_daemon
import thumbturn_test_postgres
import thumbturn_test_programs

@testable import ThumbLedgers

@Suite struct MigrationTests {
    private static let next = Migration(
        sqlite: ["CREATE TABLE later(number INTEGER NOT NULL) STRICT", "INSERT INTO later VALUES(1)"],
        postgres: ["CREATE TABLE later(number bigint NOT NULL)", "INSERT INTO later VALUES(1)"])

    @Test("servers that start at once on an empty database find its tables made once", arguments: Kind.allCases)
    func together(_ kind: Kind) async throws {
        for _ in 0..<3 {
            let database = try Database(kind)
            let outcomes = try await withThrowingTaskGroup(of: DeedOutcome.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await onThread { try database.open().settle(.makeAccount(AccountName("a\(number)")!, password)) }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes == [DeedOutcome](repeating: .done, count: 8))
        }
    }

    @Test("an older store is brought to the newer version once, with all that it has", arguments: Kind.allCases)
    func upgrade(_ kind: Kind) async throws {
        let database = try Database(kind)
        do { _ = try database.open().settle(.makeAccount(anna, password)) }
        let migrations = Migration.all + [Self.next]
        // A second row in its table would say that it was done twice.
        let outcomes = try await withThrowingTaskGroup(of: DeedOutcome.self) { group in
            for _ in 0..<6 {
                group.addTask { try await onThread { try database.open(migrations).settle(.readPassword(anna)) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == [DeedOutcome](repeating: .password(password, misses: 0, until: Moment(seconds: 0)), count: 6))
        #expect(try database.ask("SELECT count(*) FROM later") == 1)
        #expect(try database.ask("SELECT number FROM version") == Int64(migrations.count))
    }

    @Test("a store of a later version is refused and left as it is", arguments: Kind.allCases)
    func later(_ kind: Kind) throws {
        let database = try Database(kind)
        _ = try database.open(Migration.all + [Self.next]).settle(.makeAccount(anna, password))
        #expect(performing: { try database.open() }, throws: { isUnusable($0, "later version 3") })
        #expect(try database.ask("SELECT number FROM version") == 3)
        #expect(try database.open(Migration.all + [Self.next]).settle(.readPassword(anna)) != .none)
    }

    @Test("a migration that fails leaves the version before it", arguments: Kind.allCases)
    func failed(_ kind: Kind) throws {
        let database = try Database(kind)
        _ = try database.open().settle(.makeAccount(anna, password))
        let broken = Migration(
            sqlite: ["CREATE TABLE more(number INTEGER NOT NULL) STRICT", "CREATE TABLE accounts(number INTEGER) STRICT"],
            postgres: ["CREATE TABLE more(number bigint NOT NULL)", "CREATE TABLE accounts(number bigint)"])
        #expect(throws: LedgerFailure.self) { try database.open(Migration.all + [broken]) }
        #expect(try database.ask("SELECT number FROM version") == 2)
        #expect(try database.open().settle(.readPassword(anna)) != .none)
        // Nothing of it is left in the way.
        let mended = Migration(sqlite: [broken.sqlite[0]], postgres: [broken.postgres[0]])
        #expect(try database.open(Migration.all + [mended]).settle(.readPassword(anna)) != .none)
    }
}

/// Whether it is that failure, and its words say why.
func isUnusable(_ error: any Error, _ words: String) -> Bool {
    guard case .unusable(let text)? = error as? LedgerFailure else { return false }
    return text.contains(words)
}

func isUnavailable(_ error: any Error, _ words: String = "") -> Bool {
    guard case .unavailable(let text)? = error as? LedgerFailure else { return false }
    return words.isEmpty || text.contains(words)
}

extension Database {
    /// A number out of the tables, past the ledger.
    func ask(_ sql: String) throws -> Int64? {
        switch kind {
        case .sqlite: try LedgerConnection(path: place, disk: nil).number(sql)
        case .postgres:
            Int64(try Cluster.shared.get().query("SET search_path = \(PostgresOpening.schema); \(sql)", in: place))
        }
    }
    /// Waits until nobody works on it any more: PostgreSQL may still be committing what a killed server sent.
    func settleDown() throws {
        guard kind == .postgres else { return }
        let others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        while try Cluster.shared.get().query(others, in: place) != "0" {}
    }
}
