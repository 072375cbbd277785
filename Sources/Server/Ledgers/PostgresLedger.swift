import ThumbSecrets
public import ThumbSignIn

/// The ledger in PostgreSQL, which any number of servers can share (docs/contributors/ledgers.md).
public final class PostgresLedger: Ledger {
    /// How often a batch is tried again because another server's came first.
    static let mostAttempts = 5

    private let url: String
    private let migrations: [Migration]
    /// Nil after the connection was lost, until the next batch.
    private let connection: Locked<PostgresConnection?>

    /// Connects, and brings the tables to this version. `url` is a `postgresql://` URL that libpq reads.
    ///
    /// Fails with `unavailable` if the database doesn't answer, and with `unusable` if it is of a later version.
    public convenience init(url: String) throws(LedgerFailure) { try self.init(url: url, migrations: Migration.all) }

    /// The same, up to another version.
    init(url: String, migrations: [Migration]) throws(LedgerFailure) {
        (self.url, self.migrations) = (url, migrations)
        connection = Locked(try PostgresOpening.connection(url, migrations))
    }

    public func settle(_ deeds: [Deed], at now: Moment) throws(LedgerFailure) -> [DeedOutcome] {
        let footprint = Footprint(deeds)
        return try connection.withLock { (connection) throws(LedgerFailure) in
            for _ in 0..<Self.mostAttempts {
                let open = if let connection { connection } else { try PostgresOpening.connection(url, migrations) }
                connection = open
                do throws(PostgresTransaction.Setback) {
                    return try PostgresTransaction(connection: open).settle(deeds, footprint, now)
                } catch {
                    if error.isConnectionGone { connection = nil }
                    if let failure = error.failure { throw failure }
                }
            }
            throw .unavailable("PostgreSQL: other servers came first \(Self.mostAttempts) times")
        }
    }
}

/// One attempt at a batch.
struct PostgresTransaction {
    let connection: PostgresConnection

    /// Why a batch wasn't done, or may not have been done.
    struct Setback: Error {
        /// Nil if the batch may be tried again.
        let failure: LedgerFailure?
        var isConnectionGone = false
    }

    func settle(_ deeds: [Deed], _ footprint: Footprint, _ now: Moment) throws(Setback) -> [DeedOutcome] {
        let readings = PostgresTables.readings(footprint, at: now)
        let questions = [PostgresQuery("BEGIN")] + readings.map(\.query)
        var rows = Rows()
        if !footprint.changes {
            try take(run(questions + [PostgresQuery("COMMIT")], changes: false), readings, &rows)
        } else if !footprint.readsNothing {
            try take(run(questions, changes: false), readings, &rows)
        }
        var settlement = Settlement(now: now, rows: rows)
        let outcomes = deeds.map { settlement.settle($0) }
        guard footprint.changes else { return outcomes }
        let writings = PostgresTables.writings(settlement.rows, at: now)
        let begin = footprint.readsNothing ? questions : []
        if begin.isEmpty || !writings.isEmpty {
            _ = try run(begin + writings + [PostgresQuery("COMMIT")], changes: !writings.isEmpty)
        }
        return outcomes
    }

    private func take(
        _ answers: [PostgresResult], _ readings: [PostgresTables.Reading], _ rows: inout Rows
    ) throws(Setback) {
        do throws(LedgerFailure) {
            // The first answer is BEGIN's.
            for (reading, answer) in zip(readings, answers.dropFirst()) { try reading.take(answer, &rows) }
        } catch {
            // If there is a transaction, it ends with the connection.
            throw Setback(failure: error, isConnectionGone: true)
        }
    }

    /// Runs a pipeline. With `changes` its last statement is the COMMIT of some changes.
    private func run(_ queries: [PostgresQuery], changes: Bool) throws(Setback) -> [PostgresResult] {
        do throws(PostgresSetback) {
            return try connection.pipeline(queries)
        } catch {
            switch error {
            case .lost(let words, let statement):
                // Only what failed before the COMMIT is known not to be committed.
                let isUncertain = changes && (statement.map { $0 == queries.count - 1 } ?? true)
                let words = "PostgreSQL: \(words)" + (isUncertain ? " while a batch was being committed" : "")
                throw Setback(failure: isUncertain ? .uncertain(words) : .unavailable(words), isConnectionGone: true)
            case .refused(let code, _):
                let isRolledBack = (try? connection.pipeline([PostgresQuery("ROLLBACK")])) != nil
                throw Setback(failure: Self.failure(code), isConnectionGone: !isRolledBack)
            }
        }
    }

    /// The port's failure for PostgreSQL's code; nil if another attempt may succeed. PostgreSQL's message is left out, because it may quote
    /// a value.
    static func failure(_ code: String) -> LedgerFailure? {
        switch code {
        case "23505", "40001", "40P01": nil
        case "22012": .unusable("PostgreSQL: a challenge changed under a transaction that had locked it")
        default:
            switch code.prefix(2) {
            // Resources, the operator, the system, a wait that took too long, or a read-only server.
            case "08", "53", "57", "58", "55", "25": .unavailable("PostgreSQL: a statement was refused (\(code))")
            default: .unusable("PostgreSQL: a statement was refused (\(code))")
            }
        }
    }
}
