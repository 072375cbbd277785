import ThumbSecrets
import ThumbSignIn

/// Brings the log's pages into the tables beside the batches, by a connection and a thread of its own.
///
/// A checkpoint takes as long as dozens of commits, and SQLite would make it in the middle of one. But it begins its log anew only when
/// all of it stands in the tables, and that never comes about while batches are written beside it. So the long part is done here, and
/// what came meanwhile is brought in by the batches' own thread at the end of one: few pages.
final class SQLiteCheckpoints: @unchecked Sendable {
    // @unchecked: what varies is touched while holding the condition's lock; `connection` by the thread alone.

    /// Pages in the log from which on it is worth it: one that was written often is brought in once.
    static let pages = 16_000

    private enum Phase { case idle, wanted, running, done }

    private let connection: LedgerConnection
    private let pages: Int
    private let complain: @Sendable (LedgerFailure) -> Void
    private let condition = Condition()
    private var phase = Phase.idle
    /// The log's length as of the last batch, from which on something is to be done, and as the thread last began.
    private var (length, next, covered) = (0, 0, 0)
    private var isEnding = false
    private var thread: NamedThread?

    init(
        _ connection: LedgerConnection, pages: Int, complain: @escaping @Sendable (LedgerFailure) -> Void
    ) throws(LedgerFailure) {
        try connection.run("PRAGMA synchronous=FULL")
        // A quarter of a megabyte at a time.
        try connection.writeGently(pages: Int32(max(1, min(pages, Self.pages) / 250)))
        self.connection = connection
        self.pages = pages
        self.complain = complain
        next = pages
        thread = NamedThread("checkpoints") { [self] in run() }
    }

    /// After each batch, by its thread; true if the rest is to be brought in now, before the next.
    func isRestDue(logPages count: Int) -> Bool {
        condition.withLock { _ in
            if count < length { next = pages }
            length = count
            guard count >= next else { return false }
            switch phase {
            case .wanted, .running: return false
            case .idle: break
            case .done:
                phase = .idle
                // While that is much, the thread goes once more, unless the disk is too slow for that to help.
                guard count - covered > pages / 32, count < 4 * pages else {
                    // If it doesn't begin anew now, another process is in the way; then not at each batch.
                    next = count + pages
                    return true
                }
            }
            phase = .wanted
            condition.signal()
            return false
        }
    }

    /// Ends the thread when it has done what it is at.
    func end() {
        condition.withLock { _ in isEnding = true }
        condition.signal()
        thread?.join()
    }

    private func run() {
        while true {
            let isWanted = condition.withLock { held in
                while phase != .wanted && !isEnding { held.wait() }
                if isEnding { return false }
                (phase, covered) = (.running, length)
                return true
            }
            if !isWanted { return }
            do throws(LedgerFailure) {
                try connection.checkpoint()
                // So that the batches' thread has only the rest to wait for.
                try connection.syncTables()
                condition.withLock { _ in phase = .done }
            } catch {
                // Nothing is lost: it stands in the log, which grows until a checkpoint succeeds.
                complain(error)
                condition.withLock { _ in (phase, next) = (.idle, length + pages) }
            }
        }
    }
}
