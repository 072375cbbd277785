import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

// What a finger at a login is worth, once it is known how the login went on.

extension LoginConsoleTests {
    private func isOpen(_ stand: Stand) -> Bool { stand.onLoop { $0.passcode.wasOpenedAtLogin } }

    private func isShut(_ stand: Stand) -> Bool { waits { !isOpen(stand) } }

    @Test("a login that is refused after the finger, by an account that may not log in, has opened nothing")
    func refused() throws {
        let stand = try machine(.opens)
        let peer = try letIn(stand)
        #expect(isOpen(stand))
        peer.close()
        let isShut = self.isShut(stand)
        Tally.check("a login that was refused opens the owner's secrets", succeeded: !isShut)
        #expect(isShut && !isUnlocked(stand))
        #expect(try biometry(stand) == .biometryLockout)
    }

    @Test("a login that doesn't say in time how it goes on, as at an expired password, has opened nothing")
    func late() throws {
        let stand = try machine(.opens, secondsToStand: 0.2)
        let peer = try letIn(stand)
        let isShut = self.isShut(stand)
        Tally.check("a login that waits behind the finger keeps the owner's secrets open", succeeded: !isShut)
        #expect(isShut && !isUnlocked(stand))
        #expect(try peer.next() == nil)
    }

    @Test("a login that goes on has opened it for good, also when its connection closes at once")
    func goneOn() throws {
        let stand = try machine(.opens)
        let peer = try letIn(stand)
        try peer.send(LoginStands())
        peer.close()
        let isHeard = waits { isUnlocked(stand) }
        #expect(isHeard)
        let isGone = waits { stand.onLoop { $0.service.population.total } == 0 }
        #expect(isGone && isOpen(stand))
        #expect(try biometry(stand) == nil)
    }

    @Test("a refused login takes nothing from another one: from one that went on before, nor from one that may still go on")
    func two() throws {
        let before = try machine(.opens)
        try goesOn(try letIn(before), before)
        try letIn(before).close()
        let beside = try machine(.opens)
        let refused = try letIn(beside)
        let other = try letIn(beside)
        refused.close()
        for stand in [before, beside] {
            let isGone = waits { stand.onLoop { $0.service.population.total } <= (stand === beside ? 1 : 0) }
            #expect(isGone && isOpen(stand))
        }
        // The other one is refused too.
        other.close()
        #expect(isShut(beside))
    }

    @Test("the passcode stays given when a login is refused, whether it was given before or meanwhile", arguments: [false, true])
    func passcodeGiven(before: Bool) throws {
        let stand = try machine(.opens)
        func give() {
            stand.onLoop { $0.device.parts.passcode.check(secret("1234")) { _ in } }
            let isGiven = waits { stand.onLoop { $0.device.parts.passcode.wasGiven } }
            #expect(isGiven)
        }
        if before { give() }
        let peer = try letIn(stand)
        if !before { give() }
        peer.close()
        let isGone = waits { stand.onLoop { $0.service.population.total } == 0 }
        #expect(isGone && stand.onLoop { $0.device.parts.passcode.wasGiven })
        #expect(try biometry(stand) == nil)
    }

    @Test("nobody else may say that a login goes on: not before the finger, not twice, not for what gives root")
    func noLogin() throws {
        let stand = try machine(.opens)
        let early = try login(stand)
        _ = try early.ticket()
        try early.send(LoginStands())
        #expect(try early.refusal() == .notAllowedInThisRole)
        let twice = try letIn(stand)
        try goesOn(twice, stand)
        // Nothing more is heard of it.
        #expect(try twice.next() == nil)
        let other = try Stand()
        let root = try login(other, LoginDeed(service: "sudo", command: "sudo id", person: "ada", becomes: "root"))
        let prompt = try prompt(other, root)
        _ = try prompt.shown()
        #expect(other.see(owner: true))
        #expect(try root.evaluated() == .success(.biometry))
        #expect(try root.next() == nil)
        #expect(!isUnlocked(other))
    }

    // MARK: Unlocking

    private static let console = LoginDeed(service: "vlock", becomes: "ada", terminal: "tty2")

    private func unlock(_ stand: Stand, _ deed: LoginDeed, at place: CallerPlace) throws {
        stand.place.withLock { $0 = place }
        let peer = try login(stand, deed)
        let prompt = try deed.isGreeter ? greeter(stand, peer) : prompt(stand, peer)
        _ = try prompt.shown()
        #expect(stand.see(owner: true))
        #expect(try peer.evaluated() == .success(.biometry))
    }

    @Test(
        "a finger that unlocks a session, at its lock screen or on its console, opens nothing, and spares apps that allow it a question"
    )
    func unlocks() throws {
        for (deed, place) in [(Self.unlocking, CallerPlace.display(session: "2")), (Self.console, .console(session: "2"))] {
            let stand = try Stand()
            try unlock(stand, deed, at: place)
            #expect(stand.onLoop { $0.passcode.tries } == 0 && isUnlocked(stand), "\(deed)")
            let app = try stand.app()
            try app.send(
                .evaluate(
                    EvaluationRequest(
                        context: 1, subject: .policy(.biometrics), words: PromptWords(reason: "open"), reuseSeconds: 60)))
            #expect(try app.evaluated() == .success(.biometry), "\(deed)")
            // A lock takes it back.
            stand.onLoop { $0.device.session.lock() }
            #expect(!isUnlocked(stand), "\(deed)")
        }
    }

    @Test("a finger for something else on a console unlocks nothing")
    func unlocksNothing() throws {
        let stand = try Stand()
        let deed = LoginDeed(service: "sudo", command: "sudo id", person: "ada", becomes: "root", terminal: "tty2")
        try unlock(stand, deed, at: .console(session: "2"))
        #expect(!isUnlocked(stand))
    }
}
