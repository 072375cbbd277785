import ThumbLogging
import ThumbSecrets
import ThumbSignIn

/// What all threads of one server share.
final class Serving: Sendable {
    let flows: Flows
    let metrics: Metrics
    let writer: Writer
    let stretchers = Stretchers()
    let turns = Turns()
    let rate: Rate
    let isBehindProxy: Bool
    let patience: UInt64
    let log: ServerLog

    init(_ settings: ServerSettings, origin: Origin, ledger: any Ledger, now: @escaping @Sendable () -> Moment) {
        let log = settings.log
        self.log = log
        metrics = Metrics(connections: Connections(isEachClientsLimited: !settings.isBehindProxy), log: log)
        flows = Flows(
            origin: origin, isSignUpOpen: settings.isSignUpOpen,
            cost: Passwords.Cost(passes: settings.passwordPasses, kibibytes: settings.passwordMemory),
            passwords: settings.passwords, metrics: metrics, now: now)
        let complaints = Complaints()
        writer = Writer(ledger, now: now, batch: settings.batch, tally: metrics.writer) { failure in
            complaints.tell(failure, log, at: now())
        }
        rate = Rate(perSecond: settings.clientRate)
        isBehindProxy = settings.isBehindProxy
        patience = settings.patience
    }

    /// Finishes the waiting work, and ends the other threads. HTTP's threads have ended already.
    func end() {
        stretchers.end()
        writer.end()
    }
}

/// Logs failures of the database, at most one line a second, because while the database is gone each batch fails.
private final class Complaints: Sendable {
    private let last = Locked(Int64.min)

    func tell(_ failure: LedgerFailure, _ log: ServerLog, at moment: Moment) {
        let isFirst = last.withLock { last in
            defer { last = moment.seconds }
            return last != moment.seconds
        }
        if isFirst { log.tell(.error, "the database: \(failure.words)", at: moment) }
    }
}
