import Foundation
import Testing
import ThumbSecrets
import ThumbSignIn
import thumbturn_test_postgres
import thumbturn_test_programs

@testable import ThumbLedgers

/// Two servers on one PostgreSQL, of which one is in the midst of a transaction: what a race shows now and then, it shows each time.
@Suite("Rows that another server is writing") struct HeldRowTests {
    private let cluster: Cluster
    private let database: Database

    init() throws {
        cluster = try Cluster.shared.get()
        database = try Database(.postgres)
    }

    /// Settles a deed beside a transaction that has changed something and that commits when the deed waits for it, or is done without.
    /// Whether it has waited, and what came of it.
    private func settled(_ deed: Deed, beside change: String) async throws -> (Bool, DeedOutcome?) {
        try await onThread { [cluster, database] () throws -> (Bool, DeedOutcome?) in
            let (ledger, other) = (try database.open(), try PostgresConnection(url: database.place))
            _ = try other.pipeline([PostgresQuery("BEGIN"), PostgresQuery("UPDATE \(PostgresOpening.schema).\(change)")])
            let (settled, done) = (Locked<Result<DeedOutcome, any Error>?>(nil), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                let result: Result<DeedOutcome, any Error> = Result { try ledger.settle(deed) }
                settled.withLock { $0 = result }
                done.signal()
            }
            let waiting =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            var hasWaited = false
            while !hasWaited, settled.withLock({ $0 == nil }) {
                hasWaited = try cluster.query(waiting, in: database.place) != "0"
            }
            _ = try other.pipeline([PostgresQuery("COMMIT")])
            done.wait()
            return (hasWaited, try settled.withLock { $0 }?.get())
        }
    }

    /// Deeds on an account of which another server changes the password and the misses: each with its outcome, and the misses and the
    /// time that are left.
    private static let ofAccounts: [(Deed, DeedOutcome, Int, Moment)] = {
        let next = NewSession(token: token(3), expires: later)
        let act = AccountAct(.endOtherSessions(next), of: anna, session: token(1), proof: .password(password))
        let never = Moment(seconds: 0)
        return [
            (.setLocked(anna, true), .done, 7, never), (.noteMiss(anna, until: start), .done, 8, start),
            (.beginPasswordSession(anna, password, session(2)), .refused(.credentials), 7, never),
            (.act(act), .refused(.credentials), 7, never),
        ]
    }()

    @Test("What the other one writes to an account is neither taken back nor overlooked", arguments: ofAccounts)
    func accounts(_ deed: Deed, _ outcome: DeedOutcome, _ misses: Int, _ until: Moment) async throws {
        let ledger = try database.open()
        _ = try ledger.settle([.makeAccount(anna, password), .beginPasswordSession(anna, password, session(1))], at: start)
        let (hasWaited, found) = try await settled(deed, beside: "accounts SET hash = '\\x07'::bytea, misses = 7")
        #expect(hasWaited && found == outcome)
        var changed = password
        changed.hash = [7]
        #expect(try ledger.settle(.readPassword(anna)) == .password(changed, misses: misses, until: until))
    }

    private static let revoked: DeviceRecord = {
        var laptop = record(1, named: "laptop")
        laptop.revoked = start
        return laptop
    }()

    @Test(
        "A device that the other one revokes stays revoked, whether it is renamed or signs in",
        arguments: [
            (.rename(anna, device(1), to: "laptop"), .device(revoked)), (signIn(1, 1, 2), .refused(.deviceRevoked)),
        ] as [(Deed, DeedOutcome)])
    func devices(_ deed: Deed, _ outcome: DeedOutcome) async throws {
        let ledger = try database.open()
        _ = try ledger.settle([.makeAccount(anna, password)] + enrol(1) + [give(1)], at: start)
        let (hasWaited, found) = try await settled(deed, beside: "devices SET revoked = \(start.seconds)")
        #expect(hasWaited && found == outcome)
        guard case .device(let left) = try ledger.settle(.readDevice(anna, device(1))) else {
            Issue.record("no device")
            return
        }
        #expect(left.revoked == start)
    }

    private static let endOthers = AccountAct(
        .endOtherSessions(NewSession(token: token(3), expires: later)), of: anna, session: token(1), proof: .password(password))

    @Test(
        "A session that the other one ends registers no device, does nothing to its account and isn't renewed",
        arguments: [
            (.register(anna, record(1), challenge: challenge(1), session: token(1)), .refused(.session)),
            (.act(endOthers), .refused(.session)), (.renewSession(token(1), to: token(3), expires: later), .none),
        ] as [(Deed, DeedOutcome)])
    func sessions(_ deed: Deed, _ outcome: DeedOutcome) async throws {
        let ledger = try database.open()
        let before: [Deed] = [
            .makeAccount(anna, password), .beginPasswordSession(anna, password, session(1)), give(1, for: .register),
        ]
        _ = try ledger.settle(before, at: start)
        let (hasWaited, found) = try await settled(deed, beside: "sessions SET expires = \(start.seconds)")
        #expect(hasWaited && found == outcome)
        let after: [Deed] = [.readSession(token(1)), .readSession(token(3)), .readDevice(anna, device(1))]
        #expect(try ledger.settle(after, at: start) == [.none, .none, .none])
    }

    @Test("What is over and in somebody's use is left for the next time: nobody waits for it")
    func forgetting() throws {
        let ledger = try database.open()
        _ = try ledger.settle([.makeAccount(anna, password)] + enrol(1) + [give(1), give(2)], at: start)
        let other = try PostgresConnection(url: database.place)
        let held = "SELECT digest FROM \(PostgresOpening.schema).challenges WHERE digest = ANY($1::bytea[]) FOR UPDATE"
        _ = try other.pipeline([PostgresQuery("BEGIN"), PostgresQuery(held, .bytes([challenge(1).bytes]))])
        // Whoever waits is ended by the database after a while.
        #expect(try ledger.settle(.forget(before: later)) == .done)
        _ = try other.pipeline([PostgresQuery("COMMIT")])
        #expect(try ledger.settle([signIn(1, 1, 1), signIn(1, 2, 2)], at: start) == [.done, .refused(.challengeUnknown)])
        _ = try ledger.settle([give(3)], at: start)
        #expect(try ledger.settle(.forget(before: later)) == .done)
        #expect(try ledger.settle(signIn(1, 3, 3)) == .refused(.challengeUnknown))
    }
}

@Suite("PostgreSQL's refusals") struct PostgresCodeTests {
    @Test(
        "What may pass by itself is unavailable, what never does is unusable, and an order that was lost is tried again",
        arguments: [
            ("53100", "unavailable"), ("53300", "unavailable"), ("57P01", "unavailable"), ("57014", "unavailable"),
            ("58030", "unavailable"), ("08006", "unavailable"), ("55P03", "unavailable"), ("25006", "unavailable"),
            ("42P01", "unusable"), ("42501", "unusable"), ("22012", "unusable"), ("XX001", "unusable"), ("", "unusable"),
            ("40001", "again"), ("40P01", "again"), ("23505", "again"),
        ])
    func codes(_ code: String, _ expected: String) {
        let kind =
            switch PostgresTransaction.failure(code) {
            case .unavailable?: "unavailable"
            case .uncertain?: "uncertain"
            case .unusable?: "unusable"
            case nil: "again"
            }
        #expect(kind == expected)
    }
}
