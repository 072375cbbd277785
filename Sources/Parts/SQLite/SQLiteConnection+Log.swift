import CThumbSQLite

// SQLite's log (WAL): changes are written there first, and folded into the file later.

extension SQLiteConnection {
    /// How the log is folded into the file.
    public enum LogFolding: Sendable {
        /// As far as no other connection is in the way. Writes may go on meanwhile.
        case beside
        /// All of it, so that the log starts over.
        case whole
    }

    /// Folds the log into the file. Fails with `full` if the file can't grow, and with `inUse` if another connection is using it.
    public func foldLog(_ folding: LogFolding) throws(SQLiteError) {
        let mode =
            switch folding {
            case .beside: SQLITE_CHECKPOINT_PASSIVE
            case .whole: SQLITE_CHECKPOINT_RESTART
            }
        try unsafe check(sqlite3_wal_checkpoint_v2(handle, "main", mode, nil, nil), "folding the log into the database")
    }

    /// Sets whether closing folds the log into the file and removes it, which is the default.
    public func foldLogOnClose(_ folds: Bool) throws(SQLiteError) {
        try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !folds)
    }

    /// Puts the file's pages on disk. SQLite does so itself only when it folds all of the log.
    public func syncFile() throws(SQLiteError) {
        try unsafe check(thumb_sqlite_sync(handle), "syncing the database")
    }

    /// From now on nothing is folded while a transaction commits; `logPages` tells when it is time.
    public func countLogPages() {
        let watch = watchedLog()
        _ = unsafe sqlite3_wal_hook(
            handle,
            { pages, _, _, count in
                unsafe pages?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, watch.pages)
    }

    /// Pages in the log since it was last started over, as of the last commit; 0 if they aren't counted.
    public var logPages: Int { log.map { unsafe Int($0.pages.pointee) } ?? 0 }

    /// From now on at most this many pages of the file wait to be synced, and each sync is followed by a rest. Syncing thousands at once
    /// would hold up everybody else who syncs.
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

/// Memory that SQLite writes to or reads from inside its calls. It stays in place until the connection is closed.
@safe struct LogWatch {
    /// Pages in the log. SQLite's hook writes this.
    let pages: UnsafeMutablePointer<Int32>
    /// A file's methods, and the counts that they keep.
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
