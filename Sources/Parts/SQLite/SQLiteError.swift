import CThumbSQLite

/// Why SQLite didn't do what it was asked.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, for a caller to switch on.
    public enum Code: Sendable, Equatable, CaseIterable {
        /// The disk or the quota is full.
        case full
        /// Reading or writing the file failed.
        case inputOutput
        /// The file can't be opened.
        case cannotOpen
        /// The file can't be written.
        case readOnly
        /// Another connection has the file, and kept it longer than this one waits.
        case inUse
        /// The file's contents contradict themselves.
        case damaged
        /// The file isn't a database of SQLite's.
        case notDatabase
        /// There is no memory.
        case outOfMemory
        /// A value is longer than the connection allows.
        case tooLarge
        /// A row breaks a rule of its table.
        case constraint
        /// The statement isn't one for this database.
        case refused
        /// Anything else; the status says what.
        case other
    }

    /// What went wrong.
    public let code: Code
    /// SQLite's extended result code.
    public let status: Int32
    /// The system's errno behind a failure of the file; 0 if there is none.
    public let systemError: Int32
    /// What was being done, in our own words. SQLite's own message is left out, because it may quote a value.
    public let text: StaticString

    @unsafe init(_ status: Int32, _ text: StaticString, on handle: OpaquePointer? = nil) {
        code = Self.code(of: status)
        self.status = status
        self.text = text
        let isSystems = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(status & 0xff)
        systemError = isSystems ? unsafe handle.map { unsafe sqlite3_system_errno($0) } ?? 0 : 0
    }

    /// Errors are equal if their codes are.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// What was being done, the code and the status.
    public var description: String { "SQLiteError.\(code): \(text) (\(status))" }

    /// Whether it happened while the file was read or written, even for want of memory. A commit may then be done or not.
    public var isOfFile: Bool { status & 0xff == SQLITE_IOERR }

    private static func code(of status: Int32) -> Code {
        if status == thumb_sqlite_ioerr_nomem { return .outOfMemory }
        return switch status & 0xff {
        case SQLITE_FULL: .full
        case SQLITE_IOERR: .inputOutput
        case SQLITE_CANTOPEN: .cannotOpen
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: .inUse
        case SQLITE_CORRUPT: .damaged
        case SQLITE_NOTADB: .notDatabase
        case SQLITE_NOMEM: .outOfMemory
        case SQLITE_TOOBIG: .tooLarge
        case SQLITE_CONSTRAINT: .constraint
        case SQLITE_ERROR, SQLITE_MISUSE, SQLITE_SCHEMA, SQLITE_MISMATCH: .refused
        default: .other
        }
    }
}
