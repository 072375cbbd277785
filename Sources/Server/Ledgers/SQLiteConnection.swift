internal import CThumbSQLite
internal import ThumbSignIn

/// One value for a statement of SQLite's.
enum SQLiteValue {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case null
}

/// One SQLite connection with its prepared statements. The only file here that calls SQLite.
@safe final class SQLiteConnection {
    /// How long a batch waits for another process's.
    private static let patience: Int32 = 5_000
    /// The longest value: nothing that is kept is longer than a request's body.
    private static let longestValue: Int32 = 1 << 20

    private let handle: OpaquePointer
    private var statements: [String: Prepared] = [:]
    /// Pages in the log since it began, as of the last commit; SQLite's hook writes it.
    private let pages: UnsafeMutablePointer<Int32>
    /// Set where what is written to the tables goes to disk a few pages at a time.
    private var gentleness: UnsafeMutablePointer<thumb_sqlite_gentleness>?

    /// Opens an existing file on the VFS of that name (nil: the system's own); nothing is read yet.
    init(path: String, disk: String?) throws(LedgerFailure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status = unsafe sqlite3_open_v2(path, &opened, flags, disk)
        guard status == SQLITE_OK, let handle = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw Self.failure(status, "opening the database")
        }
        unsafe self.handle = handle
        unsafe pages = .allocate(capacity: 1)
        unsafe pages.initialize(to: 0)
        // In the place of SQLite's own, which checkpoints in the middle of a batch.
        _ = unsafe sqlite3_wal_hook(
            handle,
            { pages, _, _, count in
                unsafe pages?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, pages)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestValue)
        unsafe sqlite3_busy_timeout(handle, Self.patience)
        // What stands in the file can't make SQLite run anything.
        for (option, on) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
        ] {
            try unsafe check(thumb_sqlite_configure(handle, option, Int32(on)), "configuring the database")
        }
        guard unsafe sqlite3_db_readonly(handle, "main") == 0 else {
            throw Self.failure(SQLITE_READONLY, "opening the database")
        }
    }

    deinit {
        for statement in statements.values { unsafe sqlite3_finalize(statement.pointer) }
        unsafe sqlite3_close_v2(handle)
        unsafe pages.deallocate()
        unsafe gentleness?.deallocate()
    }

    /// From now on no more than so many pages of the tables wait to be synced, with a rest behind each sync.
    func writeGently(pages: Int32) throws(LedgerFailure) {
        let room = UnsafeMutablePointer<thumb_sqlite_gentleness>.allocate(capacity: 1)
        unsafe room.initialize(to: thumb_sqlite_gentleness())
        unsafe gentleness = room
        try unsafe check(thumb_sqlite_be_gentle(handle, room, pages), "opening the tables")
    }

    /// Pages that stand in the log since it began anew.
    var logPages: Int { unsafe Int(pages.pointee) }

    /// Brings what stands in the log into the tables, as far as nobody is in the way; writes may go on meanwhile.
    func checkpoint() throws(LedgerFailure) {
        let status = unsafe sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        // Another process is doing it.
        if status & 0xff != SQLITE_BUSY { try check(status, "clearing the log") }
    }

    /// Has the tables' pages on disk. SQLite does so itself in a checkpoint that brings in all of the log, and in no other.
    func syncTables() throws(LedgerFailure) {
        try unsafe check(thumb_sqlite_sync(handle), "syncing the tables")
    }

    /// Runs a statement; how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: SQLiteValue...) throws(LedgerFailure) -> Int {
        try rows(sql, values) { (_: borrowing SQLiteRow) throws(LedgerFailure) in }
        return unsafe Int(sqlite3_changes64(handle))
    }

    /// Runs a statement and shows each row to `body`.
    func rows(
        _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing SQLiteRow) throws(LedgerFailure) -> Void
    ) throws(LedgerFailure) {
        let statement = try prepared(sql)
        defer {
            unsafe sqlite3_reset(statement.pointer)
            unsafe sqlite3_clear_bindings(statement.pointer)
        }
        for (index, value) in values.enumerated() {
            try check(bind(statement, Int32(index + 1), value), "binding a value")
        }
        while true {
            let status = unsafe sqlite3_step(statement.pointer)
            if status == SQLITE_DONE { return }
            guard status == SQLITE_ROW else { throw Self.failure(status, "running a statement") }
            try body(SQLiteRow(statement))
        }
    }

    /// The first column of the first row, as a number; nil without a row.
    func number(_ sql: String) throws(LedgerFailure) -> Int64? {
        var result: Int64?
        try rows(sql) { (row: borrowing SQLiteRow) throws(LedgerFailure) in
            if result == nil { result = row.integer(0) }
        }
        return result
    }

    /// Commits; where the disk fails in that, nobody knows whether it is done.
    func commit() throws(LedgerFailure) {
        let statement = try prepared("COMMIT")
        let status = unsafe sqlite3_step(statement.pointer)
        unsafe sqlite3_reset(statement.pointer)
        guard status != SQLITE_DONE else { return }
        if status & 0xff == SQLITE_IOERR { throw .uncertain(Self.words(status, "committing")) }
        throw Self.failure(status, "committing")
    }

    /// Ends a failed transaction, unless SQLite did already.
    func rollBack() {
        if unsafe sqlite3_get_autocommit(handle) == 0 { _ = try? run("ROLLBACK") }
    }

    private func bind(_ statement: Prepared, _ index: Int32, _ value: SQLiteValue) -> Int32 {
        switch value {
        case .integer(let number): unsafe sqlite3_bind_int64(statement.pointer, index, number)
        case .bytes(let bytes): unsafe thumb_sqlite_bind_bytes(statement.pointer, index, bytes, UInt64(bytes.count))
        case .text(let text): unsafe thumb_sqlite_bind_text(statement.pointer, index, text, UInt64(text.utf8.count))
        case .null: unsafe sqlite3_bind_null(statement.pointer, index)
        }
    }

    private func prepared(_ sql: String) throws(LedgerFailure) -> Prepared {
        if let known = statements[sql] { return known }
        var made: OpaquePointer?
        try unsafe check(
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil), "preparing a statement")
        guard let pointer = unsafe made else { throw .unusable("SQLite: preparing a statement") }
        let statement = unsafe Prepared(pointer)
        statements[sql] = statement
        return statement
    }

    private func check(_ status: Int32, _ text: StaticString) throws(LedgerFailure) {
        if status != SQLITE_OK { throw Self.failure(status, text) }
    }

    /// Turns a status into the port's failure. SQLite's own message stays away from it: it may quote a value.
    static func failure(_ status: Int32, _ text: StaticString) -> LedgerFailure {
        switch status & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_ERROR, SQLITE_MISUSE, SQLITE_SCHEMA:
            .unusable(words(status, text))
        default: .unavailable(words(status, text))
        }
    }

    private static func words(_ status: Int32, _ text: StaticString) -> String {
        let what =
            switch status & 0xff {
            case SQLITE_FULL: "the disk is full"
            case SQLITE_IOERR: "the disk failed"
            case SQLITE_CANTOPEN: "the file can't be opened"
            case SQLITE_READONLY, SQLITE_PERM: "the file can't be written"
            case SQLITE_BUSY, SQLITE_LOCKED: "another process writes"
            case SQLITE_CORRUPT: "the file is damaged"
            case SQLITE_NOTADB: "the file is no database"
            case SQLITE_NOMEM: "there is no memory"
            case SQLITE_CONSTRAINT: "a row is there twice"
            default: "it failed"
            }
        return "SQLite: \(text): \(what) (\(status))"
    }
}

/// A prepared statement, of the connection that made it and ends it.
@safe private struct Prepared {
    let pointer: OpaquePointer

    @unsafe init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
}

/// The row that a statement stands on; it can't be kept beyond that.
@safe struct SQLiteRow: ~Copyable {
    private let statement: Prepared

    fileprivate init(_ statement: Prepared) { self.statement = statement }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement.pointer, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement.pointer, column) }

    func bytes(_ column: Int32) -> [UInt8] {
        let start = unsafe sqlite3_column_blob(statement.pointer, column)
        let count = unsafe Int(sqlite3_column_bytes(statement.pointer, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
