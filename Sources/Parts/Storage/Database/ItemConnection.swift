import ThumbSQLite

/// The connection to the items database: SQLite's, with this room's limit and its errors.
final class ItemConnection {
    /// The longest value: a sealed megabyte with room to spare.
    private static let longestValue: Int32 = 4 << 20

    private let sqlite: SQLiteConnection

    /// Opens an existing file on the VFS of that name (nil: the system's own); nothing is read yet.
    init(path: String, disk: String?) throws(StorageError) {
        do throws(SQLiteError) {
            sqlite = try SQLiteConnection(path: path, disk: disk, longestValue: Self.longestValue)
        } catch {
            throw StorageError(error.code == .readOnly ? .readOnly : .cannotOpen, raw: error.status, "opening the items database")
        }
        // Closing writes nothing until the file is known to be ours.
        try foldLogOnClose(false)
    }

    /// Whether closing folds the log into the file and removes it; not, until it is said.
    func foldLogOnClose(_ folds: Bool = true) throws(StorageError) {
        try stored { () throws(SQLiteError) in try sqlite.foldLogOnClose(folds) }
    }

    /// Folds the log into the file; `full` where the file can't grow.
    func foldLog() throws(StorageError) {
        try stored { () throws(SQLiteError) in try sqlite.foldLog(.whole) }
    }

    /// Runs a statement that answers nothing.
    func run(_ sql: String, _ values: SQLiteValue...) throws(StorageError) { try run(sql, values) }

    /// The same, with as many values as there are.
    func run(_ sql: String, _ values: [SQLiteValue]) throws(StorageError) {
        try stored { () throws(SQLiteError) in _ = try sqlite.run(sql, values) }
    }

    /// Runs a statement and shows each row to `body`, until it answers false.
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

    /// The first column of the first row, as a number; nil without a row.
    func number(_ sql: String, _ values: SQLiteValue...) throws(StorageError) -> Int64? {
        try stored { () throws(SQLiteError) in try sqlite.number(sql, values) }
    }

    /// Ends a failed transaction, now or before whatever is asked next.
    func rollBack() { sqlite.rollBack() }

    /// Whether a table, or the whole file, is in order. Fails where that couldn't be found out.
    func isSound(_ table: String? = nil) throws(StorageError) -> Bool {
        try stored { () throws(SQLiteError) in try sqlite.isSound(table) }
    }

    private func stored<Result>(_ body: () throws(SQLiteError) -> Result) throws(StorageError) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw StorageError(error) }
    }
}

extension StorageError {
    /// The store's word for what SQLite said; the extended code survives.
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
