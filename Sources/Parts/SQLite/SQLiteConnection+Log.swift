import CThumbSQLite

// SQLite's log (WAL): what is written stands there first, and is folded into the file later.

extension SQLiteConnection {
    /// How the log is folded into the file.
    public enum LogFolding: Sendable {
        /// As far as nobody is in the way; writes may go on meanwhile.
        case beside
        /// All of it, so that the log begins anew.
        case whole
    }

    /// Folds the log into the file; fails with `full` where the file can't grow, with `inUse` where another connection is at it.
    public func foldLog(_ folding: LogFolding) throws(SQLiteError) {
        let mode =
            switch folding {
            case .beside: SQLITE_CHECKPOINT_PASSIVE
            case .whole: SQLITE_CHECKPOINT_RESTART
            }
        try unsafe check(sqlite3_wal_checkpoint_v2(handle, "main", mode, nil, nil), "folding the log into the database")
    }

    /// Whether closing folds the log into the file and removes it, as it does unless told otherwise.
    public func foldLogOnClose(_ folds: Bool) throws(SQLiteError) {
        try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !folds)
    }

    /// Has the file's pages on disk. SQLite does so itself when it folds all of the log, and at no other time.
    public func syncFile() throws(SQLiteError) {
        try unsafe check(thumb_sqlite_sync(handle), "syncing the database")
    }

    /// From now on nothing is folded in the middle of a transaction's commit; `logPages` tells when it is time.
    public func countLogPages() {
        let watch = watchedLog()
        _ = unsafe sqlite3_wal_hook(
            handle,
            { pages, _, _, count in
                unsafe pages?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, watch.pages)
    }

    /// Pages that stand in the log since it began anew, as of the last commit; 0 where they aren't counted.
    public var logPages: Int { log.map { unsafe Int($0.pages.pointee) } ?? 0 }

    /// From now on no more than so many pages of the file wait to be synced, with a rest behind each sync: thousands that are synced at
    /// once hold up who syncs something else.
    public func writeGently(pages: Int32) throws(SQLiteError) {
        try unsafe check(thumb_sqlite_be_gentle(handle, watchedLog().gentleness, pages), "opening the tables")
    }

    private func watchedLog() -> LogWatch {
        if let log { return log }
        let made = LogWatch()
        log = made
        return made
    }
}

/// What SQLite writes to, or reads, from its own calls: it stays where it is until the connection is closed.
@safe struct LogWatch {
    /// Pages in the log, which SQLite's hook writes.
    let pages: UnsafeMutablePointer<Int32>
    /// A file's methods, and what they count.
    let gentleness: UnsafeMutablePointer<thumb_sqlite_gentleness>

    init() {
        unsafe pages = .allocate(capacity: 1)
        unsafe pages.initialize(to: 0)
        unsafe gentleness = .allocate(capacity: 1)
        unsafe gentleness.initialize(to: thumb_sqlite_gentleness())
    }

    func end() {
        unsafe pages.deallocate()
        unsafe gentleness.deallocate()
    }
}
