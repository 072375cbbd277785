import ThumbSecrets
import ThumbSignIn

/// Folds the log's pages into the tables while batches go on, on a connection and a thread of its own.
///
/// A checkpoint takes as long as dozens of commits, and SQLite would do it in the middle of one. But SQLite starts its log over only when
/// all of it is in the tables, and that never happens while batches are being written. So the long part is done here. The few pages that
/// came meanwhile are folded in by the batches' own thread, at the end of a batch.
final class SQLiteCheckpoints: @unchecked Sendable {
    // @unchecked: whatever changes is touched under the condition's lock; `connection` only by the thread.

    /// From this many pages in the log on, a checkpoint is worth it: a page that was written often is folded in only once.
    static let pages = 16_000

    private enum Phase { case idle, wanted, running, done }

    private let connection: LedgerConnection
    private let pages: Int
    private let complain: @Sendable (LedgerFailure) -> Void
    private let condition = Condition()
    private var phase = Phase.idle
    /// The log's length after the last batch, the length at which something has to be done, and the length when the thread last began.
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

    /// Called after each batch, by its thread. Returns true if the rest has to be folded in now, before the next batch.
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
                // If many pages came meanwhile, the thread runs once more, unless the disk is too slow for that to help.
                guard count - covered > pages / 32, count < 4 * pages else {
                    // If the log isn't started over now, another process is in the way. Don't try this again at each batch.
                    next = count + pages
                    return true
                }
            }
            phase = .wanted
            condition.signal()
            return false
        }
    }

    /// Ends the thread once it has finished its present work.
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
                // After this the batches' thread has only the rest to wait for.
                try connection.syncTables()
                condition.withLock { _ in phase = .done }
            } catch {
                // Nothing is lost: the changes are in the log, which grows until a checkpoint succeeds.
                complain(error)
                condition.withLock { _ in (phase, next) = (.idle, length + pages) }
            }
        }
    }
}
