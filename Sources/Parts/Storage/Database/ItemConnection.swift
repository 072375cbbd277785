import ThumbSQLite

/// The connection to the items database: an SQLite connection with this room's limit and errors.
final class ItemConnection {
    /// The longest value: a sealed megabyte, and some room to spare.
    private static let longestValue: Int32 = 4 << 20

    private let sqlite: SQLiteConnection

    /// Opens an existing file on the VFS of that name (nil: the system's own). Nothing is read yet.
    init(path: String, disk: String?) throws(StorageError) {
        do throws(SQLiteError) {
            sqlite = try SQLiteConnection(path: path, disk: disk, longestValue: Self.longestValue)
        } catch {
            throw StorageError(error.code == .readOnly ? .readOnly : .cannotOpen, raw: error.status, "opening the items database")
        }
        // Closing must write nothing until we know that the file is ours.
        try foldLogOnClose(false)
    }

    /// Sets whether closing folds the log into the file and removes it. Until this is called, it doesn't.
    func foldLogOnClose(_ folds: Bool = true) throws(StorageError) {
        try stored { () throws(SQLiteError) in try sqlite.foldLogOnClose(folds) }
    }

    /// Folds the log into the file; `full` if the file can't grow.
    func foldLog() throws(StorageError) {
        try stored { () throws(SQLiteError) in try sqlite.foldLog(.whole) }
    }

    /// Runs a statement that returns nothing.
    func run(_ sql: String, _ values: SQLiteValue...) throws(StorageError) { try run(sql, values) }

    /// The same, with any number of values.
    func run(_ sql: String, _ values: [SQLiteValue]) throws(StorageError) {
        try stored { () throws(SQLiteError) in _ = try sqlite.run(sql, values) }
    }

    /// Runs a statement and calls `body` for each row until it returns false.
    func rows(_ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing SQLiteRow) throws -> Bool) throws {
        var row: SQLiteRow
        do throws(SQLiteError) { row = try sqlite.rows(sql, values) } catch { throw StorageError(error) }
        while true {
            do throws(SQLiteError) {
                guard try row.next() else { return }
            } catch { throw StorageError(error) }
            guard try body(row) else { return }
        }
    }

    /// The first column of the first row, as a number; nil if there is no row.
    func number(_ sql: String, _ values: SQLiteValue...) throws(StorageError) -> Int64? {
        try stored { () throws(SQLiteError) in try sqlite.number(sql, values) }
    }

    /// Rolls a failed transaction back, now or before the next statement.
    func rollBack() { sqlite.rollBack() }

    /// Whether a table, or the whole file, is in order. Fails if that couldn't be determined.
    func isSound(_ table: String? = nil) throws(StorageError) -> Bool {
        try stored { () throws(SQLiteError) in try sqlite.isSound(table) }
    }

    private func stored<Result>(_ body: () throws(SQLiteError) -> Result) throws(StorageError) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw StorageError(error) }
    }
}

extension StorageError {
    /// The store's error for an error of SQLite's. It keeps the extended code.
    init(_ error: SQLiteError) {
        let code: Code =
            switch error.code {
            case .full: .full
            case .inputOutput: Self.code(ofErrno: error.systemError) ?? .inputOutput
            case .cannotOpen: Self.code(ofErrno: error.systemError) ?? .cannotOpen
            case .readOnly: .readOnly
            case .inUse: .inUse
            case .damaged, .notDatabase: .databaseDamaged
            case .outOfMemory: .outOfMemory
            case .tooLarge: .limit
            case .constraint, .refused, .other: .failed
            }
        self.init(code, raw: error.status, error.text)
    }
}
