import CThumbLinux
import ThumbSQLite
import ThumbSecrets
public import ThumbSignIn

/// The ledger in an SQLite file (docs/contributors/ledgers.md).
public final class SQLiteLedger: Ledger {
    /// "THsi".
    static let application: Int64 = 0x5448_7369

    private let tables: Locked<SQLiteTables>
    private let checkpoints: SQLiteCheckpoints
    private let complain: @Sendable (LedgerFailure) -> Void

    /// Opens the file, makes it if there is none, and brings its tables to this version.
    ///
    /// `complain` is called, on any thread, about failures beside the batches that lost nothing: of clearing the log. Fails with `unusable`
    /// if the file isn't a ledger or is of a later version, and with `unavailable` if it can't be opened or written.
    public convenience init(path: String, complain: @escaping @Sendable (LedgerFailure) -> Void) throws(LedgerFailure) {
        try self.init(path: path, disk: nil, migrations: Migration.all, checkpoint: SQLiteCheckpoints.pages, complain: complain)
    }

    /// The same with another SQLite VFS, up to another version, and with checkpoints at another length of the log.
    init(
        path: String, disk: String?, migrations: [Migration], checkpoint: Int,
        complain: @escaping @Sendable (LedgerFailure) -> Void
    ) throws(LedgerFailure) {
        // Made without opening it: closing a descriptor would release the locks that another connection of this process has.
        if unsafe mknod(path, UInt32(S_IFREG) | 0o600, 0) != 0, thumb_errno() != EEXIST {
            let number = thumb_errno()
            throw .unavailable("making the database: \(unsafe String(cString: strerror(number))) (\(number))")
        }
        let connection = try LedgerConnection(path: path, disk: disk)
        try Self.prepare(connection, migrations)
        tables = Locked(SQLiteTables(connection: connection))
        self.complain = complain
        checkpoints = try SQLiteCheckpoints(LedgerConnection(path: path, disk: disk), pages: checkpoint, complain: complain)
    }

    deinit { checkpoints.end() }

    public func settle(_ deeds: [Deed], at now: Moment) throws(LedgerFailure) -> [DeedOutcome] {
        let footprint = Footprint(deeds)
        return try tables.withLock { (tables) throws(LedgerFailure) in
            let connection = tables.connection
            do throws(LedgerFailure) {
                // Only one connection writes at a time, so whatever is read stays the same until the end.
                try connection.run(footprint.changes ? "BEGIN IMMEDIATE" : "BEGIN")
                var settlement = Settlement(now: now, rows: try tables.read(footprint))
                let outcomes = deeds.map { settlement.settle($0) }
                try tables.write(settlement.rows)
                try connection.commit()
                if checkpoints.isRestDue(logPages: connection.logPages) { clearLog(connection) }
                return outcomes
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    private func clearLog(_ connection: LedgerConnection) {
        // The batch is done even if this fails. The log then grows until a checkpoint succeeds.
        do throws(LedgerFailure) { try connection.checkpoint() } catch { complain(error) }
    }

    private static func prepare(_ connection: LedgerConnection, _ migrations: [Migration]) throws(LedgerFailure) {
        // Nothing is written to a file before it is known to be ours, or empty.
        try known(connection)
        // If files can't be shared, SQLite goes on without a log, and only its answer tells that.
        guard try connection.keepLog() else { throw .unavailable("SQLite: its log can't be kept on this disk") }
        // The cache has a ceiling that only a hundred thousand accounts reach.
        for pragma in ["synchronous=FULL", "temp_store=MEMORY", "cell_size_check=ON", "cache_size=-65536"] {
            try connection.run("PRAGMA \(pragma)")
        }
        do throws(LedgerFailure) {
            try connection.run("BEGIN IMMEDIATE")
            try migrate(connection, migrations)
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private static func known(_ connection: LedgerConnection) throws(LedgerFailure) {
        try connection.run("BEGIN")
        defer { connection.rollBack() }
        _ = try isLedger(connection)
    }

    /// Whether the file is a ledger already; false if it is empty. Called in a transaction: both facts must be from the same moment,
    /// because another server may be making its tables just now.
    private static func isLedger(_ connection: LedgerConnection) throws(LedgerFailure) -> Bool {
        let found = try connection.number("PRAGMA application_id")
        if found == application { return true }
        guard found == 0, try connection.number("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw .unusable("SQLite: this database is another program's")
        }
        return false
    }

    private static func migrate(_ connection: LedgerConnection, _ migrations: [Migration]) throws(LedgerFailure) {
        if try !isLedger(connection) {
            try connection.run("PRAGMA application_id=\(application)")
            try connection.run("CREATE TABLE version(number INTEGER NOT NULL) STRICT")
            try connection.run("INSERT INTO version VALUES(0)")
        }
        guard let found = try connection.number("SELECT number FROM version") else {
            throw .unusable("SQLite: the database doesn't tell its version")
        }
        guard found <= migrations.count else { throw .unusable("SQLite: the database is of the later version \(found)") }
        guard found >= 0, found < migrations.count else { return }
        for migration in migrations[Int(found)...] {
            for statement in migration.sqlite { try connection.run(statement) }
        }
        try connection.run("UPDATE version SET number = \(migrations.count)")
    }
}
