import CThumbSQLite

/// One connection to an SQLite database, with its prepared statements. Its owner decides on schema, pragmas and transactions.
@safe public final class SQLiteConnection {
    /// Whether SQLite doesn't count memory here. Counting takes a lock for each piece of memory. If other code used SQLite first, SQLite
    /// goes on counting.
    private static let countsNothing = thumb_sqlite_keep_no_statistics() == SQLITE_OK

    let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    /// The statement that was prepared or found last. Mostly the same one is wanted again, and then its text needn't be hashed.
    private var last: (sql: String, statement: SQLiteStatement)?
    /// Whether a transaction failed, and rolling it back failed too.
    private var owesRollBack = false
    /// Watches SQLite's log, if anything asked for that.
    var log: LogWatch?

    /// Opens an existing file on the VFS of that name (nil: the system's own). Nothing is read yet.
    ///
    /// No value may be longer than `longestValue`. Fails with `cannotOpen`, and with `readOnly` if the file can't be written.
    public init(path: String, disk: String?, longestValue: Int32) throws(SQLiteError) {
        _ = Self.countsNothing
        var opened: OpaquePointer?
        // For one thread at a time; the owner ensures that.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status = unsafe sqlite3_open_v2(path, &opened, flags, disk)
        guard status == SQLITE_OK, let handle = unsafe opened else {
            let error = unsafe SQLiteError(status, "opening the database", on: opened)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe self.handle = handle
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestValue)
        // The contents of the file can't make SQLite run anything.
        try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
        for option in [SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW] {
            try configure(option, false)
        }
        guard unsafe sqlite3_db_readonly(handle, "main") == 0 else { throw error(SQLITE_READONLY, "opening the database") }
    }

    deinit {
        for statement in statements.values { statement.finish() }
        unsafe sqlite3_close_v2(handle)
        log?.end()
    }

    // MARK: Statements

    /// Runs a statement to its end. Returns how many rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
        var row = try rows(sql, values)
        while try row.next() {}
        return unsafe Int(sqlite3_changes64(handle))
    }

    /// Begins a statement; its rows come one after another by `next`.
    public func rows(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> SQLiteRow {
        if owesRollBack { try endTransaction() }
        let statement = try prepared(sql)
        for (index, value) in values.enumerated() {
            let status = statement.bind(Int32(index + 1), value)
            guard status == SQLITE_OK else {
                statement.reset()
                throw error(status, "binding a value")
            }
        }
        return SQLiteRow(statement, of: self)
    }

    /// The first column of the first row, as a number; nil without a row.
    public func number(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int64? {
        var row = try rows(sql, values)
        return try row.next() ? row.integer(0) : nil
    }

    /// Rolls a failed transaction back, unless SQLite did already. If even that fails, for example for want of memory, it is done before
    /// the next statement, so that nobody sees changes that weren't acknowledged.
    public func rollBack() {
        owesRollBack = false
        // The next statement tries the rollback again, and reports why it fails.
        do throws(SQLiteError) { try endTransaction() } catch { owesRollBack = true }
    }

    private func endTransaction() throws(SQLiteError) {
        if unsafe sqlite3_get_autocommit(handle) == 0 {
            let statement = try prepared("ROLLBACK")
            var row = SQLiteRow(statement, of: self)
            _ = try row.next()
        }
        owesRollBack = false
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let last, last.sql == sql { return last.statement }
        if let known = statements[sql] {
            last = (sql, known)
            return known
        }
        var made: OpaquePointer?
        try unsafe check(
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil), "preparing a statement")
        guard let pointer = unsafe made else { throw error(SQLITE_ERROR, "preparing an empty statement") }
        let statement = unsafe SQLiteStatement(pointer)
        statements[sql] = statement
        last = (sql, statement)
        return statement
    }

    // MARK: Settings and statuses

    /// How long a statement waits for another connection. Without this call it doesn't wait.
    public func wait(milliseconds: Int32) { unsafe sqlite3_busy_timeout(handle, milliseconds) }

    func configure(_ option: Int32, _ on: Bool) throws(SQLiteError) {
        try unsafe check(thumb_sqlite_configure(handle, option, on ? 1 : 0), "configuring the database")
    }

    func check(_ status: Int32, _ text: StaticString) throws(SQLiteError) {
        if status != SQLITE_OK { throw error(status, text) }
    }

    func error(_ status: Int32, _ text: StaticString) -> SQLiteError { unsafe SQLiteError(status, text, on: handle) }
}
