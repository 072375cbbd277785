import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@Suite("The system's login", .enabled(if: geteuid() == 0, "takes root and another user"))
struct LoginTests {
    private func login(_ stand: Stand) throws -> Peer {
        let peer = try stand.connect(as: .login)
        try peer.send(.hello(Hello(role: .login)))
        guard case .welcome? = try peer.next() else { throw Peer.Surprise() }
        return peer
    }

    @Test("is root's alone")
    func rootAlone() throws {
        let stand = try Stand()
        let path = try stand.listen()
        let own = Peer(try UnixSocket.connect(to: path).get())
        try own.send(.hello(Hello(role: .login)))
        #expect(try own.refusal() == .notAllowedInThisRole)
        // Nor is it anything else that the front brought as a login.
        let app = try stand.connect(as: .login)
        try app.send(.hello(Hello(role: .app)))
        #expect(try app.refusal() == .notAllowedInThisRole)
        let nobody = try stand.hears { try Nobody.connect(to: $0) }
        #expect(try nobody.next() == nil)
    }

    @Test("may offer a password and say nothing else")
    func nothingElse() throws {
        let stand = try Stand(onlyUser: nil)
        let requests: [any Word] = [
            GetStatus(), Echo(secret("x")), SetPasscode(), RemovePasscode(), MakeRecoveryCode(), Recover(secret("x")),
            UseAccountPassword(), FindItems(Query(itemClass: .genericPassword)), ReadAudit(.whole, from: 0), VerifyAudit(.whole),
            Typed(secret("1234")),
            Cancelled(),
            GetCapability(1, context: 1), ExportChunk(), ListApps(), Hello(role: .app),
        ]
        for request in requests {
            let peer = try login(stand)
            try peer.send(request)
            #expect(try peer.refusal() == .notAllowedInThisRole)
        }
    }

    @Test("an app may not offer one, not even root's")
    func apps() throws {
        let app = try Stand().app()
        try app.send(.offerPasscode(uid: getuid(), secret("1234"), isNew: false))
        #expect(try app.refusal() == .notAllowedInThisRole)
    }

    @Test("another user's password, and one for a passcode of its own, are of no use, are not tried and cost nothing")
    func ofNoUse() throws {
        let stand = try Stand(passcode: "1234", onlyUser: getuid())
        stand.onLoop { $0.device.parts.passcode.dropKeys() }
        for (uid, isNew) in [(getuid() + 1, false), (getuid(), false), (getuid(), true)] {
            let peer = try login(stand)
            try peer.send(.offerPasscode(uid: uid, secret("1234"), isNew: isNew))
            guard case .flag(false)? = try peer.next() else { throw Peer.Surprise() }
            // A login has one password to say.
            #expect(try peer.next() == nil)
        }
        #expect(stand.onLoop { !$0.device.parts.passcode.wasGiven && $0.device.parts.ledger.attempts == Attempts() })
    }

    @Test("another user's password isn't tried, even where it is the owner's too")
    func anothersPassword() throws {
        let stand = try Stand(passcode: nil, account: OneAccount("pass word"))
        let (password, kept) = (secret("pass word"), Notes<Bool>())
        stand.onLoop { $0.device.parts.passcode.set(password, from: .account) { kept.add($0) } }
        try #require(kept.wait { !$0.isEmpty } == [true])
        stand.onLoop { $0.device.parts.passcode.dropKeys() }
        let peer = try login(stand)
        try peer.send(.offerPasscode(uid: getuid() + 1, secret("pass word"), isNew: false))
        guard case .flag(false)? = try peer.next() else { throw Peer.Surprise() }
        #expect(stand.onLoop { !$0.device.parts.passcode.wasGiven })
    }

    @Test("offers one password at a time; another before the answer is one too many")
    func one() throws {
        // The system asks for more, so the first one stays without a verdict.
        let account = OneAccount("pass word", asks: AccountQuestion(text: "Code: ", isHidden: true))
        let stand = try Stand(passcode: nil, account: account)
        let (password, kept) = (secret("pass word"), Notes<Bool>())
        stand.onLoop { $0.device.parts.passcode.set(password, from: .account) { kept.add($0) } }
        try #require(kept.wait { !$0.isEmpty } == [true])
        let peer = try login(stand)
        for call: UInt32 in 1...2 { try peer.send(.offerPasscode(uid: getuid(), password, isNew: false), call: call) }
        #expect(try peer.refusal() == .tooManyCalls)
        #expect(account.answers.all == [false])
    }

    @Test("a login that leaves before it is greeted has said its password all the same")
    func leaves() throws {
        let stand = try Stand(passcode: nil, account: OneAccount("pass word"))
        let (password, kept) = (secret("pass word"), Notes<Bool>())
        stand.onLoop { $0.device.parts.passcode.set(password, from: .account) { kept.add($0) } }
        try #require(kept.wait { !$0.isEmpty } == [true])
        stand.onLoop { $0.device.parts.passcode.dropKeys() }
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let said = [Hello(role: .login).frame(call: 1), OfferPasscode(uid: getuid(), password, isNew: false).frame(call: 2)]
        for frame in said {
            var frame = OutgoingFrame(plain: frame.plain, secrets: frame.secrets)
            try #require(frame.send(to: ends[1], waiting: true) == .sent)
        }
        close(ends[1])
        let theirs = ends[0]
        stand.onLoop { $0.service.serve(theirs, as: .login) }
        for _ in 0..<6000 where !stand.onLoop({ $0.device.parts.passcode.wasGiven }) { usleep(5000) }
        #expect(stand.onLoop { $0.device.parts.passcode.wasGiven })
    }

    @Test("the account's right password ends a lockout and the wait after wrong guesses; a wrong password ends neither")
    func lockout() throws {
        let stand = try Stand(passcode: nil, account: OneAccount("pass word"))
        let (password, kept) = (secret("pass word"), Notes<Bool>())
        stand.onLoop { $0.device.parts.passcode.set(password, from: .account) { kept.add($0) } }
        try #require(kept.wait { !$0.isEmpty } == [true])
        let missed = Attempts(biometric: Attempts.biometricLimit, passcode: 6)
        stand.onLoop { try? $0.ledger.commit(missed) }
        for (typed, isRight) in [("a guess", false), ("pass word", true)] {
            let peer = try login(stand)
            try peer.send(.offerPasscode(uid: getuid(), secret(typed), isNew: false))
            guard case .flag(let isTaken)? = try peer.next() else { throw Peer.Surprise() }
            #expect(isTaken == isRight)
            #expect(stand.onLoop { $0.ledger.attempts } == (isRight ? Attempts() : missed))
        }
    }
}
