import CThumbLinux
public import ThumbLogging
import ThumbSecrets
public import ThumbSignIn
import ThumbSystem

/// Where the server's lines go: to standard error, which the journal reads.
public final class ServerLog: Sendable {
    private let form: LogForm
    /// Whether the journal reads them, and takes the level from each line's beginning.
    private let isJournal: Bool
    /// So that no line stands inside another one.
    private let turn = Lock()

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

    func write(_ bytes: [UInt8]) {
        turn.withLock {
            // Even if nobody takes the log, requests are answered.
            try? Transfer.write(bytes, to: 2)
        }
    }

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
