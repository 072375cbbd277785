import Testing
import ThumbSignIn

@Suite struct SessionTests {
    /// Session 1 is a password's, 2 is the first device's, 3 the second's.
    private func signedIn(_ kind: Kind) throws -> any Ledger {
        let ledger = try Database(kind).open()
        let deeds = [.makeAccount(anna, password), .beginPasswordSession(anna, password, session(1))] + enrol(1) + enrol(2)
        _ = try ledger.settle(deeds + [give(1), give(2), signIn(1, 1, 2), signIn(2, 2, 3)], at: start)
        return ledger
    }

    private func record(_ number: Int, until expires: Moment = later) -> SessionRecord {
        SessionRecord(
            account: anna, kind: number == 1 ? .password : .device, device: number == 1 ? nil : device(number - 1), began: start,
            expires: expires, tag: tag(number))
    }

    @Test("a session is what it began as, until its end", arguments: Kind.allCases)
    func read(_ kind: Kind) throws {
        let ledger = try signedIn(kind)
        for number in 1...3 { #expect(try ledger.settle(.readSession(token(number))) == .session(record(number))) }
        #expect(try ledger.settle(.readSession(token(1)), at: start + 3_599) == .session(record(1)))
        #expect(try ledger.settle(.readSession(token(1)), at: later) == .none)
        #expect(try ledger.settle(.readSession(token(404))) == .none)
    }

    @Test("a renewed session keeps all but its token and its end, and the old token is done", arguments: Kind.allCases)
    func renew(_ kind: Kind) throws {
        let ledger = try signedIn(kind)
        for number in 1...2 {
            let renewal = Deed.renewSession(token(number), to: token(10 + number), expires: later + 9)
            #expect(try ledger.settle(renewal, at: start + 1) == .session(record(number, until: later + 9)))
            #expect(try ledger.settle(renewal, at: start + 1) == .none)
            #expect(try ledger.settle(.readSession(token(number))) == .none)
            #expect(try ledger.settle(.readSession(token(10 + number)), at: later) == .session(record(number, until: later + 9)))
        }
        #expect(try ledger.settle(.renewSession(token(3), to: token(13), expires: later + 9), at: later) == .none)
        #expect(try ledger.settle(.renewSession(token(404), to: token(14), expires: later), at: start) == .none)
        #expect(try ledger.settle(.readSession(token(14))) == .none)
    }

    @Test("a session may begin, be renewed twice and end in one batch", arguments: Kind.allCases)
    func chain(_ kind: Kind) throws {
        let ledger = try signedIn(kind)
        var fourth = record(1)
        fourth.tag = tag(4)
        #expect(
            try ledger.settle(
                [
                    .renewSession(token(1), to: token(11), expires: later),
                    .renewSession(token(11), to: token(21), expires: later),
                    .readSession(token(11)), .beginPasswordSession(anna, password, session(4)),
                    .renewSession(token(4), to: token(14), expires: later), .readSession(token(4)),
                    .renewSession(token(2), to: token(12), expires: later), .endSession(token(12)), .endSession(token(2)),
                    .beginPasswordSession(anna, password, session(5)), .endSession(token(5)),
                ], at: start) == [
                    .session(record(1)), .session(record(1)), .none, .done, .session(fourth), .none, .session(record(2)),
                    .done,
                    .none, .done, .done,
                ])
        let there = try ledger.settle([1, 11, 21, 4, 14, 2, 12, 5, 3].map { .readSession(token($0)) }, at: start)
        #expect(there.map { $0 != .none } == [false, false, true, false, true, false, false, false, true])
    }

    @Test("an ended session is gone, and ending it again says so", arguments: Kind.allCases)
    func end(_ kind: Kind) throws {
        let ledger = try signedIn(kind)
        #expect(try ledger.settle(.endSession(token(1))) == .done)
        #expect(try ledger.settle(.endSession(token(1))) == .none)
        #expect(try ledger.settle(.endSession(token(404))) == .none)
        #expect(try ledger.settle([.readSession(token(1)), .readSession(token(2))], at: start) == [.none, .session(record(2))])
    }

    @Test("revoking a device ends its sessions, renewed ones too, and no others", arguments: Kind.allCases)
    func revoke(_ kind: Kind) throws {
        let ledger = try signedIn(kind)
        let renewed = try ledger.settle(.renewSession(token(2), to: token(12), expires: later))
        #expect(renewed == .session(record(2)))
        #expect(try ledger.settle([.revoke(anna, device(1)), .readSession(token(12))], at: start) == [.done, .none])
        #expect(try ledger.settle(.readSession(token(12))) == .none)
        #expect(try ledger.settle(.renewSession(token(12), to: token(22), expires: later)) == .none)
        #expect(try ledger.settle(.endSession(token(12))) == .none)
        #expect(try ledger.settle(.readSession(token(1))) == .session(record(1)))
        #expect(try ledger.settle(.readSession(token(3))) == .session(record(3)))
    }

    @Test("a session whose account isn't there counts for nothing, whatever its row says", arguments: Kind.allCases)
    func orphan(_ kind: Kind) throws {
        let database = try Database(kind)
        let ledger = try database.open()
        _ = try ledger.settle([.makeAccount(otto, password), .beginPasswordSession(otto, password, session(8))], at: start)
        #expect(try ledger.settle(.readSession(token(8))) != .none)
        // As if another server had begun it while the account was being removed.
        _ = try database.ask("DELETE FROM accounts WHERE account = '\(otto.text)'")
        let deeds: [Deed] = [
            .readSession(token(8)), .renewSession(token(8), to: token(9), expires: later), .readSessions(otto),
        ]
        #expect(try ledger.settle(deeds, at: start) == [.none, .none, .sessions([])])
        #expect(try database.ask("SELECT count(*) FROM sessions") == 1)
    }

    @Test("a token that is there already is never another session's, and its batch isn't done", arguments: Kind.allCases)
    func collision(_ kind: Kind) throws {
        let ledger = try signedIn(kind)
        #expect(throws: LedgerFailure.self) {
            try ledger.settle([.makeAccount(otto, password), .beginPasswordSession(otto, password, session(1))], at: start)
        }
        #expect(try ledger.settle([.readSession(token(1)), .readPassword(otto)], at: start) == [.session(record(1)), .none])
    }

    @Test("what ended before a moment is forgotten, the rest isn't", arguments: Kind.allCases)
    func forget(_ kind: Kind) throws {
        let ledger = try signedIn(kind)
        _ = try ledger.settle(
            [
                give(5, until: start + 60), give(6, until: start + 61),
                .beginPasswordSession(anna, password, session(5, until: start + 60)),
                .beginPasswordSession(anna, password, session(6, until: start + 61)),
            ], at: start)
        #expect(try ledger.settle(.forget(before: start + 61)) == .done)
        #expect(try ledger.settle([signIn(1, 5, 50), signIn(1, 6, 60)], at: start) == [.refused(.challengeUnknown), .done])
        // A used one that is forgotten is unknown: nobody can use it again.
        #expect(try ledger.settle(signIn(1, 1, 51)) == .refused(.challengeUnknown))
        #expect(
            try ledger.settle([.readSession(token(5)), .readSession(token(6))], at: start).map { $0 == .none } == [true, false])
    }

    @Test("one deed forgets 1,000 challenges, the oldest, and the next the rest", arguments: Kind.allCases)
    func forgetMany(_ kind: Kind) throws {
        let ledger = try signedIn(kind)
        let (oldest, rest) = (20_000, 21_001)
        for first in stride(from: oldest, through: rest, by: 1_000) {
            _ = try ledger.settle(
                (first...min(first + 999, rest)).map { give($0, until: start + Int64($0)) }, at: start)
        }
        // Not those that the sessions were made with.
        _ = try ledger.settle(.forget(before: start + 61))
        #expect(try ledger.settle(.forget(before: later + 100_000)) == .done)
        #expect(try ledger.settle(signIn(1, rest - 2, 70)) == .refused(.challengeUnknown))
        #expect(try ledger.settle(signIn(1, rest - 1, 71)) == .done)
        #expect(try ledger.settle(.forget(before: later + 100_000)) == .done)
        #expect(try ledger.settle(signIn(1, rest, 72)) == .refused(.challengeUnknown))
    }
}
