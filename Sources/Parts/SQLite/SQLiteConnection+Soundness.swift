import CThumbSQLite

extension SQLiteConnection {
    /// Whether SQLite finds a table, or the whole file, in order. Fails if it couldn't look: among the damage it reports, SQLite lists
    /// pages that couldn't be read, with the number of the error.
    public func isSound(_ table: String? = nil) throws(SQLiteError) -> Bool {
        var report = ""
        var row = try rows(table.map { "PRAGMA integrity_check('\($0)')" } ?? "PRAGMA integrity_check")
        while try row.next() { report += row.text(0) + "\n" }
        if report == "ok\n" { return true }
        if let status = Self.unread(report) { try check(status, "reading a page to check it") }
        return false
    }

    /// The status of an unreadable page, if the report has one; nil if it lists only damage.
    private static func unread(_ report: String) -> Int32? {
        for line in report.split(separator: "\n") {
            if has(line, "failed to get page") { return SQLITE_IOERR }
            guard has(line, "error code="), let number = line.split(separator: "=").last else { continue }
            let status = Int32(number) ?? SQLITE_IOERR
            if status & 0xFF != SQLITE_CORRUPT { return status }
        }
        return nil
    }

    private static func has(_ line: Substring, _ words: String) -> Bool {
        line.utf8.indices.contains { line.utf8[$0...].starts(with: words.utf8) }
    }
}
