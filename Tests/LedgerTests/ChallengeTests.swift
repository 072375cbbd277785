import Testing
import ThumbSignIn

@Suite struct ChallengeTests {
    private func enrolled(_ kind: Kind) throws -> any Ledger {
        let ledger = try Database(kind).open()
        let outcomes = try ledger.settle(
            [.makeAccount(anna, password), .makeAccount(otto, password)] + enrol(1) + enrol(2, for: otto), at: start)
        #expect(outcomes == [.done, .done, .done, .done, .done, .done])
        return ledger
    }

    @Test("a sign-in uses its challenge, notes the time and begins a session", arguments: Kind.allCases)
    func signsIn(_ kind: Kind) throws {
        let ledger = try enrolled(kind)
        #expect(try ledger.settle(give(1)) == .done)
        #expect(try ledger.settle(signIn(1, 1, 1), at: start + 5) == .done)
        var device = record(1)
        device.lastUsed = start + 5
        #expect(try ledger.settle(.readDevice(anna, device.id)) == .device(device))
        let session = SessionRecord(
            account: anna, kind: .device, device: device.id, began: start + 5, expires: later, tag: tag(1))
        #expect(try ledger.settle(.readSession(token(1)), at: start + 6) == .session(session))
        #expect(try ledger.settle(signIn(1, 1, 2), at: start + 7) == .refused(.challengeUsed))
        #expect(try ledger.settle(.readSession(token(2)), at: start + 7) == .none)
    }

    /// What may be wrong with a sign-in, in the order in which it is told.
    private static let faults: [SignInRefusal] = [
        .deviceUnknown, .deviceRevoked, .challengeUnknown, .challengeForeign, .purpose, .challengeExpired, .challengeUsed,
    ]

    /// A sign-in with that fault and every later one that it can have beside it.
    private func attempt(_ fault: SignInRefusal, _ ledger: any Ledger) throws -> Deed {
        let (phone, mark) = (3, 9)
        var deeds = enrol(phone)
        switch fault {
        case .deviceUnknown:
            deeds += [.revoke(anna, device(phone))]
            _ = try ledger.settle(deeds, at: start)
            return signIn(phone, mark, 99, as: otto)
        case .deviceRevoked:
            deeds += [.revoke(anna, device(phone))]
        case .challengeUnknown: break
        case .challengeForeign: deeds += [give(mark, to: otto, for: .register, until: start)]
        case .purpose: deeds += [give(mark, for: .register, until: start)]
        case .challengeExpired: deeds += [give(mark, until: start + 1), signIn(phone, mark, 98)]
        case .challengeUsed: deeds += [give(mark), signIn(phone, mark, 98)]
        default: Issue.record("no fault of a sign-in: \(fault)")
        }
        _ = try ledger.settle(deeds, at: start)
        return signIn(phone, mark, 99)
    }

    @Test("a sign-in is refused for the first thing that is wrong, and changes nothing", arguments: Kind.allCases, faults)
    func refused(_ kind: Kind, _ fault: SignInRefusal) throws {
        let ledger = try enrolled(kind)
        let deed = try attempt(fault, ledger)
        let before = try ledger.settle([.readDevices(anna), .readDevices(otto)], at: start)
        let now = start + (fault == .challengeUsed ? 59 : 1)
        // Alone, and between others that aren't.
        #expect(try ledger.settle(deed, at: now) == .refused(fault))
        #expect(try ledger.settle([give(20, until: now + 60), deed, give(21)], at: now) == [.done, .refused(fault), .done])
        #expect(try ledger.settle(.readSession(token(99)), at: now) == .none)
        #expect(try ledger.settle([.readDevices(anna), .readDevices(otto)], at: start) == before)
    }

    @Test("a refused sign-in uses no challenge up", arguments: Kind.allCases)
    func unused(_ kind: Kind) throws {
        let ledger = try enrolled(kind)
        #expect(try ledger.settle([give(1), give(2, to: otto)], at: start) == [.done, .done])
        #expect(try ledger.settle(signIn(9, 1, 1)) == .refused(.deviceUnknown))
        #expect(try ledger.settle(signIn(2, 1, 1, as: otto)) == .refused(.challengeForeign))
        #expect(try ledger.settle(.register(anna, record(5), challenge: challenge(1), session: nil)) == .refused(.purpose))
        #expect(try ledger.settle(signIn(1, 1, 1)) == .done)
    }

    @Test("a challenge is good until its end and not at it", arguments: Kind.allCases)
    func end(_ kind: Kind) throws {
        let ledger = try enrolled(kind)
        #expect(try ledger.settle([give(1), give(2)], at: start) == [.done, .done])
        #expect(try ledger.settle(signIn(1, 1, 1), at: start + 59) == .done)
        #expect(try ledger.settle(signIn(1, 2, 2), at: start + 60) == .refused(.challengeExpired))
    }

    @Test("of the same challenge twice in one batch the second is refused", arguments: Kind.allCases)
    func twice(_ kind: Kind) throws {
        let ledger = try enrolled(kind)
        #expect(
            try ledger.settle([give(1), signIn(1, 1, 1), signIn(1, 1, 2)], at: start) == [
                .done, .done, .refused(.challengeUsed),
            ])
        #expect(try ledger.settle(give(2)) == .done)
        #expect(try ledger.settle([signIn(1, 2, 3), signIn(1, 2, 4)], at: start) == [.done, .refused(.challengeUsed)])
        #expect(try ledger.settle(.readSession(token(2))) == .none)
        #expect(try ledger.settle(.readSession(token(4))) == .none)
    }

    @Test("giving a challenge again doesn't make a used one unused", arguments: Kind.allCases)
    func again(_ kind: Kind) throws {
        let ledger = try enrolled(kind)
        #expect(try ledger.settle([give(1), signIn(1, 1, 1)], at: start) == [.done, .done])
        #expect(try ledger.settle(give(1, until: later)) == .done)
        #expect(try ledger.settle(signIn(1, 1, 2)) == .refused(.challengeUsed))
        // Nor beside the sign-in in one batch, which decides in memory.
        #expect(
            try ledger.settle([give(1, until: later), signIn(1, 1, 3)], at: start) == [.done, .refused(.challengeUsed)])
    }

    @Test("accounts that don't exist get challenges too", arguments: Kind.allCases)
    func strangers(_ kind: Kind) throws {
        let nobody = try #require(AccountName("nobody"))
        let ledger = try enrolled(kind)
        #expect(try ledger.settle(give(1, to: nobody)) == .done)
        #expect(try ledger.settle(signIn(1, 1, 1, as: nobody)) == .refused(.deviceUnknown))
    }

    @Test("in a batch of 256, each deed has its own outcome, refused ones in the midst", arguments: Kind.allCases)
    func batch(_ kind: Kind) throws {
        let ledger = try enrolled(kind)
        #expect(try ledger.settle((0..<128).map { give($0) }, at: start) == [DeedOutcome](repeating: .done, count: 128))
        // Every fourth challenge is one that nobody gave.
        let deeds = (0..<256).map { number -> Deed in
            number % 2 == 0 ? give(1000 + number) : signIn(1, number % 4 == 3 ? 5000 + number : number / 2, number)
        }
        let outcomes = try ledger.settle(deeds, at: start)
        for (number, outcome) in outcomes.enumerated() {
            #expect(outcome == (number % 4 == 3 ? .refused(.challengeUnknown) : .done), "deed \(number)")
        }
        let sessions = try ledger.settle((0..<256).map { .readSession(token($0)) }, at: start)
        for (number, session) in sessions.enumerated() {
            #expect((session == .none) == (number % 4 != 1), "session \(number)")
        }
    }
}
