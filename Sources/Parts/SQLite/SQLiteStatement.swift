import CThumbSQLite

/// One value for a statement.
public enum SQLiteValue: Sendable {
    /// A whole number.
    case integer(Int64)
    /// Bytes, which SQLite copies.
    case bytes([UInt8])
    /// A text.
    case text(String)
    /// No value.
    case null
}

/// A prepared statement. It belongs to the connection that made it, which also finalizes it.
@safe struct SQLiteStatement {
    let pointer: OpaquePointer

    @unsafe init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    func finish() { unsafe sqlite3_finalize(pointer) }

    func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }

    func bind(_ index: Int32, _ value: SQLiteValue) -> Int32 {
        switch value {
        case .integer(let number): unsafe sqlite3_bind_int64(pointer, index, number)
        case .bytes(let bytes): unsafe thumb_sqlite_bind_bytes(pointer, index, bytes, UInt64(bytes.count))
        case .text(let text): unsafe thumb_sqlite_bind_text(pointer, index, text, UInt64(text.utf8.count))
        case .null: unsafe sqlite3_bind_null(pointer, index)
        }
    }
}

/// The rows of a running statement, one after another. When this ends, the statement goes back to the connection, which stays open until
/// then.
public struct SQLiteRow: ~Copyable {
    private let statement: SQLiteStatement
    private let connection: SQLiteConnection

    init(_ statement: SQLiteStatement, of connection: SQLiteConnection) {
        self.statement = statement
        self.connection = connection
    }

    deinit { statement.reset() }

    /// Goes to the first or next row; false after the last.
    public mutating func next() throws(SQLiteError) -> Bool {
        let status = unsafe sqlite3_step(statement.pointer)
        if status == SQLITE_ROW { return true }
        if status == SQLITE_DONE { return false }
        throw connection.error(status, "running a statement")
    }

    /// Whether there is no value in that column, counted from 0.
    public func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement.pointer, column) == SQLITE_NULL }

    /// The column as a number; 0 without a value.
    public func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement.pointer, column) }

    /// The column's bytes; none without a value.
    public func bytes(_ column: Int32) -> [UInt8] {
        let start = unsafe sqlite3_column_blob(statement.pointer, column)
        let count = unsafe Int(sqlite3_column_bytes(statement.pointer, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The column's bytes, or nil without a value.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    /// The column as a text; an empty one without a value.
    public func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
