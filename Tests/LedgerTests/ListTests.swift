import Testing
import ThumbSignIn

@Suite("What lists leave out") struct ListTests {
    @Test("A session that is over isn't listed, though nobody has forgotten it yet", arguments: Kind.allCases)
    func over(_ kind: Kind) throws {
        let ledger = try Database(kind).open()
        let deeds: [Deed] = [
            .makeAccount(anna, password), .beginPasswordSession(anna, password, session(1, until: start + 60)),
            .beginPasswordSession(anna, password, session(2)),
        ]
        #expect(try ledger.settle(deeds, at: start) == [.done, .done, .done])
        func listed(_ now: Moment) throws -> Set<[UInt8]> {
            guard case .sessions(let sessions) = try ledger.settle(.readSessions(anna), at: now) else { return [] }
            return Set(sessions.map(\.tag))
        }
        #expect(try listed(start + 59) == [tag(1), tag(2)])
        #expect(try listed(start + 60) == [tag(2)])
    }

    @Test("Newer sessions that are over don't push one out that isn't", arguments: Kind.allCases)
    func pushedOut(_ kind: Kind) throws {
        let ledger = try Database(kind).open()
        _ = try ledger.settle([.makeAccount(anna, password), .beginPasswordSession(anna, password, session(0))], at: start)
        let short = (1...SignInLimit.listedSessions).map { number in
            Deed.beginPasswordSession(anna, password, session(number, until: start + 60))
        }
        _ = try ledger.settle(short, at: start + 1)
        guard case .sessions(let sessions) = try ledger.settle(.readSessions(anna), at: start + 60) else {
            Issue.record("no list")
            return
        }
        #expect(sessions.map(\.tag) == [tag(0)])
    }

    @Test("An account's line counts the devices that can sign in, and says whether a password can", arguments: Kind.allCases)
    func summaries(_ kind: Kind) throws {
        let ledger = try Database(kind).open()
        let people: [Deed] = [
            .makeAccount(anna, password), .makeAccount(otto, password), .beginPasswordSession(anna, password, session(1)),
        ]
        _ = try ledger.settle(people + enrol(1) + enrol(2) + enrol(9, for: otto), at: start)
        let next = NewSession(token: token(2), expires: later)
        let act = AccountAct(.noPassword(.keep, next), of: anna, session: token(1), proof: .password(password))
        _ = try ledger.settle([.revoke(anna, device(1)), .act(act)], at: start)
        let annas = AccountSummary(account: anna, hasPassword: false, devices: 1, locked: nil)
        let ottos = AccountSummary(account: otto, hasPassword: true, devices: 1, locked: nil)
        #expect(try ledger.settle(.readAccounts(after: nil)) == .accounts([annas, ottos]))
    }
}
