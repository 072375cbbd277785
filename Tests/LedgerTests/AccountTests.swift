import Testing
import ThumbSignIn

@Suite struct AccountTests {
    @Test("an account is made once, and its password is kept as it was stretched", arguments: Kind.allCases)
    func make(_ kind: Kind) throws {
        let ledger = try Database(kind).open()
        #expect(try ledger.settle(.readPassword(anna)) == .none)
        #expect(try ledger.settle(.makeAccount(anna, password)) == .done)
        var other = password
        other.hash[0] = 1
        #expect(try ledger.settle(.makeAccount(anna, other)) == .refused(.accountExists))
        #expect(try ledger.settle(.readPassword(anna)) == .password(password, misses: 0, until: Moment(seconds: 0)))
        #expect(
            try ledger.settle([.makeAccount(otto, other), .makeAccount(otto, password)], at: start) == [
                .done, .refused(.accountExists),
            ])
        #expect(try ledger.settle(.readPassword(otto)) == .password(other, misses: 0, until: Moment(seconds: 0)))
    }

    @Test("accounts that differ in case are two", arguments: Kind.allCases)
    func bytes(_ kind: Kind) throws {
        let ledger = try Database(kind).open()
        let upper = try #require(AccountName("OTTO"))
        #expect(try ledger.settle([.makeAccount(otto, password), .makeAccount(upper, password)], at: start) == [.done, .done])
    }

    @Test("an account of the longest name, of all characters that may stand in one, is kept", arguments: Kind.allCases)
    func longest(_ kind: Kind) throws {
        let ledger = try Database(kind).open()
        let all = String(decoding: (UInt8(0x21)...0x7e), as: UTF8.self)
        let account = try #require(AccountName(String((all + all).prefix(AccountName.longest))))
        #expect(
            try ledger.settle([.makeAccount(account, password), .readPassword(account)], at: start) == [
                .done, .password(password, misses: 0, until: Moment(seconds: 0)),
            ])
        #expect(try ledger.settle(.readPassword(account)) == .password(password, misses: 0, until: Moment(seconds: 0)))
    }

    @Test("each miss counts and the later time stands, until a right password clears both", arguments: Kind.allCases)
    func misses(_ kind: Kind) throws {
        let ledger = try Database(kind).open()
        #expect(try ledger.settle(.noteMiss(anna, until: start)) == .none)
        #expect(try ledger.settle(.beginPasswordSession(anna, password, session(1))) == .none)
        #expect(try ledger.settle(.readSession(token(1))) == .none)
        _ = try ledger.settle(.makeAccount(anna, password))
        // Two servers that read the same count: both are counted.
        #expect(try ledger.settle(.noteMiss(anna, until: start + 8)) == .done)
        #expect(try ledger.settle(.noteMiss(anna, until: start + 4)) == .done)
        #expect(try ledger.settle(.readPassword(anna)) == .password(password, misses: 2, until: start + 8))
        #expect(try ledger.settle(.beginPasswordSession(anna, password, session(1))) == .done)
        #expect(try ledger.settle(.readPassword(anna)) == .password(password, misses: 0, until: Moment(seconds: 0)))
    }

    @Test("an account that is made and removed in one batch leaves nothing, and the rest of it is done", arguments: Kind.allCases)
    func madeAndRemoved(_ kind: Kind) throws {
        let ledger = try Database(kind).open()
        let passing: [Deed] = [.makeAccount(anna, password)] + enrol(1) + [.removeAccount(anna)]
        #expect(
            try ledger.settle(passing + [.makeAccount(otto, password)], at: start) == [.done, .done, .done, .done, .done])
        #expect(
            try ledger.settle([.readPassword(anna), .readDevice(anna, device(1)), .readDevices(anna)], at: start) == [
                .none, .none, .devices([]),
            ])
        #expect(try ledger.settle(.readPassword(otto)) != .none)
    }

    @Test("what was answered is there when the database is opened again", arguments: Kind.allCases)
    func reopen(_ kind: Kind) throws {
        let database = try Database(kind)
        do {
            let ledger = try database.open()
            _ = try ledger.settle([.makeAccount(anna, password)] + enrol(1) + [give(1), give(2), signIn(1, 1, 1)], at: start)
            _ = try ledger.settle(.beginPasswordSession(anna, password, session(2)))
        }
        let ledger = try database.open()
        var device = record(1)
        device.lastUsed = start
        #expect(try ledger.settle(.readDevices(anna)) == .devices([device]))
        #expect(try ledger.settle(signIn(1, 1, 3)) == .refused(.challengeUsed))
        #expect(try ledger.settle(signIn(1, 2, 3)) == .done)
        for number in 1...3 {
            guard case .session = try ledger.settle(.readSession(token(number))) else {
                Issue.record("session \(number)")
                continue
            }
        }
    }
}
