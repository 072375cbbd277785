import Testing
import ThumbSignIn
import thumbturn_test_programs

@testable import ThumbLedgers

private let other = StretchedPassword(salt: Array(16..<32), passes: 3, kibibytes: 65_536, hash: [UInt8](repeating: 7, count: 32))

/// What owners and operators do to whole accounts.
@Suite struct OwnerTests {
    /// Session 1 is a password's, 2 the first device's, 3 the second's; otto has session 4 and device 9.
    private func town(_ kind: Kind) throws -> (Database, any Ledger) {
        let database = try Database(kind)
        let ledger = try database.open()
        let people: [Deed] = [.makeAccount(anna, password), .beginPasswordSession(anna, password, session(1))]
        let devices = enrol(1) + enrol(2) + [give(1), give(2), signIn(1, 1, 2), signIn(2, 2, 3)]
        let others = [.makeAccount(otto, password), .beginPasswordSession(otto, password, session(4))] + enrol(9, for: otto)
        _ = try ledger.settle(people + devices + others, at: start)
        return (database, ledger)
    }

    private func act(
        _ change: AccountChange, _ session: Int = 1, by proof: FreshProof = .password(password), of account: AccountName = anna
    ) -> Deed {
        .act(AccountAct(change, of: account, session: token(session), proof: proof))
    }

    private func alive(_ ledger: any Ledger, _ tokens: [Int]) throws -> [Bool] {
        try ledger.settle(tokens.map { .readSession(token($0)) }, at: start).map { $0 != .none }
    }

    private let next = NewSession(token: token(50), expires: later + 9)

    @Test("another password ends all sessions but the asking one, which goes on under another token", arguments: Kind.allCases)
    func changed(_ kind: Kind) throws {
        let (database, ledger) = try town(kind)
        guard case .session(let session) = try ledger.settle(act(.password(other, .end, next))) else {
            Issue.record("it isn't changed")
            return
        }
        #expect(session.id == SessionID(began: start, tag: tag(1)) && session.expires == later + 9)
        #expect(try alive(ledger, [1, 2, 3, 4, 50]) == [false, false, false, true, true])
        #expect(try database.open().settle(.readPassword(anna)) == .password(other, misses: 0, until: Moment(seconds: 0)))
        #expect(try ledger.settle(.beginPasswordSession(anna, password, LedgerTests.session(6))) == .refused(.credentials))
        #expect(try ledger.settle(.beginPasswordSession(anna, other, LedgerTests.session(6))) == .done)
    }

    @Test("sessions that are to be kept go on; the asking one's token changes all the same", arguments: Kind.allCases)
    func kept(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        guard case .session = try ledger.settle(act(.password(other, .keep, next))) else {
            Issue.record("it isn't changed")
            return
        }
        #expect(try alive(ledger, [1, 2, 3, 4, 50]) == [false, true, true, true, true])
    }

    @Test("an account without a password signs in by its devices alone, until it has one again", arguments: Kind.allCases)
    func removed(_ kind: Kind) throws {
        let (database, ledger) = try town(kind)
        _ = try ledger.settle(act(.noPassword(.keep, next)))
        #expect(try database.open().settle(.readPassword(anna)) == .password(nil, misses: 0, until: Moment(seconds: 0)))
        #expect(try ledger.settle(.beginPasswordSession(anna, password, session(6))) == .refused(.credentials))
        #expect(try ledger.settle([give(5), signIn(1, 5, 6)], at: start) == [.done, .done])
        // Nothing is stretched to what stands in the password's place.
        let nothing = StretchedPassword(salt: [], passes: 0, kibibytes: 0, hash: [])
        #expect(try ledger.settle(.beginPasswordSession(anna, nothing, session(7))) == .refused(.credentials))
        #expect(try ledger.settle(act(.delete, 50, by: .password(nothing))) == .refused(.credentials))
        let proof = FreshProof.statement(device(1), challenge: challenge(8))
        let again = NewSession(token: token(51), expires: later)
        let outcomes = try ledger.settle(
            [give(8, for: .changePassword), act(.password(other, .keep, again), 50, by: proof)], at: start)
        #expect(outcomes[1] != .none)
        #expect(try ledger.settle(.beginPasswordSession(anna, other, session(8))) == .done)
    }

    @Test(
        "the password stays where no device is registered, and the last device of an account without one",
        arguments: Kind.allCases)
    func lastWayIn(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        #expect(try ledger.settle(act(.revoke(device(2)))) == .done)
        _ = try ledger.settle(act(.noPassword(.keep, next)))
        // Refused, and the challenge is still good.
        let proof = FreshProof.statement(device(1), challenge: challenge(8))
        let deeds = [give(8, for: .revokeDevice), act(.revoke(device(1)), 50, by: proof)]
        #expect(try ledger.settle(deeds, at: start) == [.done, .refused(.lastDevice)])
        #expect(try ledger.settle(act(.revoke(device(2)), 50, by: proof)) == .done)
        let bare = try Database(kind).open()
        _ = try bare.settle([.makeAccount(anna, password), .beginPasswordSession(anna, password, session(1))], at: start)
        #expect(try bare.settle(act(.noPassword(.end, next))) == .refused(.noDevice))
        #expect(try alive(bare, [1]) == [true])
    }

    @Test("without a password a lost device is revoked as long as another one is left", arguments: Kind.allCases)
    func lostDevice(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        _ = try ledger.settle(act(.noPassword(.keep, next)))
        func revoking(_ lost: Int, _ number: Int) throws -> [DeedOutcome] {
            let proof = FreshProof.statement(device(1), challenge: challenge(number))
            return try ledger.settle([give(number, for: .revokeDevice), act(.revoke(device(lost)), 50, by: proof)], at: start)
        }
        #expect(try revoking(2, 8) == [.done, .done])
        #expect(try ledger.settle([give(9), signIn(2, 9, 6)], at: start) == [.done, .refused(.deviceRevoked)])
        #expect(try revoking(1, 10) == [.done, .refused(.lastDevice)])
    }

    @Test("two servers that take away password and last device at once leave one of them", arguments: Kind.allCases)
    func race(_ kind: Kind) async throws {
        for round in 0..<8 {
            let (database, ledger) = try town(kind)
            _ = try ledger.settle(.revoke(anna, device(2)))
            let ledgers = (try database.open(), try database.open())
            async let one = onThread { try ledgers.0.settle(act(.noPassword(.keep, next), 1)) }
            async let two = onThread { try ledgers.1.settle(act(.revoke(device(1)), 2)) }
            let outcomes = try await (one, two)
            // Whichever comes second is refused: for want of a device, or as the last one.
            let refused = [outcomes.0, outcomes.1].filter { if case .refused = $0 { true } else { false } }
            #expect(refused.count == 1, "round \(round): \(outcomes)")
        }
    }

    @Test("a statement proves one act, and only its own purpose, account, time and device", arguments: Kind.allCases)
    func statements(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        var number = 70
        func tried(_ device: Int, _ purpose: Purpose, of account: AccountName = anna, until: Moment = start + 60) throws
            -> DeedOutcome
        {
            number += 1
            let proof = FreshProof.statement(LedgerTests.device(device), challenge: challenge(number))
            let deeds = [give(number, to: account, for: purpose, until: until), act(.endSession(id(2)), by: proof)]
            return try ledger.settle(deeds, at: start)[1]
        }
        #expect(try tried(1, .signIn) == .refused(.purpose))
        #expect(try tried(1, .deleteAccount) == .refused(.purpose))
        #expect(try tried(1, .endSessions, of: otto) == .refused(.challengeForeign))
        #expect(try tried(1, .endSessions, until: start) == .refused(.challengeExpired))
        #expect(try tried(9, .endSessions) == .refused(.deviceUnknown))
        #expect(try tried(404, .endSessions) == .refused(.deviceUnknown))
        #expect(try tried(1, .endSessions) == .done)
        let again = FreshProof.statement(device(1), challenge: challenge(number))
        #expect(try ledger.settle(act(.endSession(id(3)), by: again)) == .refused(.challengeUsed))
        #expect(try alive(ledger, [1, 2, 3]) == [true, false, true])
    }

    @Test("an act's right password clears the account's misses; a statement leaves them", arguments: Kind.allCases)
    func clearsMisses(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        for _ in 0..<3 { _ = try ledger.settle(.noteMiss(anna, until: start)) }
        let proof = FreshProof.statement(device(1), challenge: challenge(8))
        #expect(
            try ledger.settle([give(8, for: .endSessions), act(.endSession(id(3)), by: proof)], at: start) == [.done, .done])
        #expect(try ledger.settle(.readPassword(anna)) == .password(password, misses: 3, until: start))
        #expect(try ledger.settle(act(.endSession(id(2)))) == .done)
        #expect(try ledger.settle(.readPassword(anna)) == .password(password, misses: 0, until: Moment(seconds: 0)))
    }

    private func id(_ number: Int) -> SessionID { SessionID(began: start, tag: tag(number)) }

    @Test("a session ends by its name, renewed or not, and only one's own account's", arguments: Kind.allCases)
    func ended(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        _ = try ledger.settle(.renewSession(token(2), to: token(12), expires: later))
        #expect(try ledger.settle(act(.endSession(id(4)))) == .none)
        #expect(try ledger.settle(act(.endSession(id(2)))) == .done)
        #expect(try ledger.settle(act(.endSession(id(2)))) == .none)
        #expect(try alive(ledger, [1, 12, 3, 4]) == [true, false, true, true])
        #expect(try ledger.settle(act(.endOtherSessions(next))) != .none)
        #expect(try alive(ledger, [1, 3, 4, 50]) == [false, false, true, true])
    }

    @Test("an act without its session, or with another account's, is refused and changes nothing", arguments: Kind.allCases)
    func foreign(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        for number in [4, 404] { #expect(try ledger.settle(act(.delete, number)) == .refused(.session)) }
        #expect(try ledger.settle(act(.delete, by: .password(other))) == .refused(.credentials))
        #expect(try ledger.settle(act(.revoke(device(9)))) == .none)
        #expect(try alive(ledger, [1, 2, 3, 4]) == [true, true, true, true])
    }

    @Test(
        "a deleted account is gone with devices and sessions, its name and keys are free, and nobody else's are",
        arguments: Kind.allCases)
    func deleted(_ kind: Kind) throws {
        let (database, ledger) = try town(kind)
        #expect(try ledger.settle(act(.delete)) == .done)
        #expect(try alive(ledger, [1, 2, 3, 4]) == [false, false, false, true])
        #expect(try ledger.settle([.readPassword(anna), .readDevices(anna)], at: start) == [.none, .devices([])])
        for table in ["accounts", "devices", "sessions"] {
            #expect(try database.ask("SELECT count(*) FROM \(table) WHERE account = '\(anna.text)'") == 0, "\(table)")
        }
        #expect(try ledger.settle([give(5), signIn(1, 5, 6)], at: start)[1] == .refused(.deviceUnknown))
        _ = try ledger.settle([.makeAccount(anna, other)], at: start)
        #expect(try alive(ledger, [1, 2, 3]) == [false, false, false])
        let deeds: [Deed] = [give(90, for: .register), .register(anna, record(2), challenge: challenge(90), session: nil)]
        #expect(try ledger.settle(deeds, at: start) == [.done, .done])
    }

    @Test("of revoked devices the newest 32 are listed, and those that sign in all", arguments: Kind.allCases)
    func listed(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        for number in 100..<140 { _ = try ledger.settle(enrol(number) + [.revoke(anna, device(number))], at: start) }
        guard case .devices(let devices) = try ledger.settle(.readDevices(anna)) else {
            Issue.record("no devices were listed")
            return
        }
        #expect(devices.map(\.id) == ([1, 2] + Array(108..<140)).map(device))
    }

    private func registration(_ number: Int, _ session: Int) -> Deed {
        .register(anna, record(number), challenge: challenge(number), session: token(session))
    }

    @Test("a session that ended meanwhile registers no device, and neither does another account's", arguments: Kind.allCases)
    func registersNoMore(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        let outcomes = try ledger.settle(
            [
                give(5, for: .register), give(6, for: .register), .endSession(token(1)), registration(5, 1), registration(5, 4),
                .revoke(anna, device(1)), registration(5, 2), registration(5, 3),
            ], at: start)
        let refused = DeedOutcome.refused(.session)
        #expect(outcomes == [.done, .done, .done, refused, refused, .done, refused, .done])
        // And in a transaction of its own.
        #expect(try ledger.settle(registration(6, 1)) == refused)
        #expect(try ledger.settle(.readDevice(anna, device(6))) == .none)
    }

    @Test("an account that is removed and made again in one batch is the new one", arguments: Kind.allCases)
    func removedAndMade(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        let outcomes = try ledger.settle(
            [
                .removeAccount(anna), .readSession(token(1)), .makeAccount(anna, other),
                .beginPasswordSession(anna, other, session(6)),
            ],
            at: start)
        #expect(outcomes == [.done, .none, .done, .done])
        #expect(try alive(ledger, [1, 2, 3, 6]) == [false, false, false, true])
        #expect(try ledger.settle(.removeAccount(AccountName("nobody")!)) == .none)  // A name by its looks.
    }

    @Test("an account that is removed takes nothing of what the same batch does for another one", arguments: Kind.allCases)
    func removedBeside(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        let outcomes = try ledger.settle(
            [
                give(5, to: otto), .removeAccount(anna), signIn(9, 5, 6, as: otto),
                .rename(otto, device(9), to: "laptop"),
            ], at: start)
        var laptop = record(9, named: "laptop")
        laptop.lastUsed = start
        #expect(outcomes == [.done, .done, .done, .device(laptop)])
        #expect(try ledger.settle([.readDevices(anna), .readDevices(otto)], at: start) == [.devices([]), .devices([laptop])])
        #expect(try alive(ledger, [1, 2, 3, 4, 6]) == [false, false, false, true, true])
    }

    @Test("an account's sessions end beside another one's that begin and go on in the same batch", arguments: Kind.allCases)
    func clearedBeside(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        let changed = try ledger.settle(
            [
                .beginPasswordSession(otto, password, session(6)), .renewSession(token(4), to: token(14), expires: later),
                act(.password(other, .end, next)), .readSession(token(6)),
            ], at: start)
        #expect(changed[0] == .done && !changed.contains(.none))
        #expect(
            try alive(ledger, [1, 2, 3, 4, 6, 14, 50]) == [false, false, false, false, true, true, true])
        let locked = try ledger.settle(
            [
                .beginPasswordSession(otto, password, session(7)), .renewSession(token(14), to: token(24), expires: later),
                .setLocked(anna, true), .readSession(token(7)),
            ], at: start)
        #expect(locked[0] == .done && locked[2] == .done && !locked.contains(.none))
        #expect(try alive(ledger, [50, 14, 6, 7, 24]) == [false, false, true, true, true])
    }

    @Test("a locked account begins no session and goes on with none; unlocked it does, with new ones", arguments: Kind.allCases)
    func locked(_ kind: Kind) throws {
        let (database, ledger) = try town(kind)
        #expect(try ledger.settle(.setLocked(anna, true)) == .done)
        let tries: [Deed] = [
            .beginPasswordSession(anna, password, session(6)), give(5), signIn(1, 5, 7), .readSession(token(1)),
            .renewSession(token(2), to: token(22), expires: later), act(.delete),
            give(6, for: .register), .register(anna, record(5), challenge: challenge(6), session: nil),
        ]
        let answers: [DeedOutcome] = [
            .refused(.accountLocked), .done, .refused(.accountLocked), .none, .none, .refused(.session), .done,
            .refused(.accountLocked),
        ]
        #expect(try database.open().settle(tries, at: start) == answers)
        #expect(try alive(ledger, [4]) == [true])
        // As if another server had begun one while the lock was being written.
        _ = try database.ask(
            """
            INSERT INTO sessions(token, account, kind, began, expires, tag) SELECT \(kind.bytes(token(8).bytes)), account, 'password', \
            1800000000, 1800003600, \(kind.bytes(tag(8))) FROM accounts WHERE account = '\(anna.text)'\(kind.countsChanges)
            """)
        #expect(try alive(ledger, [8]) == [false])
        #expect(try ledger.settle(.setLocked(anna, false)) == .done)
        #expect(try alive(ledger, [1, 2, 3, 8]) == [false, false, false, false])
        #expect(
            try ledger.settle([.beginPasswordSession(anna, password, session(6)), give(7), signIn(1, 7, 7)], at: start) == [
                .done, .done, .done,
            ])
    }

    @Test(
        "a hundred sessions are listed, the newest, and the hundred and first isn't; what is over isn't either",
        arguments: Kind.allCases)
    func list(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        func listed() throws -> [SessionRecord] {
            guard case .sessions(let sessions) = try ledger.settle(.readSessions(anna), at: start + 500) else { return [] }
            return sessions
        }
        #expect(Set(try listed().map(\.tag)) == Set([tag(1), tag(2), tag(3)]))
        _ = try ledger.settle(.revoke(anna, device(1)))
        #expect(Set(try listed().map(\.tag)) == Set([tag(1), tag(3)]))
        let most = SignInLimit.listedSessions
        for number in 0..<most - 2 {
            _ = try ledger.settle(.beginPasswordSession(anna, password, session(200 + number)), at: start + Int64(number + 1))
        }
        #expect(try listed().count == most)
        _ = try ledger.settle(.beginPasswordSession(anna, password, session(400)), at: start + 400)
        let sessions = try listed()
        #expect(
            sessions.count == most && sessions.first?.tag == tag(400)
                && sessions.map(\.began) == sessions.map(\.began).sorted(by: >))
        // And all end by one word, those that weren't listed too.
        #expect(try ledger.settle(.endSessions(anna, nil)) == .done)
        #expect(try listed().isEmpty)
        #expect(try alive(ledger, [4]) == [true])
    }

    @Test("accounts are listed in their order, five hundred at a time", arguments: Kind.allCases)
    func accounts(_ kind: Kind) throws {
        let ledger = try Database(kind).open()
        let most = SignInLimit.listedAccounts
        let names = (0...most).map { AccountName("a\(1000 + $0)")! }  // Names by their looks.
        for first in stride(from: 0, to: names.count, by: 250) {
            _ = try ledger.settle(names[first..<min(first + 250, names.count)].map { .makeAccount($0, password) }, at: start)
        }
        _ = try ledger.settle([.setLocked(names[1], true)] + enrol(1, for: names[0]), at: start)
        guard case .accounts(let page) = try ledger.settle(.readAccounts(after: nil)),
            case .accounts(let rest) = try ledger.settle(.readAccounts(after: page.last?.account))
        else {
            Issue.record("no list")
            return
        }
        #expect(page.count == most && (page + rest).map(\.account) == names)
        #expect(page[0] == AccountSummary(account: names[0], hasPassword: true, devices: 1, locked: nil))
        #expect(page[1] == AccountSummary(account: names[1], hasPassword: true, devices: 0, locked: start))
    }

    @Test("the operator's password is the account's, clears its misses and ends its sessions", arguments: Kind.allCases)
    func operatorsPassword(_ kind: Kind) throws {
        let (_, ledger) = try town(kind)
        _ = try ledger.settle(.noteMiss(anna, until: later))
        #expect(try ledger.settle(.setPassword(anna, other)) == .done)
        #expect(try ledger.settle(.readPassword(anna)) == .password(other, misses: 0, until: Moment(seconds: 0)))
        #expect(try alive(ledger, [1, 2, 3, 4]) == [false, false, false, true])
        #expect(try ledger.settle(.setPassword(AccountName("nobody")!, other)) == .none)  // A name by its looks.
    }

    @Test("a store of the first version is brought to this one with accounts, devices and sessions", arguments: Kind.allCases)
    func upgrade(_ kind: Kind) throws {
        let database = try Database(kind)
        do { _ = try database.open([Migration.all[0]]) }
        _ = try database.ask(
            "INSERT INTO accounts SELECT 'anna@bank.example', \(kind.bytes([1])), 3, 65536, \(kind.bytes([2])), 5, 9\(kind.countsChanges)"
        )
        _ = try database.ask(
            """
            INSERT INTO sessions(token, account, kind, began, expires) SELECT \(kind.bytes(token(1).bytes)), 'anna@bank.example', \
            'password', 1800000000, 1800003600\(kind.countsChanges)
            """)
        let ledger = try database.open()
        let old = StretchedPassword(salt: [1], passes: 3, kibibytes: 65_536, hash: [2])
        #expect(try ledger.settle(.readPassword(anna)) == .password(old, misses: 5, until: Moment(seconds: 9)))
        guard case .session(let session) = try ledger.settle(.readSession(token(1))) else {
            Issue.record("the session is gone")
            return
        }
        #expect(session.id == id(1))
        #expect(try ledger.settle(act(.endSession(id(1)), by: .password(old))) == .done)
        #expect(try alive(ledger, [1]) == [false])
    }
}

extension Kind {
    /// Bytes as that database's SQL has them.
    fileprivate func bytes(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return self == .sqlite ? "x'\(digits)'" : "'\\x\(digits)'::bytea"
    }

    /// A test that asks gets a number.
    fileprivate var countsChanges: String { self == .sqlite ? "" : "; SELECT 1" }
}
