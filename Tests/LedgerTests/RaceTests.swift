import Foundation
import Testing
import ThumbSecrets
import ThumbSignIn
import thumbturn_test_daemon
import thumbturn_test_programs

@testable import ThumbLedgers

/// Two servers on one database at the same moment.
@Suite struct RaceTests {
    /// Settles each batch of `left` on one ledger and of `right` on another, all at the same time in pairs; the outcomes, pair by pair.
    private func race(
        _ database: Database, _ rounds: Int, _ left: @escaping @Sendable (Int) -> [Deed],
        _ right: @escaping @Sendable (Int) -> [Deed]
    ) async throws -> [(left: [DeedOutcome], right: [DeedOutcome])] {
        let start = Barrier(2)
        func server(_ deeds: @escaping @Sendable (Int) -> [Deed]) async throws -> [[DeedOutcome]] {
            let ledger = try database.open()
            return try await onThread {
                defer { start.leave() }
                return try (0..<rounds).map { round in
                    start.wait()
                    return try ledger.settle(deeds(round), at: LedgerTests.start)
                }
            }
        }
        async let one = server(left)
        async let other = server(right)
        let (lefts, rights) = try await (one, other)
        return zip(lefts, rights).map { (left: $0, right: $1) }
    }

    private func founded(_ kind: Kind, _ deeds: [Deed]) throws -> (Database, any Ledger) {
        let database = try Database(kind)
        let ledger = try database.open()
        let all = [.makeAccount(anna, password), .makeAccount(otto, password)] + deeds
        for first in stride(from: 0, to: all.count, by: 256) {
            let outcomes = try ledger.settle(Array(all[first..<min(first + 256, all.count)]), at: start)
            #expect(outcomes.allSatisfy { $0 == .done })
        }
        return (database, ledger)
    }

    @Test("a challenge that two servers use at once is used once, a thousand times", arguments: Kind.allCases)
    func challenges(_ kind: Kind) async throws {
        let (rounds, database) = (1_000, try founded(kind, enrol(1) + (0..<1_000).map { give($0) }))
        let outcomes = try await race(
            database.0, rounds, { [signIn(1, $0, $0)] }, { [signIn(1, $0, 10_000 + $0)] })
        #expect(outcomes.count == rounds)
        for (round, outcome) in outcomes.enumerated() {
            let both = [outcome.left[0], outcome.right[0]]
            #expect(Set(both) == [.done, .refused(.challengeUsed)], "round \(round)")
            // Only the one that was done has begun a session.
            let sessions = try database.1.settle([.readSession(token(round)), .readSession(token(10_000 + round))], at: start)
            #expect(sessions.map { $0 != .none } == both.map { $0 == .done }, "round \(round)")
        }
    }

    @Test("batches that name the same rows in opposite orders both end, each challenge used once", arguments: Kind.allCases)
    func orders(_ kind: Kind) async throws {
        let (rounds, many) = (60, 32)
        let devices = (0..<many).flatMap { enrol($0) }
        let marks = (0..<rounds * many).map { give($0) }
        let (database, _) = try founded(kind, devices + marks)
        let outcomes = try await race(
            database, rounds, { round in (0..<many).map { signIn($0, round * many + $0, round * many + $0) } },
            { round in (0..<many).reversed().map { signIn($0, round * many + $0, 100_000 + round * many + $0) } })
        for (round, outcome) in outcomes.enumerated() {
            for (one, other) in zip(outcome.left, outcome.right.reversed()) {
                #expect(Set([one, other]) == [.done, .refused(.challengeUsed)], "round \(round)")
            }
        }
    }

    @Test("a name that two servers make an account of, and a key that two accounts register, is one's", arguments: Kind.allCases)
    func insertions(_ kind: Kind) async throws {
        let rounds = 100
        let marks = (0..<rounds).flatMap { [give($0, for: .register), give(1_000 + $0, to: otto, for: .register)] }
        let (database, _) = try founded(kind, marks)
        // A batch of other words each, so that the one that comes second has something to lose.
        @Sendable func deeds(_ account: AccountName, _ mark: Int, _ round: Int, _ place: Int) -> [Deed] {
            [
                give(50_000 + 2 * round + place, to: account), .makeAccount(AccountName("new-\(round)")!, password),
                .register(account, record(round), challenge: challenge(mark + round), session: nil),
                // Room for the next.
                .revoke(account, device(round)),
            ]
        }
        let outcomes = try await race(database, rounds, { deeds(anna, 0, $0, 0) }, { deeds(otto, 1_000, $0, 1) })
        for (round, outcome) in outcomes.enumerated() {
            let pairs = Array(zip(outcome.left, outcome.right))
            #expect(pairs[0] == (.done, .done), "round \(round)")
            #expect(Set([pairs[1].0, pairs[1].1]) == [.done, .refused(.accountExists)], "round \(round)")
            #expect(Set([pairs[2].0, pairs[2].1]) == [.done, .refused(.deviceTaken)], "round \(round)")
            #expect(Set([pairs[3].0, pairs[3].1]) == [.done, .none], "round \(round)")
        }
    }

    @Test("two servers that register at once don't go beyond 32 devices", arguments: Kind.allCases)
    func limit(_ kind: Kind) async throws {
        let rounds = 40
        let marks = (0..<2 * rounds).map { give($0, for: .register) }
        let (database, ledger) = try founded(kind, (1...31).flatMap { enrol($0) } + marks)
        let outcomes = try await race(
            database, rounds,
            {
                [
                    .revoke(anna, device(1_000 + 2 * $0 - 2)),
                    .register(anna, record(1_000 + 2 * $0), challenge: challenge(2 * $0), session: nil),
                ]
            },
            {
                [
                    .revoke(anna, device(999 + 2 * $0)),
                    .register(anna, record(1_001 + 2 * $0), challenge: challenge(2 * $0 + 1), session: nil),
                ]
            })
        #expect(outcomes.flatMap { [$0.left[1], $0.right[1]] }.contains(.refused(.tooManyDevices)))
        guard case .devices(let devices) = try ledger.settle(.readDevices(anna)) else {
            Issue.record("no devices")
            return
        }
        // At no moment were there more: in the order of registering, with each revocation at its place, nobody can tell; at the end one can.
        #expect(devices.count { $0.revoked == nil } == 32)
    }

    @Test("no session of a device outlives its revocation, whatever another server does just then", arguments: Kind.allCases)
    func revocations(_ kind: Kind) async throws {
        let (rounds, lives) = (100, 3)
        // Each round has a device, with a session to renew and a challenge to sign in with.
        var deeds: [Deed] = []
        for round in 0..<rounds {
            let account = AccountName("owner-\(round)")!
            deeds += [.makeAccount(account, password)] + enrol(round, for: account)
            deeds += [give(lives * round, to: account), give(lives * round + 1, to: account)]
            deeds += [signIn(round, lives * round, lives * round, as: account)]
        }
        let (database, ledger) = try founded(kind, deeds)
        let outcomes = try await race(
            database, rounds, { [.revoke(AccountName("owner-\($0)")!, device($0))] },
            { round in
                [
                    .renewSession(token(lives * round), to: token(lives * round + 1), expires: later),
                    signIn(round, lives * round + 1, lives * round + 2, as: AccountName("owner-\(round)")!),
                ]
            })
        #expect(outcomes.allSatisfy { $0.left == [.done] })
        for round in 0..<rounds {
            let sessions = try ledger.settle((0..<lives).map { .readSession(token(lives * round + $0)) }, at: start)
            #expect(sessions == [.none, .none, .none], "round \(round)")
        }
    }

    @Test("a device that one server revokes while another renames it stays revoked", arguments: Kind.allCases)
    func renames(_ kind: Kind) async throws {
        let rounds = 200
        var deeds: [Deed] = []
        for round in 0..<rounds {
            let account = AccountName("owner-\(round)")!
            deeds += [.makeAccount(account, password)] + enrol(round, for: account)
        }
        let (database, ledger) = try founded(kind, deeds)
        let outcomes = try await race(
            database, rounds, { [.revoke(AccountName("owner-\($0)")!, device($0))] },
            { [.rename(AccountName("owner-\($0)")!, device($0), to: "laptop")] })
        #expect(outcomes.allSatisfy { $0.left == [.done] && $0.right != [.none] })
        for round in 0..<rounds {
            var expected = record(round, named: "laptop")
            expected.revoked = start
            let found = try ledger.settle(.readDevice(AccountName("owner-\(round)")!, device(round)))
            #expect(found == .device(expected), "round \(round)")
        }
    }

    @Test("a password that one server changes is gone, whoever signs in with it at another just then", arguments: Kind.allCases)
    func passwords(_ kind: Kind) async throws {
        let rounds = 200
        let other = StretchedPassword(salt: [1], passes: 3, kibibytes: 65_536, hash: [UInt8](repeating: 7, count: 32))
        // Each round has an account with a session that asks. A sign-in has misses to clear, so that it writes to the account.
        var deeds: [Deed] = []
        for round in 0..<rounds {
            let account = AccountName("owner-\(round)")!
            deeds += [.makeAccount(account, password), .beginPasswordSession(account, password, session(round))]
            deeds += [.noteMiss(account, until: start)]
        }
        let (database, ledger) = try founded(kind, deeds)
        let outcomes = try await race(
            database, rounds,
            { round in
                let next = NewSession(token: token(10_000 + round), expires: later)
                return [
                    .act(
                        AccountAct(
                            .password(other, .end, next), of: AccountName("owner-\(round)")!, session: token(round),
                            proof: .password(password)))
                ]
            },
            { [.beginPasswordSession(AccountName("owner-\($0)")!, password, session(20_000 + $0))] })
        for (round, outcome) in outcomes.enumerated() {
            #expect(outcome.right == [.done] || outcome.right == [.refused(.credentials)], "round \(round)")
            let found = try ledger.settle(
                [
                    .readPassword(AccountName("owner-\(round)")!), .readSession(token(10_000 + round)),
                    .readSession(token(20_000 + round)),
                ], at: start)
            #expect(found[0] == .password(other, misses: 0, until: Moment(seconds: 0)), "round \(round)")
            #expect(found[1] == outcome.left[0] && found[1] != .none && found[2] == .none, "round \(round)")
        }
    }

    @Test("a session that two servers renew at once has one new token", arguments: Kind.allCases)
    func renewals(_ kind: Kind) async throws {
        let rounds = 100
        let (database, ledger) = try founded(kind, (0..<rounds).map { .beginPasswordSession(anna, password, session($0)) })
        let outcomes = try await race(
            database, rounds, { [.renewSession(token($0), to: token(1_000 + $0), expires: later)] },
            { [.renewSession(token($0), to: token(2_000 + $0), expires: later)] })
        for (round, outcome) in outcomes.enumerated() {
            let done = [outcome.left[0], outcome.right[0]].map { $0 != .none }
            #expect(done.count { $0 } == 1, "round \(round)")
            let sessions = try ledger.settle(
                [token(round), token(1_000 + round), token(2_000 + round)].map { .readSession($0) }, at: start)
            #expect(sessions.map { $0 != .none } == [false] + done, "round \(round)")
        }
    }

    @Test("misses that two servers note at once are all counted", arguments: Kind.allCases)
    func misses(_ kind: Kind) async throws {
        let rounds = 100
        let (database, ledger) = try founded(kind, [])
        let miss = { @Sendable (_: Int) -> [Deed] in [.noteMiss(anna, until: start)] }
        let outcomes = try await race(database, rounds, miss, miss)
        #expect(outcomes.allSatisfy { $0.left == [.done] && $0.right == [.done] })
        #expect(try ledger.settle(.readPassword(anna)) == .password(password, misses: 2 * rounds, until: start))
    }

    @Test("servers that forget at once, while others give challenges, all go on", arguments: Kind.allCases)
    func forgetting(_ kind: Kind) async throws {
        let rounds = 30
        let (database, ledger) = try founded(kind, (0..<2_000).map { give($0, until: start + Int64($0 / 100)) })
        let deeds = { @Sendable (side: Int) in
            { @Sendable (round: Int) -> [Deed] in
                [.forget(before: start + Int64(round)), give(10_000 + 2 * round + side, until: later)]
            }
        }
        let outcomes = try await race(database, rounds, deeds(0), deeds(1))
        #expect(outcomes.allSatisfy { $0.left == [.done, .done] && $0.right == [.done, .done] })
        _ = try ledger.settle(enrol(1), at: start)
        // Both servers have passed over rows that the other held; the next forgetting gets them.
        _ = try ledger.settle(.forget(before: later))
        #expect(try ledger.settle(signIn(1, 1_999, 1)) == .refused(.challengeUnknown))
        #expect(try ledger.settle(signIn(1, 10_059, 1)) == .done)
    }
}

/// Lets threads go on when all of them have come; who leaves is waited for no more.
private final class Barrier: Sendable {
    private struct State {
        var members: Int
        var waiting = 0
        var round = 0
    }

    private let condition = NSCondition()
    private let state: Locked<State>

    init(_ members: Int) { state = Locked(State(members: members)) }

    func wait() {
        condition.lock()
        defer { condition.unlock() }
        let round = state.withLock { state in
            state.waiting += 1
            return state.round
        }
        open()
        while state.withLock({ $0.round }) == round { condition.wait() }
    }

    func leave() {
        condition.lock()
        defer { condition.unlock() }
        state.withLock { $0.members -= 1 }
        open()
    }

    private func open() {
        let isFull = state.withLock { state in
            guard state.waiting >= state.members else { return false }
            (state.waiting, state.round) = (0, state.round + 1)
            return true
        }
        if isFull { condition.broadcast() }
    }
}
