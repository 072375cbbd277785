import Testing
import ThumbSignIn

@Suite struct DeviceTests {
    private func founded(_ kind: Kind) throws -> any Ledger {
        let ledger = try Database(kind).open()
        _ = try ledger.settle([.makeAccount(anna, password), .makeAccount(otto, password)], at: start)
        return ledger
    }

    private func register(_ number: Int, _ mark: Int, for account: AccountName = anna) -> Deed {
        .register(account, record(number), challenge: challenge(mark), session: nil)
    }

    @Test("registering again a key of one's own is done and uses no challenge", arguments: Kind.allCases)
    func again(_ kind: Kind) throws {
        let ledger = try founded(kind)
        #expect(try ledger.settle(enrol(1), at: start) == [.done, .done])
        #expect(try ledger.settle(give(7, for: .register)) == .done)
        var renamed = record(1, named: "another name")
        renamed.registered = later
        #expect(try ledger.settle(.register(anna, renamed, challenge: challenge(7), session: nil)) == .done)
        #expect(try ledger.settle(.register(anna, renamed, challenge: challenge(404), session: nil)) == .done)
        #expect(try ledger.settle(.readDevices(anna)) == .devices([record(1)]))
        #expect(try ledger.settle(register(2, 7)) == .done)
    }

    @Test("another account's key and a revoked one are taken, and no challenge is used", arguments: Kind.allCases)
    func taken(_ kind: Kind) throws {
        let ledger = try founded(kind)
        _ = try ledger.settle(enrol(1) + enrol(2) + [.revoke(anna, device(2))], at: start)
        _ = try ledger.settle([give(1, to: otto, for: .register), give(2, for: .register)], at: start)
        #expect(try ledger.settle(register(1, 1, for: otto)) == .refused(.deviceTaken))
        #expect(try ledger.settle(register(2, 1, for: otto)) == .refused(.deviceTaken))
        #expect(try ledger.settle(register(2, 2)) == .refused(.deviceTaken))
        #expect(try ledger.settle([register(3, 1, for: otto), register(4, 2)], at: start) == [.done, .done])
    }

    @Test("a registration's challenge is looked at as a sign-in's is", arguments: Kind.allCases)
    func challenges(_ kind: Kind) throws {
        let ledger = try founded(kind)
        _ = try ledger.settle(
            [give(1, to: otto, for: .register), give(2), give(3, for: .register, until: start), give(4, for: .register)],
            at: start)
        #expect(try ledger.settle(register(1, 404)) == .refused(.challengeUnknown))
        #expect(try ledger.settle(register(1, 1)) == .refused(.challengeForeign))
        #expect(try ledger.settle(register(1, 2)) == .refused(.purpose))
        #expect(try ledger.settle(register(1, 3)) == .refused(.challengeExpired))
        #expect(try ledger.settle(.readDevices(anna)) == .devices([]))
        #expect(try ledger.settle(register(1, 4)) == .done)
        #expect(try ledger.settle(register(2, 4)) == .refused(.challengeUsed))
        let nobody = try #require(AccountName("nobody"))
        #expect(try ledger.settle(register(5, 4, for: nobody)) == .none)
    }

    @Test("an account has 32 devices and no 33rd; revoked ones don't count, nor another account's", arguments: Kind.allCases)
    func limit(_ kind: Kind) throws {
        let ledger = try founded(kind)
        let most = (1...32).flatMap { enrol($0) }
        #expect(try ledger.settle(most, at: start) == [DeedOutcome](repeating: .done, count: 64))
        #expect(try ledger.settle(give(1, for: .register)) == .done)
        #expect(try ledger.settle(register(33, 1)) == .refused(.tooManyDevices))
        #expect(try ledger.settle(enrol(34, for: otto), at: start) == [.done, .done])
        #expect(
            try ledger.settle([.revoke(anna, device(5)), register(33, 1), register(35, 1)], at: start) == [
                .done, .done, .refused(.challengeUsed),
            ])
        #expect(try ledger.settle(enrol(35), at: start) == [.done, .refused(.tooManyDevices)])
        guard case .devices(let all) = try ledger.settle(.readDevices(anna)) else {
            Issue.record("no devices")
            return
        }
        #expect(all.count == 33)
    }

    @Test("devices are listed oldest first, with the revoked ones", arguments: Kind.allCases)
    func list(_ kind: Kind) throws {
        let ledger = try founded(kind)
        #expect(try ledger.settle(.readDevices(anna)) == .devices([]))
        // Their keys' digests don't stand in this order.
        for number in [5, 3, 9, 1] { _ = try ledger.settle(enrol(number), at: start) }
        _ = try ledger.settle(.revoke(anna, device(3)), at: start + 9)
        var revoked = record(3)
        revoked.revoked = start + 9
        #expect(try ledger.settle(.readDevices(anna)) == .devices([record(5), revoked, record(9), record(1)]))
        // And as a batch leaves them.
        #expect(
            try ledger.settle(enrol(2) + [.readDevices(anna)], at: start).last
                == .devices([record(5), revoked, record(9), record(1), record(2)]))
        #expect(try ledger.settle(.readDevice(anna, device(3))) == .device(revoked))
        #expect(try ledger.settle(.readDevice(otto, device(3))) == .none)
    }

    @Test("a name is any Unicode, byte by byte, but not U+0000", arguments: Kind.allCases)
    func names(_ kind: Kind) throws {
        let ledger = try founded(kind)
        _ = try ledger.settle(enrol(1), at: start)
        let names = [
            "Ännas Gerät", "e\u{301}", "\u{e9}", "指紋", "👩‍👩‍👧", "a'b\"c\\d%_", "{NULL,\"\"}", "", "\u{10FFFF}", "\u{FEFF}x",
            "\u{202E}abc",
            String(repeating: "ß", count: 64),
        ]
        for name in names {
            var named = record(1)
            named.name = name
            guard case .device(let found) = try ledger.settle(.rename(anna, device(1), to: name)) else {
                Issue.record("\(name)")
                continue
            }
            #expect(found == named)
            guard case .device(let read) = try ledger.settle(.readDevice(anna, device(1))) else {
                Issue.record("\(name)")
                continue
            }
            // Equal texts may differ in their bytes.
            #expect(Array(read.name.utf8) == Array(name.utf8))
        }
        let before = try ledger.settle(.readDevice(anna, device(1)))
        #expect(try ledger.settle(.rename(anna, device(1), to: "a\0b")) == .refused(.value))
        #expect(try ledger.settle(.readDevice(anna, device(1))) == before)
        var odd = record(2, named: "\0")
        let registering: [Deed] = [give(2, for: .register), .register(anna, odd, challenge: challenge(2), session: nil)]
        #expect(try ledger.settle(registering, at: start) == [.done, .refused(.value)])
        (odd.name, odd.unverifiedProtection) = ("phone", "\0")
        #expect(try ledger.settle(.register(anna, odd, challenge: challenge(2), session: nil)) == .refused(.value))
        #expect(try ledger.settle(register(2, 2)) == .done)
    }

    @Test("only an account's own devices are renamed and revoked", arguments: Kind.allCases)
    func foreign(_ kind: Kind) throws {
        let ledger = try founded(kind)
        _ = try ledger.settle(enrol(1), at: start)
        #expect(try ledger.settle(.rename(otto, device(1), to: "mine")) == .none)
        #expect(try ledger.settle(.revoke(otto, device(1))) == .none)
        #expect(try ledger.settle(.rename(anna, device(8), to: "mine")) == .none)
        #expect(try ledger.settle(.revoke(anna, device(8))) == .none)
        #expect(try ledger.settle(.readDevices(anna)) == .devices([record(1)]))
    }

    @Test("a device revoked again keeps the time of the first", arguments: Kind.allCases)
    func revokedAgain(_ kind: Kind) throws {
        let ledger = try founded(kind)
        _ = try ledger.settle(enrol(1), at: start)
        #expect(try ledger.settle(.revoke(anna, device(1)), at: start + 1) == .done)
        #expect(try ledger.settle(.revoke(anna, device(1)), at: start + 2) == .done)
        guard case .device(let found) = try ledger.settle(.readDevice(anna, device(1))) else {
            Issue.record("none")
            return
        }
        #expect(found.revoked == start + 1)
    }
}
