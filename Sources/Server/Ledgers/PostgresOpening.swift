import ThumbSignIn

/// Opens a connection: settings, checking whose tables these are, and migrations.
enum PostgresOpening {
    static let schema = "thumbturn_sign_in"
    /// "THsig": the lock with which servers take turns at migrating.
    static let turn: Int64 = 0x54_4873_6967

    static func connection(_ url: String, _ migrations: [Migration]) throws(LedgerFailure) -> sending PostgresConnection {
        let connection = try PostgresConnection(url: url)
        let answers = try run(connection, settings)
        guard let encoding = answers.last, encoding.count == 1, encoding.text(0, 0) == "UTF8" else {
            throw .unusable("PostgreSQL: the database's encoding isn't UTF8")
        }
        // Usually everything is up to date, and nobody has to wait for a turn.
        if try !isCurrent(connection, migrations.count) { try migrate(connection, migrations) }
        return connection
    }

    private static let settings = [
        // A database may have been configured for speed. A stricter setting, such as waiting for more than its own disk, stays.
        PostgresQuery(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"),
        PostgresQuery("SELECT set_config('search_path', '\(schema)', false)"),
        // Statements are planned once. A plan made while a table was empty would still read all of it a million rows later.
        PostgresQuery("SELECT set_config('enable_seqscan', 'off', false)"),
        PostgresQuery("SELECT set_config('plan_cache_mode', 'force_generic_plan', false)"),
        PostgresQuery("SELECT set_config('jit', 'off', false)"),
        // Less than the connection's own patience, so that the database ends slow statements.
        PostgresQuery("SELECT set_config('statement_timeout', '10s', false)"),
        PostgresQuery("SELECT set_config('idle_in_transaction_session_timeout', '10s', false)"),
        PostgresQuery("SELECT current_setting('server_encoding')"),
    ]

    /// Whether the tables are of that version. Another server may be making them just now, and while it commits, two statements can
    /// disagree about what is there. So only a yes counts; everything else is decided when it is this server's turn.
    private static func isCurrent(_ connection: PostgresConnection, _ version: Int) throws(LedgerFailure) -> Bool {
        let table = try run(connection, [PostgresQuery("SELECT to_regclass('\(schema).version') IS NOT NULL")])
        guard table.first?.bytes(0, 0) == [1] else { return false }
        let number = try run(connection, [PostgresQuery("SELECT number FROM \(schema).version")])
        guard let number = number.first, number.count == 1 else { return false }
        return Int(exactly: number.integer(0, 0)) == version
    }

    /// Nil if there are no tables. Called when it is this server's turn, so that nobody is making any.
    private static func version(_ connection: PostgresConnection) throws(LedgerFailure) -> Int? {
        let there = try run(
            connection, [PostgresQuery("SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'")])
        guard there.first?.integer(0, 0) == 1 else { return nil }
        let table = try run(connection, [PostgresQuery("SELECT to_regclass('\(schema).version') IS NOT NULL")])
        guard table.first?.bytes(0, 0) == [1] else { throw .unusable("PostgreSQL: the schema \(schema) is another program's") }
        let number = try run(connection, [PostgresQuery("SELECT number FROM \(schema).version")])
        guard let number = number.first, number.count == 1, let version = Int(exactly: number.integer(0, 0)) else {
            throw .unusable("PostgreSQL: the database doesn't tell its version")
        }
        return version
    }

    private static func migrate(_ connection: PostgresConnection, _ migrations: [Migration]) throws(LedgerFailure) {
        // With another default of the database's, the statements below would see what was there before the wait for the turn.
        _ = try run(
            connection,
            [PostgresQuery("BEGIN ISOLATION LEVEL READ COMMITTED"), PostgresQuery("SELECT pg_advisory_xact_lock(\(turn))")])
        let found = try version(connection)
        guard found ?? 0 <= migrations.count else {
            throw .unusable("PostgreSQL: the database is of the later version \(found ?? 0)")
        }
        var queries: [PostgresQuery] = []
        if found == nil {
            queries.append(PostgresQuery("CREATE SCHEMA \(schema)"))
            queries.append(PostgresQuery("CREATE TABLE version(number bigint NOT NULL)"))
            queries.append(PostgresQuery("INSERT INTO version VALUES(0)"))
        }
        for migration in migrations.dropFirst(max(0, found ?? 0)) { queries += migration.postgres.map { PostgresQuery($0) } }
        if found != migrations.count { queries.append(PostgresQuery("UPDATE version SET number = \(migrations.count)")) }
        // Statements are parsed one by one, so the tables that one names must exist by then.
        for query in queries { _ = try run(connection, [query]) }
        _ = try run(connection, [PostgresQuery("COMMIT")])
    }

    /// Any failure here ends the connection, and with it the transaction.
    private static func run(
        _ connection: PostgresConnection, _ queries: [PostgresQuery]
    ) throws(LedgerFailure) -> [PostgresResult] {
        do throws(PostgresSetback) {
            return try connection.pipeline(queries)
        } catch {
            switch error {
            case .refused(let code, _): throw PostgresTransaction.failure(code) ?? .unavailable("PostgreSQL: refused (\(code))")
            case .lost(let words, _): throw .unavailable("PostgreSQL: \(words)")
            }
        }
    }
}
