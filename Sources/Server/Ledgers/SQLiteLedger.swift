import CThumbLinux
import ThumbSQLite
import ThumbSecrets
public import ThumbSignIn

/// What a process does with a ledger's file.
public enum LedgerUse: Sendable {
    /// It serves from the file. Only one process at a time may.
    case serving
    /// It works on the file for a moment, whether or not a server has it.
    case visiting
}

/// The ledger in an SQLite file (docs/contributors/ledgers.md).
public final class SQLiteLedger: Ledger {
    /// "THsi".
    static let application: Int64 = 0x5448_7369

    private let tables: Locked<SQLiteTables>
    private let checkpoints: SQLiteCheckpoints
    private let complain: @Sendable (LedgerFailure) -> Void
    /// Nil if this process only visits.
    private let lock: ServerLock?

    /// Opens the file, makes it if there is none, and brings its tables to this version.
    ///
    /// `complain` is called, on any thread, about failures beside the batches that lost nothing: of clearing the log. Fails with `unusable`
    /// if the file isn't a ledger or is of a later version, and with `unavailable` if it can't be opened or written, or if a server has it
    /// and this is another one, or would have to change the tables under it.
    public convenience init(
        path: String, for use: LedgerUse = .visiting, complain: @escaping @Sendable (LedgerFailure) -> Void
    ) throws(LedgerFailure) {
        try self.init(
            path: path, disk: nil, migrations: Migration.all, checkpoint: SQLiteCheckpoints.pages, for: use, complain: complain)
    }

    /// The same with another SQLite VFS, up to another version, and with checkpoints at another length of the log.
    init(
        path: String, disk: String?, migrations: [Migration], checkpoint: Int, for use: LedgerUse = .visiting,
        complain: @escaping @Sendable (LedgerFailure) -> Void
    ) throws(LedgerFailure) {
        // Made without opening it: closing a descriptor would release the locks that another connection of this process has.
        if unsafe mknod(path, UInt32(S_IFREG) | 0o600, 0) != 0, thumb_errno() != EEXIST {
            let number = thumb_errno()
            throw .unavailable("making the database: \(unsafe String(cString: strerror(number))) (\(number))")
        }
        lock = use == .serving ? try Self.serverLock(of: path) : nil
        let connection = try LedgerConnection(path: path, disk: disk)
        try Self.prepare(connection, migrations, path, lock)
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
                var settlement = Settlement(now: now, rows: try tables.read(footprint, at: now))
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

    // MARK: Opening

    /// How often, and with which pause in microseconds, somebody is waited for who may only be migrating, or about to end.
    private static let (tries, pause) = (100, UInt32(10_000))

    static func serverLock(of path: String, pause: () -> Void = { _ = usleep(pause) }) throws(LedgerFailure) -> ServerLock {
        for _ in 0..<tries {
            if let lock = try ServerLock(of: path) { return lock }
            pause()
        }
        throw .unavailable("another server serves from this file; servers that share a database need PostgreSQL")
    }

    private static func prepare(
        _ connection: LedgerConnection, _ migrations: [Migration], _ path: String, _ lock: ServerLock?
    ) throws(LedgerFailure) {
        // Nothing is written to a file before it is known to be ours, or empty.
        try known(connection)
        // If files can't be shared, SQLite goes on without a log, and only its answer tells that.
        guard try connection.keepLog() else { throw .unavailable("SQLite: its log can't be kept on this disk") }
        // The cache has a ceiling that only a hundred thousand accounts reach.
        for pragma in ["synchronous=FULL", "temp_store=MEMORY", "cell_size_check=ON", "cache_size=-65536"] {
            try connection.run("PRAGMA \(pragma)")
        }
        for _ in 0..<tries {
            if try isMigrated(connection, migrations, path, lock) { return }
            usleep(pause)
        }
        throw .unavailable("a server of an earlier version serves from this file; restart it first")
    }

    /// Brings the tables to this version. False if a server has them that wouldn't know them afterwards, or one that is about to do this.
    private static func isMigrated(
        _ connection: LedgerConnection, _ migrations: [Migration], _ path: String, _ lock: ServerLock?
    ) throws(LedgerFailure) -> Bool {
        do throws(LedgerFailure) {
            try connection.run("BEGIN IMMEDIATE")
            let found = try version(connection)
            var own = lock
            if own == nil, (found ?? -1) < migrations.count {
                own = try ServerLock(of: path)
                guard own != nil else {
                    connection.rollBack()
                    return false
                }
            }
            // Until it is done nobody begins to serve.
            defer { withExtendedLifetime(own) {} }
            try migrate(connection, migrations, from: found)
            try connection.commit()
            return true
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

    /// The number of the last migration; nil for an empty file.
    private static func version(_ connection: LedgerConnection) throws(LedgerFailure) -> Int64? {
        guard try isLedger(connection) else { return nil }
        guard let found = try connection.number("SELECT number FROM version") else {
            throw .unusable("SQLite: the database doesn't tell its version")
        }
        return found
    }

    private static func migrate(
        _ connection: LedgerConnection, _ migrations: [Migration], from found: Int64?
    ) throws(LedgerFailure) {
        if found == nil {
            try connection.run("PRAGMA application_id=\(application)")
            try connection.run("CREATE TABLE version(number INTEGER NOT NULL) STRICT")
            try connection.run("INSERT INTO version VALUES(0)")
        }
        let found = found ?? 0
        guard found <= migrations.count else { throw .unusable("SQLite: the database is of the later version \(found)") }
        guard found >= 0, found < migrations.count else { return }
        for migration in migrations[Int(found)...] {
            for statement in migration.sqlite { try connection.run(statement) }
        }
        try connection.run("UPDATE version SET number = \(migrations.count)")
    }
}
