import CThumbLinux
import ThumbSQLite
import ThumbSignIn

/// A connection to a ledger's file: an SQLite connection with this room's limits and the port's failures.
final class LedgerConnection {
    /// How long a batch waits for another process's batch, in milliseconds.
    private static let patience: Int32 = 5_000
    /// The longest value. Nothing that is stored is longer than a request's body.
    private static let longestValue: Int32 = 1 << 20

    private let sqlite: SQLiteConnection

    /// Opens an existing file on the VFS of that name (nil: the system's own). Nothing is read yet.
    init(path: String, disk: String?) throws(LedgerFailure) {
        do throws(SQLiteError) {
            sqlite = try SQLiteConnection(path: path, disk: disk, longestValue: Self.longestValue)
        } catch { throw LedgerFailure(error) }
        sqlite.wait(milliseconds: Self.patience)
        // Otherwise SQLite would fold the log in the middle of a batch.
        sqlite.countLogPages()
    }

    /// Keeps SQLite's log from now on. False if SQLite can't do so on this disk.
    ///
    /// To begin the log SQLite needs the file to itself. It waits for readers, and not for a server that begins the log just now. So
    /// this does the waiting: it tries again after each pause, for as long as a batch would wait.
    func keepLog(pause: () -> Void = { _ = usleep(10_000) }) throws(LedgerFailure) -> Bool {
        sqlite.wait(milliseconds: 0)
        defer { sqlite.wait(milliseconds: Self.patience) }
        for _ in 0..<Self.patience / 10 {
            do throws(SQLiteError) {
                var row = try sqlite.rows("PRAGMA journal_mode=WAL")
                guard try row.next() else { return false }
                return row.text(0) == "wal"
            } catch {
                guard error.code == .inUse else { throw LedgerFailure(error) }
            }
            pause()
        }
        throw .unavailable("SQLite: beginning its log: another process has the file")
    }

    /// From now on at most this many pages of the tables wait to be synced, and each sync is followed by a rest.
    func writeGently(pages: Int32) throws(LedgerFailure) {
        try settled { () throws(SQLiteError) in try sqlite.writeGently(pages: pages) }
    }

    /// Pages in the log since it was last started over.
    var logPages: Int { sqlite.logPages }

    /// Folds the log into the tables, as far as no other connection is in the way. Writes may go on meanwhile.
    func checkpoint() throws(LedgerFailure) {
        do throws(SQLiteError) { try sqlite.foldLog(.beside) } catch {
            // Another process is doing this.
            guard error.code == .inUse else { throw LedgerFailure(error) }
        }
    }

    /// Puts the tables' pages on disk.
    func syncTables() throws(LedgerFailure) { try settled { () throws(SQLiteError) in try sqlite.syncFile() } }

    /// Runs a statement. Returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: SQLiteValue...) throws(LedgerFailure) -> Int {
        try settled { () throws(SQLiteError) in try sqlite.run(sql, values) }
    }

    /// Runs a statement and calls `body` for each row.
    func rows(
        _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing SQLiteRow) throws(LedgerFailure) -> Void
    ) throws(LedgerFailure) {
        var row = try begun(sql, values)
        while true {
            do throws(SQLiteError) {
                guard try row.next() else { return }
            } catch { throw LedgerFailure(error) }
            try body(row)
        }
    }

    /// The first column of the first row, as a number; nil if there is no row.
    func number(_ sql: String) throws(LedgerFailure) -> Int64? {
        try settled { () throws(SQLiteError) in try sqlite.number(sql) }
    }

    /// Commits. If the disk fails meanwhile, nobody knows whether it is done.
    func commit() throws(LedgerFailure) {
        var row = try begun("COMMIT")
        do throws(SQLiteError) { _ = try row.next() } catch {
            throw error.isOfFile ? .uncertain(LedgerFailure.words(error, "committing")) : LedgerFailure(error, "committing")
        }
    }

    /// Rolls a failed transaction back, now or before the next statement.
    func rollBack() { sqlite.rollBack() }

    private func begun(_ sql: String, _ values: [SQLiteValue] = []) throws(LedgerFailure) -> SQLiteRow {
        do throws(SQLiteError) { return try sqlite.rows(sql, values) } catch { throw LedgerFailure(error) }
    }

    private func settled<Result>(_ body: () throws(SQLiteError) -> Result) throws(LedgerFailure) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw LedgerFailure(error) }
    }
}

extension LedgerFailure {
    /// The port's failure for an SQLite error.
    init(_ error: SQLiteError, _ text: StaticString? = nil) {
        switch error.code {
        case .damaged, .notDatabase, .constraint, .refused: self = .unusable(Self.words(error, text))
        case .full, .inputOutput, .cannotOpen, .readOnly, .inUse, .outOfMemory, .tooLarge, .other:
            self = .unavailable(Self.words(error, text))
        }
    }

    fileprivate static func words(_ error: SQLiteError, _ text: StaticString? = nil) -> String {
        let what =
            switch error.code {
            case .full: "the disk is full"
            case .inputOutput: "the disk failed"
            case .cannotOpen: "the file can't be opened"
            case .readOnly: "the file can't be written"
            case .inUse: "another process writes"
            case .damaged: "the file is damaged"
            case .notDatabase: "the file is no database"
            case .outOfMemory: "there is no memory"
            case .constraint: "a row is there twice"
            case .tooLarge, .refused, .other: "it failed"
            }
        return "SQLite: \(text ?? error.text): \(what) (\(error.status))"
    }
}
