import CThumbLinux
import ThumbSignIn
import ThumbSystem

/// The lock beside a ledger's file: the server has it that serves from the file, and a command has it while it migrates the tables.
///
/// SQLite lets any number of processes work on one file, and beside a server that is right: an operator's command is one transaction like
/// any other. Two servers on one file are wrong. Each has by itself what it counts in memory: a client's rate, the turns at an account's
/// password, the wrong passwords for names that nobody has. And if they are of different versions, one changes the tables under the other.
///
/// It is a file of its own, because closing any descriptor of the database would release SQLite's locks on it.
final class ServerLock: Sendable {
    private let file: Descriptor

    /// Nil if another process has it. It is let go at the end of this object, or of the process.
    init?(of database: String) throws(LedgerFailure) {
        do throws(SystemError) {
            let file = try Descriptor(opening: Self.path(of: database), O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            Self.giveToOwner(of: database, file.number)
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
                if thumb_errno() == EWOULDBLOCK { return nil }
                throw .last
            }
            self.file = file
        } catch {
            throw .unavailable("making the lock: \(unsafe String(cString: strerror(error.number))) (\(error.number))")
        }
    }

    /// Beside the file itself, wherever a link to it is.
    private static func path(of database: String) -> String {
        guard let real = unsafe realpath(database, nil) else { return database + "-lock" }
        defer { unsafe free(real) }
        return unsafe String(cString: real) + "-lock"
    }

    /// What root makes for a database of another user's is that user's, or its server couldn't open it.
    private static func giveToOwner(of database: String, _ file: Int32) {
        var status = stat()
        guard geteuid() == 0, unsafe stat(database, &status) == 0 else { return }
        _ = fchown(file, status.st_uid, status.st_gid)
    }
}
