import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

/// A login at a text console, before there is a session.
@Suite("A login's question before a session", .enabled(if: geteuid() == 0, "takes root"), .timeLimit(.minutes(5)))
struct LoginConsoleTests {
    private static let deed = LoginDeed(service: "login", becomes: "ada", terminal: "tty1")

    func machine(_ login: OpeningPasscode.Login, at console: String? = "tty1", secondsToStand: Double = 60) throws -> Stand {
        try Stand.started(login, at: console, secondsToStand: secondsToStand)
    }

    func login(_ stand: Stand, _ deed: LoginDeed = deed) throws -> Peer {
        let peer = try stand.connect(as: .login)
        try peer.send(.hello(Hello(role: .login)))
        guard case .welcome? = try peer.next() else { throw Peer.Surprise() }
        try peer.send(AskOwner(uid: getuid(), deed))
        return peer
    }

    /// The login's question on its own console. It is there for as long as somebody holds it.
    func prompt(_ stand: Stand, _ peer: Peer) throws -> Peer {
        let prompt = try stand.connect(as: .login)
        try prompt.send(.hello(Hello(role: .prompt, ticket: try peer.ticket(), surface: .terminal)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        return prompt
    }

    func biometry(_ stand: Stand) throws -> EvaluationFailure? {
        let app = try stand.app()
        try app.send(.capability(context: 1, policy: Policy.biometrics.rawValue))
        guard case .capability(let capability)? = try app.next() else { throw Peer.Surprise() }
        return capability.failure
    }

    @Test("where the owner chose that, a finger opens the store, biometry with it, and counts as the session's unlock")
    func opens() throws {
        let stand = try machine(.opens)
        #expect(try biometry(stand) == .biometryLockout)
        let peer = try login(stand)
        let prompt = try prompt(stand, peer)
        let content = try #require(try prompt.shown())
        #expect(content.words.reason == "let ‘ada’ log in, asked in ‘tty1’" && !content.acceptsPasscode)
        #expect(stand.see(owner: true))
        #expect(try peer.evaluated() == .success(.biometry))
        #expect(stand.onLoop { $0.passcode.tries } == 1)
        #expect(try biometry(stand) == nil)
        #expect(!isUnlocked(stand))
        try goesOn(peer, stand)
        // An app that allows it isn't asked again so soon.
        let app = try stand.app()
        try app.send(
            .evaluate(
                EvaluationRequest(
                    context: 1, subject: .policy(.biometrics), words: PromptWords(reason: "open"), reuseSeconds: 60)))
        #expect(try app.evaluated() == .success(.biometry))
    }

    func isUnlocked(_ stand: Stand) -> Bool { stand.onLoop { $0.device.session.wasUnlockedByBiometry(within: 10) } }

    /// The system has let the account in, and says so.
    func goesOn(_ peer: Peer, _ stand: Stand) throws {
        try peer.send(LoginStands())
        let isHeard = waits { isUnlocked(stand) }
        #expect(isHeard)
    }

    /// A login that the finger has let in.
    func letIn(_ stand: Stand) throws -> Peer {
        let peer = try login(stand)
        let prompt = try prompt(stand, peer)
        _ = try prompt.shown()
        #expect(stand.see(owner: true))
        #expect(try peer.evaluated() == .success(.biometry))
        #expect(try prompt.dismissed() == .success)
        return peer
    }

    private static let greeting = LoginDeed(service: "gdm-fingerprint", becomes: "ada")
    static let unlocking = LoginDeed(service: "gdm-fingerprint", person: "ada", becomes: "ada")

    /// The question as a greeter shows it.
    func greeter(_ stand: Stand, _ peer: Peer) throws -> Peer {
        let prompt = try stand.connect(as: .login)
        try prompt.send(.hello(Hello(role: .prompt, ticket: try peer.ticket())))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        return prompt
    }

    @Test("a greeter's finger opens the store as one at a console does")
    func greeter() throws {
        let stand = try machine(.opens, at: nil)
        let peer = try login(stand, Self.greeting)
        let prompt = try greeter(stand, peer)
        #expect(try #require(try prompt.shown()).words.reason == "let ‘ada’ log in")
        #expect(stand.see(owner: true))
        #expect(try peer.evaluated() == .success(.biometry))
        #expect(stand.onLoop { $0.passcode.tries } == 1 && !isUnlocked(stand))
        try goesOn(peer, stand)
    }

    /// Anybody with a session may have GDM ask for anybody: over SSH, from another user's session, or from one of their own that is in the
    /// background.
    @Test("a greeter's question from elsewhere gets no touch")
    func greeterElsewhere() throws {
        for (place, isOutside, deed) in [
            (.remote, false, Self.greeting), (.unknown, false, Self.greeting), (.display(session: "2"), false, Self.greeting),
            (.console(session: "2"), false, Self.greeting), (.unknown, true, Self.unlocking), (.unknown, false, Self.unlocking),
            (.remote, false, Self.unlocking), (.console(session: "2"), false, Self.unlocking),
        ] as [(CallerPlace, Bool, LoginDeed)] {
            let stand = try Stand()
            stand.place.withLock { $0 = place }
            stand.onLoop { $0.seat.isOutsideSessions = isOutside }
            let outcome = try login(stand, deed).evaluated()
            let isListening = stand.onLoop { $0.sensor.isListening }
            Tally.check("a greeter's touch for somebody elsewhere", succeeded: outcome == .success(.biometry) || isListening)
            #expect(outcome == .failure(.biometryNotAvailable) && !isListening, "\(place), \(isOutside), \(deed)")
        }
    }

    @Test("before the passcode, no finger is asked for where the owner didn't choose that, nor in a session")
    func closed() throws {
        for stand in [try machine(.none), try machine(.opens, at: nil)] {
            #expect(try login(stand).evaluated() == .failure(.biometryLockout))
            #expect(stand.onLoop { $0.passcode.tries == 0 && !$0.sensor.isListening })
        }
        // What gives root isn't a login, wherever a program of the user's starts it.
        for deed in [
            LoginDeed(service: "sudo", command: "sudo id", person: "ada", becomes: "root"),
            LoginDeed(service: "su", becomes: "root"),
            LoginDeed(service: "login", person: "ada", becomes: "root"),
        ] {
            let stand = try machine(.opens)
            let answer = try login(stand, deed).evaluated()
            Tally.check("a sudo outside a session counts as a login", succeeded: answer != .failure(.biometryLockout))
            // The stand's owner is in front of everything, so the lockout comes first.
            #expect(answer == .failure(.biometryLockout))
        }
        let inside = try machine(.opens)
        inside.place.withLock { $0 = .console(session: "3") }
        #expect(
            try login(inside, LoginDeed(service: "sudo", command: "id", becomes: "root")).evaluated()
                == .failure(.biometryLockout))
    }

    @Test("what asks from a session or from afar is no login at the console, though its terminal is the console's")
    func elsewhere() throws {
        for place in [CallerPlace.remote, .console(session: "3"), .display(session: "3")] {
            let stand = try machine(.opens)
            stand.place.withLock { $0 = place }
            let answer = try login(stand).evaluated()
            guard case .failure? = answer else {
                Issue.record("\(place): \(String(describing: answer))")
                continue
            }
            #expect(stand.onLoop { $0.passcode.tries == 0 && !$0.sensor.isListening }, "\(place)")
        }
    }

    @Test("only with the system's service may a login by finger open a store: elsewhere any program of the user's could")
    func systemAlone() throws {
        let stand = try Stand()
        let app = try stand.app()
        try app.send(Allow(.openByFinger, true), call: 7)
        guard case .failed(.unsupported)? = try app.next() else { throw Peer.Surprise() }
        #expect(stand.onLoop { !$0.device.holds(.openByFinger) && $0.passcode.login == .none })
    }

    @Test("a finger at a machine that was started in another way is no login, and opens nothing")
    func foreign() throws {
        let stand = try machine(.isForeign)
        let peer = try login(stand)
        let prompt = try prompt(stand, peer)
        _ = try prompt.shown()
        #expect(stand.see(owner: true))
        #expect(try peer.evaluated() == .failure(.biometryLockout))
        #expect(try prompt.dismissed() == .success)
        #expect(try biometry(stand) == .biometryLockout)
        #expect(stand.onLoop { !$0.device.session.wasUnlockedByBiometry(within: 10) })
    }

    @Test("while five misses stand, a login takes the password alone")
    func misses() throws {
        let stand = try machine(.opens)
        stand.onLoop { try? $0.ledger.commit(Attempts(biometric: Attempts.biometricLimit)) }
        #expect(try login(stand).evaluated() == .failure(.biometryLockout))
        #expect(stand.onLoop { $0.passcode.tries } == 0)
    }

    @Test("a login that is gone when the finger comes has opened nothing")
    func gone() throws {
        let stand = try machine(.opens)
        let peer = try login(stand)
        let prompt = try prompt(stand, peer)
        _ = try prompt.shown()
        peer.close()
        #expect(try prompt.dismissed() == .cancelled)
        stand.onLoop { $0.sensor.see(owner: true) }
        #expect(stand.onLoop { $0.passcode.tries } == 0)
        #expect(try biometry(stand) == .biometryLockout)
    }

    @Test("a login that goes away while the store is being opened has opened nothing")
    func goneMeanwhile() throws {
        let stand = try machine(.opens)
        stand.onLoop { $0.passcode.waits = true }
        let peer = try login(stand)
        let prompt = try prompt(stand, peer)
        _ = try prompt.shown()
        #expect(stand.see(owner: true))
        let isTried = waits { stand.onLoop { $0.passcode.tries } == 1 }
        #expect(isTried)
        peer.close()
        prompt.close()
        let isGone = waits { stand.onLoop { $0.service.population.total } == 0 }
        #expect(isGone)
        stand.onLoop { $0.passcode.goOn() }
        #expect(stand.onLoop { !$0.passcode.wasOpenedAtLogin && !$0.device.session.wasUnlockedByBiometry(within: 10) })
        #expect(try biometry(stand) == .biometryLockout)
    }

    func waits(_ isSo: () -> Bool) -> Bool {
        for _ in 0..<6000 {
            if isSo() { return true }
            usleep(10_000)
        }
        return false
    }

    @Test("once the passcode was given, a login's finger needs no slot")
    func given() throws {
        let stand = try Stand()
        stand.onLoop { $0.seat.loginConsole = "tty1" }
        try goesOn(try letIn(stand), stand)
        #expect(stand.onLoop { $0.passcode.tries } == 0)
    }
}
