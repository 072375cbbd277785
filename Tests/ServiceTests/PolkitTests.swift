import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

/// Polkit's agent in the owner's session, in system mode.
final class PolkitAsking {
    let peer: Peer
    private let stand: Stand
    /// The prompts that it has shown, for as long as it is there.
    private var prompts: [Peer] = []

    static let words = PolkitWords(
        action: "org.freedesktop.policykit.exec", message: "Run ‘id’ as the super user", vendor: "The polkit project",
        icon: "dialog-password", command: "/usr/bin/pkexec /usr/bin/id", details: [.init("user", "root")], account: "ada",
        isKept: true)

    static func machine(mode: DeviceMode = .system, at place: CallerPlace = .display(session: "2")) throws -> Stand {
        let stand = try Stand(mode: mode)
        stand.place.withLock { $0 = place }
        // Here one process is the agent, and the helper too.
        stand.onLoop { $0.device.lentTouches.parent = { _ in getpid() } }
        return stand
    }

    init(_ stand: Stand) throws {
        self.stand = stand
        peer = try stand.connect()
        try peer.send(.hello(Hello(role: .polkit)))
        guard case .welcome? = try peer.next() else { throw Peer.Surprise() }
    }

    func ask(_ words: PolkitWords = words, of uid: UInt32 = getuid(), takesFinger: Bool = true) throws {
        try peer.send(AskForPolkit(uid: uid, words, takesFinger: takesFinger))
    }

    /// The window that shows the question.
    func prompt() throws -> Peer {
        guard case .windowNeeded(let ticket)? = try peer.next() else { throw Peer.Surprise() }
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: ticket, surface: .terminal)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        prompts.append(prompt)
        return prompt
    }

    /// What was typed, as the agent gets it.
    func typed() throws -> SecretBytes? {
        guard let frame = try peer.nextFrame(), case .check(let said) = try ToPolkitAgent(frame) else { return nil }
        return said.password
    }

    func lend(to process: Int32 = getpid()) throws -> Bool {
        try peer.send(LendTouch(to: UInt32(process)))
        guard case .flag(let isLent)? = try peer.next() else { throw Peer.Surprise() }
        return isLent
    }

    /// What our module hears that asks in this process, as in polkit's helper.
    static func module(_ stand: Stand) throws -> Result<Factor, EvaluationFailure>? {
        let login = try stand.connect(as: .login)
        try login.send(.hello(Hello(role: .login)))
        guard case .welcome? = try login.next() else { throw Peer.Surprise() }
        try login.send(AskOwner(uid: getuid(), LoginDeed(service: "polkit-1", becomes: "ada")))
        return try login.evaluated()
    }

    /// A question that the owner has answered with a finger.
    static func touched(_ stand: Stand) throws -> PolkitAsking {
        let asking = try PolkitAsking(stand)
        try asking.ask()
        _ = try asking.prompt().shown()
        try #require(stand.see(owner: true))
        try #require(try asking.peer.evaluated() == .success(.biometry))
        return asking
    }
}

@Suite("Polkit's agent", .enabled(if: geteuid() == 0, "takes root"), .timeLimit(.minutes(5)))
struct PolkitTests {
    static func note(_ name: String, succeeded: Bool) {
        Tally.attack(name, succeeded: succeeded)
        #expect(!succeeded, "\(name)")
    }

    @Test("the owner sees all that polkit says, and a touch is lent to the helper's process, where the module gets it once")
    func finger() throws {
        let stand = try PolkitAsking.machine()
        let asking = try PolkitAsking(stand)
        try asking.ask()
        let prompt = try asking.prompt()
        let content = try #require(try prompt.shown())
        #expect(content.polkit == PolkitAsking.words && content.words == PromptWords(ours: PolkitAsking.words.message))
        #expect(content.program.name == "polkit" && content.program.kind == .protected)
        #expect(content.purpose == .systemPassword && content.acceptsPasscode && content.listening == .touchID)
        #expect(try PolkitAsking.module(stand) == .failure(.notInteractive))
        #expect(stand.see(owner: true))
        #expect(try asking.peer.evaluated() == .success(.biometry))
        #expect(try prompt.dismissed() == .success)
        #expect(try asking.lend())
        #expect(try PolkitAsking.module(stand) == .success(.biometry))
        let again = try PolkitAsking.module(stand)
        Self.note("a touch for polkit is used twice", succeeded: again != .failure(.notInteractive))
    }

    @Test("a typed password is the agent's to judge: a wrong one asks again, and neither counts as a passcode")
    func password() throws {
        let stand = try PolkitAsking.machine()
        let asking = try PolkitAsking(stand)
        try asking.ask()
        let prompt = try asking.prompt()
        _ = try prompt.shown()
        for _ in 0..<7 {
            try prompt.send(.typed(secret("guess")))
            #expect(try asking.typed() == secret("guess"))
            try asking.peer.send(HelperVerdict(.wrong, delay: 0))
            let content = try #require(try prompt.shown())
            #expect(content.notice == .wrongPasscode && content.passcodeWait == 0 && content.acceptsPasscode)
        }
        #expect(stand.onLoop { $0.device.parts.ledger.attempts } == Attempts())
        try prompt.send(.typed(secret("hunter22")))
        #expect(try asking.typed() == secret("hunter22"))
        try asking.peer.send(HelperVerdict(.right, delay: 0))
        #expect(try asking.peer.evaluated() == .success(.passcode))
        #expect(try prompt.dismissed() == .success)
        let isLent = try asking.lend()
        Self.note("a password for polkit counts as a touch", succeeded: isLent)
    }

    @Test("what PAM asks besides goes to the prompt, and the answer back")
    func question() throws {
        let stand = try PolkitAsking.machine()
        let asking = try PolkitAsking(stand)
        try asking.ask()
        let prompt = try asking.prompt()
        _ = try prompt.shown()
        try prompt.send(.typed(secret("hunter22")))
        _ = try asking.typed()
        let code = AccountQuestion(text: "Code:", isHidden: false)
        try asking.peer.send(code)
        #expect(try prompt.shown()?.notice == .question(code))
        try prompt.send(.typed(secret("123456")))
        guard let frame = try asking.peer.nextFrame(), case .reply(let said) = try ToPolkitAgent(frame) else {
            throw Peer.Surprise()
        }
        #expect(said.typed == secret("123456"))
        try asking.peer.send(HelperVerdict(.right, delay: 0))
        #expect(try asking.peer.evaluated() == .success(.passcode))
    }

    @Test("a judge that says nothing has judged nothing, and may still be asked again")
    func silentJudge() {
        let verdicts = Notes<AccountVerdict>()
        let judge = EventLoop.shared.sync {
            let judge = RelayedPassword(within: 0.05, reply: { _ in }, send: { _ in })
            judge.check(secret("hunter22"), asking: { _, _ in }) { verdicts.add($0) }
            return judge
        }
        #expect(verdicts.wait { !$0.isEmpty } == [.unavailable])
        EventLoop.shared.sync {
            // Too late for the first.
            judge.says(.right)
            judge.check(secret("hunter22"), asking: { _, _ in }) { verdicts.add($0) }
            judge.says(.wrong)
        }
        #expect(verdicts.wait { $0.count > 1 } == [.unavailable, .wrong])
    }

    @Test("five misses lock the sensor for polkit and apps alike, and the password that polkit takes ends no lockout")
    func lockout() throws {
        let stand = try PolkitAsking.machine()
        let first = try PolkitAsking(stand)
        try first.ask()
        var prompt = try first.prompt()
        _ = try prompt.shown()
        for _ in 0..<3 { #expect(stand.see(owner: false)) }
        while try prompt.shown()?.listening != BiometryKind.none {}
        try prompt.send(.cancelled)
        #expect(try first.peer.evaluated() == .failure(.userCancel))
        let second = try PolkitAsking(stand)
        try second.ask()
        prompt = try second.prompt()
        _ = try prompt.shown()
        for _ in 0..<2 { #expect(stand.see(owner: false)) }
        var content = try prompt.shown()
        while content?.listening != BiometryKind.none { content = try prompt.shown() }
        #expect(content?.notice == .biometryLocked && content?.acceptsPasscode == true)
        try prompt.send(.typed(secret("hunter22")))
        _ = try second.typed()
        try second.peer.send(HelperVerdict(.right, delay: 0))
        #expect(try second.peer.evaluated() == .success(.passcode))
        let isOpen = stand.onLoop { !$0.device.parts.ledger.attempts.isBiometryLocked }
        Self.note("a system's password ends a lockout of the sensor", succeeded: isOpen)
    }

    @Test("no finger is asked for in another's name, for words that aren't shown whole, or where PAM asks for none")
    func passwordAlone() throws {
        let long = PolkitWords(
            action: "a", message: String(repeating: "x", count: PolkitWords.textLimit + 1), account: "ada")
        let spread = PolkitWords(action: "a", message: "Run ‘x’.        Not ‘y’", account: "ada")
        // Root would run two commands, of which the window shows one.
        let lines = PolkitWords(action: "a", message: "m", command: "pkexec sh -c 'echo hi\n/tmp/x'", account: "ada")
        let marked = PolkitWords(action: "a", message: "m", command: "pkexec sh -c 'echo `/tmp/x`'", account: "ada")
        #expect(!long.isWhole && !spread.isWhole && !lines.isWhole && !marked.isWhole)
        for (words, uid, takesFinger) in [
            (PolkitAsking.words, getuid() + 1, true), (long, getuid(), true), (spread, getuid(), true), (lines, getuid(), true),
            (marked, getuid(), true),
            (PolkitAsking.words, getuid(), false),
        ] {
            let stand = try PolkitAsking.machine()
            let asking = try PolkitAsking(stand)
            try asking.ask(words, of: uid, takesFinger: takesFinger)
            let content = try #require(try asking.prompt().shown())
            #expect(content.listening == .none && content.acceptsPasscode)
        }
    }

    @Test("a picture before a camera is no finger")
    func picture() throws {
        let stand = try Stand(biometry: .faceID, mode: .system)
        stand.place.withLock { $0 = .display(session: "2") }
        stand.onLoop { $0.sensor.level = .convenience }
        let asking = try PolkitAsking(stand)
        try asking.ask()
        #expect(try asking.prompt().shown()?.listening == BiometryKind.none)
    }

    @Test("one agent has one question at a time on a connection, and it is taken back when the agent goes")
    func one() throws {
        let stand = try PolkitAsking.machine()
        let asking = try PolkitAsking(stand)
        try asking.ask()
        let prompt = try asking.prompt()
        _ = try prompt.shown()
        try asking.ask()
        #expect(try asking.peer.refusal() == .tooManyCalls)
        #expect(try prompt.dismissed() == .cancelled)
    }

    @Test("nobody is polkit's agent in user mode, or without a session in front of a display")
    func roles() throws {
        for (mode, place) in [
            (DeviceMode.user, CallerPlace.display(session: "2")), (.simulated, .display(session: "2")),
            (.system, .console(session: "2")), (.system, .remote), (.system, .unknown),
        ] {
            let stand = try PolkitAsking.machine(mode: mode, at: place)
            let peer = try stand.connect()
            try peer.send(.hello(Hello(role: .polkit)))
            #expect(try peer.refusal() == .notAllowedInThisRole)
        }
    }

    @Test("a program that root doesn't vouch for is nobody's agent, in the right session neither")
    func unvouched() throws {
        let stand = try Stand(onlyUser: nil, mode: .system)
        stand.place.withLock { $0 = .display(session: "2") }
        let path = try stand.listen()
        // Root vouches for itself, so this takes somebody else.
        let stranger = Peer(try Nobody.connect(to: path), of: stand)
        try stranger.send(.hello(Hello(role: .polkit)))
        let refusal = try stranger.refusal()
        Self.note("a program that root doesn't vouch for is polkit's agent", succeeded: refusal != .notAllowedInThisRole)
    }

    @Test("an app can't have the owner asked in polkit's name, and can't lend a touch")
    func apps() throws {
        let stand = try PolkitAsking.machine()
        for word in [AskForPolkit(uid: getuid(), PolkitAsking.words, takesFinger: true), LendTouch(to: 1)] as [any Word] {
            let app = try stand.app()
            try app.send(word)
            #expect(try app.refusal() == .notAllowedInThisRole)
        }
    }

    @Test("without a touch there is nothing to lend, and a touch is lent to one process")
    func lending() throws {
        let stand = try PolkitAsking.machine()
        let idle = try PolkitAsking(stand)
        let isLent = try idle.lend()
        let untouched = try PolkitAsking.module(stand)
        Self.note("polkit's agent lends a touch that nobody gave", succeeded: isLent || untouched != .failure(.notInteractive))
        let asking = try PolkitAsking.touched(stand)
        #expect(try asking.lend(to: getpid() + 1))
        let other = try PolkitAsking.module(stand)
        Self.note(
            "another process gets the touch that was lent to polkit's helper", succeeded: other != .failure(.notInteractive))
        #expect(try !asking.lend())
        // The number that a helper had may be another process's by the time it asks.
        let reused = try PolkitAsking.touched(stand)
        #expect(try reused.lend())
        stand.onLoop { $0.device.lentTouches.parent = LentTouches().parent }
        let stranger = try PolkitAsking.module(stand)
        Self.note(
            "a process that the agent didn't start gets the touch of one that it did",
            succeeded: stranger != .failure(.notInteractive))
    }

    @Test("the longest words that there are reach the prompt")
    func longest() throws {
        let text = String(repeating: "\u{1F44D}", count: PolkitWords.textLimit)
        let words = PolkitWords(
            action: ExactName(text), message: text, vendor: text, icon: "i", command: text, asker: text,
            details: [PolkitWords.Detail](repeating: .init(text, text), count: PolkitWords.mostDetails), account: ExactName(text))
        let asking = try PolkitAsking(try PolkitAsking.machine())
        try asking.ask(words)
        #expect(try asking.prompt().shown()?.polkit == words)
    }

    @Test("a touch ends with the agent's connection, and with the next question")
    func ends() throws {
        let stand = try PolkitAsking.machine()
        let gone = try PolkitAsking.touched(stand)
        #expect(try gone.lend())
        gone.peer.close()
        // It may be heard after the module has asked, so another connection's words come between.
        _ = try stand.app().isHeard()
        #expect(try PolkitAsking.module(stand) == .failure(.notInteractive))
        let asking = try PolkitAsking.touched(stand)
        try asking.ask()
        _ = try asking.prompt().shown()
        let isLent = try asking.lend()
        Self.note("a touch for one question of polkit's answers the next", succeeded: isLent)
    }
}
