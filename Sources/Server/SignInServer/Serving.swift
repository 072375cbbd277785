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

    init(_ settings: ServerSettings, origin: Origin, ledger: any Ledger, now: @escaping @Sendable () -> Moment) {
        metrics = Metrics(connections: Connections(isEachClientsLimited: !settings.isBehindProxy))
        flows = Flows(
            origin: origin, isSignUpOpen: settings.isSignUpOpen,
            cost: Passwords.Cost(passes: settings.passwordPasses, kibibytes: settings.passwordMemory), metrics: metrics, now: now)
        let complaints = Complaints()
        writer = Writer(ledger, now: now, batch: settings.batch, tally: metrics.writer) { failure in
            complaints.tell(failure, at: now())
        }
        rate = Rate(perSecond: settings.clientRate)
        isBehindProxy = settings.isBehindProxy
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

    func tell(_ failure: LedgerFailure, at moment: Moment) {
        let isFirst = last.withLock { last in
            defer { last = moment.seconds }
            return last != moment.seconds
        }
        if isFirst { LogFile.line("the database: \(failure.words)", at: moment) }
    }
}
