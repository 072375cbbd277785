import CThumbLinux
import CThumbSQLite

/// One value for a statement.
enum Value {
    case integer(Int64)
    case bytes([UInt8])
    case null
}

/// One SQLite connection with its prepared statements. The only file that calls SQLite.
@safe final class Connection {
    /// The longest value: a sealed megabyte with room to spare.
    private static let longestValue: Int32 = 4 << 20

    /// Whether SQLite counts no memory here: counting takes a lock for each piece that it takes or gives back. Where somebody else
    /// used it first, it goes on counting.
    private static let countsNothing = thumb_sqlite_keep_no_statistics() == SQLITE_OK

    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// The statement prepared or found last: mostly the same one is wanted again, and its text needn't be hashed.
    private var last: (sql: String, statement: Statement)?
    /// A transaction failed, and taking it back did too.
    private var owesRollBack = false

    /// Opens an existing file, for itself alone, on the VFS of that name (nil: the system's own); nothing is read yet.
    init(path: String, disk: String?) throws(StorageError) {
        _ = Self.countsNothing
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status = unsafe sqlite3_open_v2(path, &opened, flags, disk)
        guard status == SQLITE_OK, let handle = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw StorageError(.cannotOpen, raw: status, "opening the items database")
        }
        unsafe self.handle = handle
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestValue)
        // What stands in the file can't make SQLite run anything; and closing writes nothing until the file is known to be ours.
        for (option, on) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
        ] {
            try unsafe check(thumb_sqlite_configure(handle, option, Int32(on)), "configuring the items database")
        }
        guard unsafe sqlite3_db_readonly(handle, "main") == 0 else {
            throw StorageError(.readOnly, raw: SQLITE_READONLY, "opening the items database")
        }
    }

    deinit {
        for statement in statements.values { statement.finish() }
        unsafe sqlite3_close_v2(handle)
    }

    /// Whether closing folds the log into the file and removes it; not, until it is said.
    func foldLogOnClose(_ folds: Bool = true) throws(StorageError) {
        try unsafe check(
            thumb_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, folds ? 0 : 1), "configuring the items database")
    }

    /// Folds the log into the file as far as it goes; `full` where the file can't grow.
    func foldLog() throws(StorageError) {
        try unsafe check(
            sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, nil, nil), "folding the log into the database")
    }

    /// Runs a statement that answers nothing.
    func run(_ sql: String, _ values: Value...) throws {
        try rows(sql, values) { _ in false }
    }

    /// Runs a statement and shows each row to `body`, until it answers false.
    func rows(_ sql: String, _ values: [Value] = [], _ body: (borrowing Row) throws -> Bool) throws {
        if owesRollBack { try endTransaction() }
        let statement = try prepared(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() { try statement.bind(Int32(index + 1), value, self) }
        while try statement.step(self), try body(Row(statement)) {}
    }

    /// The first column of the first row, as a number; nil without a row.
    func number(_ sql: String, _ values: Value...) throws -> Int64? {
        var result: Int64?
        try rows(sql, values) {
            result = $0.integer(0)
            return false
        }
        return result
    }

    /// Ends a failed transaction, unless SQLite did already. Where even that fails, for want of memory say, it is done before
    /// whatever is asked next: nobody sees what wasn't acknowledged.
    func rollBack() {
        owesRollBack = false
        // What is owed is tried again, and then says why it fails.
        do { try endTransaction() } catch { owesRollBack = true }
    }

    private func endTransaction() throws(StorageError) {
        if unsafe sqlite3_get_autocommit(handle) == 0 {
            let statement = try prepared("ROLLBACK")
            defer { statement.reset() }
            _ = try statement.step(self)
        }
        owesRollBack = false
    }

    /// Whether SQLite finds a table, or the whole file, in order. Fails where it couldn't look: a page that couldn't be read stands
    /// among the damage that it reports, with the number of its error.
    func isSound(_ table: String? = nil) throws -> Bool {
        var report = ""
        try rows(table.map { "PRAGMA integrity_check('\($0)')" } ?? "PRAGMA integrity_check") {
            report += $0.text(0) + "\n"
            return true
        }
        if report == "ok\n" { return true }
        if let status = Self.unread(report) { try check(status, "reading a page to check it") }
        return false
    }

    /// The status of a page that couldn't be read, if that stands in a report; nil where all that stands there is damage.
    private static func unread(_ report: String) -> Int32? {
        for line in report.split(separator: "\n") {
            if line.contains("failed to get page") { return SQLITE_IOERR }
            guard line.contains("error code="), let number = line.split(separator: "=").last else { continue }
            let status = Int32(number) ?? SQLITE_IOERR
            if status & 0xFF != SQLITE_CORRUPT { return status }
        }
        return nil
    }

    private func prepared(_ sql: String) throws(StorageError) -> Statement {
        if let last, last.sql == sql { return last.statement }
        if let known = statements[sql] {
            last = (sql, known)
            return known
        }
        var made: OpaquePointer?
        try unsafe check(
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil), "preparing a statement")
        guard let pointer = unsafe made else { throw StorageError(.failed, "preparing a statement") }
        let statement = unsafe Statement(pointer)
        statements[sql] = statement
        last = (sql, statement)
        return statement
    }

    /// Turns a status into the store's error; the extended code survives.
    func check(_ status: Int32, _ text: StaticString) throws(StorageError) {
        guard status != SQLITE_OK else { return }
        throw StorageError(code(of: status), raw: status, text)
    }

    private func code(of status: Int32) -> StorageError.Code {
        if status == thumb_sqlite_ioerr_nomem { return .outOfMemory }
        switch status & 0xff {
        case SQLITE_FULL: return .full
        case SQLITE_IOERR: return unsafe StorageError.code(ofErrno: sqlite3_system_errno(handle)) ?? .inputOutput
        case SQLITE_CANTOPEN: return unsafe StorageError.code(ofErrno: sqlite3_system_errno(handle)) ?? .cannotOpen
        case SQLITE_READONLY, SQLITE_PERM: return .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: return .inUse
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .databaseDamaged
        case SQLITE_NOMEM: return .outOfMemory
        case SQLITE_TOOBIG: return .limit
        default: return .failed
        }
    }
}

/// A prepared statement, of the connection that made it.
@safe final class Statement {
    private let pointer: OpaquePointer

    @unsafe fileprivate init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    fileprivate func finish() { unsafe sqlite3_finalize(pointer) }

    fileprivate func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }

    fileprivate func bind(_ index: Int32, _ value: Value, _ connection: Connection) throws(StorageError) {
        let status =
            switch value {
            case .integer(let number): unsafe sqlite3_bind_int64(pointer, index, number)
            case .bytes(let bytes): unsafe thumb_sqlite_bind_bytes(pointer, index, bytes, UInt64(bytes.count))
            case .null: unsafe sqlite3_bind_null(pointer, index)
            }
        try connection.check(status, "binding a value")
    }

    /// Whether there is another row.
    fileprivate func step(_ connection: Connection) throws(StorageError) -> Bool {
        let status = unsafe sqlite3_step(pointer)
        if status == SQLITE_ROW { return true }
        if status != SQLITE_DONE { try connection.check(status, "running a statement") }
        return false
    }

    fileprivate func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

    fileprivate func bytes(_ column: Int32) -> [UInt8]? {
        guard unsafe sqlite3_column_type(pointer, column) != SQLITE_NULL else { return nil }
        let start = unsafe sqlite3_column_blob(pointer, column)
        let count = unsafe Int(sqlite3_column_bytes(pointer, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// The row a statement stands on; it can't be kept beyond that.
struct Row: ~Copyable {
    private let statement: Statement

    fileprivate init(_ statement: Statement) { self.statement = statement }

    func integer(_ column: Int32) -> Int64 { statement.integer(column) }
    func bytes(_ column: Int32) -> [UInt8]? { statement.bytes(column) }
    func text(_ column: Int32) -> String { String(decoding: bytes(column) ?? [], as: UTF8.self) }
}
