import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets
import ThumbSignIn
import thumbturn_test_daemon
import thumbturn_test_programs

@testable import ThumbLedgers

/// The server is killed at random points while several owners use it.
@Suite(.timeLimit(.minutes(15))) struct ServerKillTests {
    private static let owners = 3
    /// Answers to all owners together before a kill, at most.
    private static let mostAnswers = 60

    private struct Outcome: Sendable {
        var complaints: [String] = []
        var answers = 0
        var kills = 0
    }

    /// Gives each owner an account and a fresh password session, past the server: stretching a password is another test's.
    private static func begin(_ owners: inout [BusyOwner], _ database: Database, _ dice: inout Dice) throws {
        let ledger = try database.open()
        let now = Moment(seconds: Int64(Date().timeIntervalSince1970))
        var deeds: [Deed] = []
        for place in owners.indices {
            let token = (0..<32).map { _ in UInt8.random(in: 0...255, using: &dice) }
            owners[place].token = Base64URL.encoded(token)
            deeds.append(.makeAccount(owners[place].account, password))
            deeds.append(
                .beginPasswordSession(
                    owners[place].account, password,
                    NewSession(token: Digest32(try HashFunction.sha256.hash(token))!, expires: now + 3_600)))  // 32 bytes.
        }
        _ = try ledger.settle(deeds, at: now)
    }

    /// One life of the server: it starts, shows what it has, works, and is killed.
    private static func round(
        _ database: Database, _ owners: inout [BusyOwner], _ dice: inout Dice, _ outcome: inout Outcome
    ) throws {
        try begin(&owners, database, &dice)
        let server = try ServerUnderTest(database)
        do {
            let line = try ServerLine(server.port)
            for place in owners.indices { try owners[place].compare(line) }
        }
        let (working, progress) = (DispatchGroup(), DispatchSemaphore(value: 0))
        let states = Locked<[Result<BusyOwner, any Error>]>(owners.map { .success($0) })
        for place in owners.indices {
            let (owner, seed) = (owners[place], dice.next())
            working.enter()
            Thread.detachNewThread {
                let result = Result {
                    var (owner, own) = (owner, Dice(seed))
                    try owner.work(ServerLine(server.port), &own) { progress.signal() }
                    return owner
                }
                // Nobody waits for answers to one who has ended.
                for _ in 0..<Self.mostAnswers { progress.signal() }
                states.withLock { $0[place] = result }
                working.leave()
            }
        }
        // Somewhere in the request after so many: the moment itself is left to chance.
        for _ in 0..<Int.random(in: 0..<mostAnswers, using: &dice) { progress.wait() }
        usleep(UInt32.random(in: 0..<4000, using: &dice))
        server.killed()
        outcome.kills += 1
        working.wait()
        owners = try states.withLock { states in try states.map { try $0.get() } }
        try database.settleDown()
        // As many sessions have begun as challenges were used: no more, and none without the other.
        let (used, begun) = (
            try database.ask("SELECT count(*) FROM challenges WHERE used IS NOT NULL AND purpose = 'sign-in'"),
            try database.ask("SELECT count(*) FROM sessions WHERE kind = 'device'")
        )
        if used != begun { outcome.complaints.append("\(used ?? -1) challenges were used for \(begun ?? -1) sessions") }
    }

    @Test("a server killed at any moment has all that it answered, and no challenge is good twice", arguments: Kind.allCases)
    func kills(_ kind: Kind) async throws {
        let count = isWhole ? 55 : 8
        let outcome = try await onThread {
            let database = try Database(kind)
            var dice = Dice(for: "the server's kills, \(kind)")
            var owners = (0..<Self.owners).map { BusyOwner($0) }
            var outcome = Outcome()
            for _ in 0..<count { try Self.round(database, &owners, &dice, &outcome) }
            // What the last kill left.
            try Self.begin(&owners, database, &dice)
            let server = try ServerUnderTest(database)
            let line = try ServerLine(server.port)
            for place in owners.indices { try owners[place].compare(line) }
            for owner in owners {
                outcome.complaints += owner.complaints
                outcome.answers += owner.answers
            }
            return outcome
        }
        #expect(outcome.complaints == [])
        #expect(outcome.answers > 5 * count && outcome.kills == count)
        Tally.note("server-kills", outcome.kills)
        Tally.note("server-answers", outcome.answers)
        Tally.note("server-lost", outcome.complaints.count)
    }
}
