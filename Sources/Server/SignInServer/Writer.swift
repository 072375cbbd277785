import ThumbSecrets
import ThumbSignIn

/// The only thread that speaks with the ledger. Whatever waits while a transaction is being written goes into the next one, so that many
/// requests share one commit.
final class Writer: @unchecked Sendable {
    // @unchecked: whatever changes is touched under the condition's lock, except the thread, which is set while this is being made.
    typealias Heard = @Sendable (Result<DeedOutcome, LedgerFailure>) -> Void

    private let ledger: any Ledger
    private let now: @Sendable () -> Moment
    /// How many deeds may share a commit.
    private let most: Int
    private let tally: WriterTally
    private let complain: @Sendable (LedgerFailure) -> Void
    private let condition = Condition()
    private var waiting: [(deed: Deed, heard: Heard)] = []
    private var isEnding = false
    private var hasMore = false
    /// How many deeds there were since the last one that forgot. Only the thread uses this.
    private var unforgotten = 0
    private var thread: NamedThread?

    init(
        _ ledger: any Ledger, now: @escaping @Sendable () -> Moment, batch: Int = SignInLimit.batch, tally: WriterTally,
        complain: @escaping @Sendable (LedgerFailure) -> Void
    ) {
        self.ledger = ledger
        self.now = now
        most = min(max(1, batch), SignInLimit.batch)
        self.tally = tally
        self.complain = complain
        thread = NamedThread("ledger") { [self] in run() }
    }

    /// `heard` is called on the writer's thread, when the deed is on disk or refused.
    func settle(_ deed: Deed, _ heard: @escaping Heard) {
        let isFirst = condition.withLock { _ in
            waiting.append((deed, heard))
            if case .forget = deed {} else { hasMore = true }
            return waiting.count == 1
        }
        if isFirst { condition.signal() }
    }

    /// Whether there was anything to do since the last call. Forgetting doesn't count.
    func hasSettledMore() -> Bool {
        condition.withLock { _ in
            defer { hasMore = false }
            return hasMore
        }
    }

    /// Finishes the waiting work, and ends.
    func end() {
        condition.withLock { _ in isEnding = true }
        condition.signal()
        thread?.join()
    }

    private func run() {
        var next: UInt64 = 0
        while true {
            condition.withLock { held in
                while waiting.isEmpty && !isEnding { held.wait() }
            }
            Uptime.wait(until: next)
            let batch: [(deed: Deed, heard: Heard)] = condition.withLock { _ in
                guard waiting.count > most else {
                    defer { waiting = [] }
                    return waiting
                }
                defer { waiting.removeFirst(most) }
                return Array(waiting.prefix(most))
            }
            if batch.isEmpty { return }
            // A commit costs as much processor time as two verifications. A single request doesn't have to wait.
            next = batch.count > 1 ? Uptime.nanoseconds() + Limits.pace : 0
            write(batch)
        }
    }

    /// Under load what is over is forgotten a little at a time, as fast as it comes. Forgetting a second's worth at once would hold
    /// everybody up.
    private func forgetting(_ count: Int) -> [Deed] {
        unforgotten += count
        guard unforgotten >= Limits.forgetEvery else { return [] }
        unforgotten = 0
        return [.forget(before: now() + -SignInLimit.secondsRemembered)]
    }

    private func write(_ batch: [(deed: Deed, heard: Heard)]) {
        let start = Uptime.nanoseconds()
        let results: [Result<DeedOutcome, LedgerFailure>]
        do throws(LedgerFailure) {
            let deeds = batch.map(\.deed) + forgetting(batch.count)
            let outcomes = try ledger.settle(deeds, at: now())
            guard outcomes.count == deeds.count else { throw .unusable("a ledger's batch has other outcomes than deeds") }
            results = outcomes.map { .success($0) }
        } catch {
            complain(error)
            results = batch.map { _ in .failure(error) }
        }
        tally.note(batch: batch.count, nanoseconds: Uptime.nanoseconds() - start)
        for (one, result) in zip(batch, results) { one.heard(result) }
    }
}
