import CThumbLinux
public import ThumbLogging
public import ThumbSignIn

/// Where the server's lines go: to standard error, which the journal reads.
public final class ServerLog: Sendable {
    private let form: LogForm
    /// Whether the journal reads them, and takes the level from each line's beginning.
    private let isJournal: Bool
    private let outlet = LogOutlet()

    /// A log in that form.
    public convenience init(_ form: LogForm = .logfmt) { self.init(form, isJournal: Self.journalReads()) }

    init(_ form: LogForm, isJournal: Bool) { (self.form, self.isJournal) = (form, isJournal) }

    /// Writes an event in words of ours.
    public func tell(_ level: LogLevel, _ event: String, at now: Moment) {
        var text = lines()
        text.begin(level, at: now.seconds)
        text.add(.event, event)
        text.end()
        write(text.bytes)
    }

    /// A place for lines of this log that are written later.
    func lines() -> LogText { LogText(form, marksLevels: isJournal) }

    func write(_ lines: [UInt8]) { outlet.write(lines) }

    /// Whether more lines may wait for the log's reader.
    var hasRoom: Bool { outlet.hasRoom }

    /// How many events were lost because the log's reader stood still.
    var dropped: Int { outlet.dropped }

    /// Waits for the log's reader, for a moment at most. To be called at the end.
    public func finish() { outlet.finish(within: Limits.patienceWithLog) }

    /// Whether standard error is what the service manager says it is: its journal's.
    private static func journalReads() -> Bool {
        guard let said = unsafe thumb_secure_getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard unsafe fstat(2, &status) == 0 else { return false }
        return unsafe String(cString: said) == "\(status.st_dev):\(status.st_ino)"
    }
}

extension Moment {
    /// Its date and time in UTC.
    var written: String { CalendarTime.written(seconds) }
}
