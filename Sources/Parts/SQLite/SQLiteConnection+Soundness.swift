import CThumbSQLite

extension SQLiteConnection {
    /// Whether SQLite finds a table, or the whole file, in order. Fails where it couldn't look: a page that couldn't be read stands
    /// among the damage that it reports, with the number of its error.
    public func isSound(_ table: String? = nil) throws(SQLiteError) -> Bool {
        var report = ""
        var row = try rows(table.map { "PRAGMA integrity_check('\($0)')" } ?? "PRAGMA integrity_check")
        while try row.next() { report += row.text(0) + "\n" }
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
}
