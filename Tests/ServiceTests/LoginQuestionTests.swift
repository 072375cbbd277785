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

/// A login that asks for a finger where PAM asks for a password.
private final class Asking {
    let peer: Peer
    private let stand: Stand
    /// The prompts that it shows, for as long as it is there.
    private var prompts: [Peer] = []

    static let deed = LoginDeed(
        service: "sudo", command: "sudo apt install sl", person: "ada", becomes: "root", terminal: "tty2")

    init(_ stand: Stand, _ deed: LoginDeed = deed, uid: UInt32 = getuid()) throws {
        self.stand = stand
        peer = try stand.connect(as: .login)
        try peer.send(.hello(Hello(role: .login)))
        guard case .welcome? = try peer.next() else { throw Peer.Surprise() }
        try peer.send(AskOwner(uid: uid, deed))
    }

    /// The prompt that the login shows on its own terminal.
    func prompt(_ arrived: PeerArrived? = .login) throws -> Peer {
        let prompt = try stand.connect(as: arrived)
        try prompt.send(.hello(Hello(role: .prompt, ticket: try peer.ticket(), surface: .terminal)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        prompts.append(prompt)
        return prompt
    }
}

@Suite("A login's question", .enabled(if: geteuid() == 0, "takes root"), .timeLimit(.minutes(5)))
struct LoginQuestionTests {
    private func isListening(_ stand: Stand) throws -> Bool {
        _ = try stand.app().isHeard()
        return stand.onLoop { $0.sensor.isListening }
    }

    @Test("is asked for a finger alone, says what asks for what, and the owner's finger answers it")
    func finger() throws {
        let stand = try Stand()
        let asking = try Asking(stand)
        let prompt = try asking.prompt()
        let content = try #require(try prompt.shown())
        let kept = ", and for some minutes whatever else sudo is given there"
        #expect(content.words == PromptWords(ours: "run ‘sudo apt install sl’ as ‘root’, asked in ‘tty2’" + kept))
        #expect(content.program.name == "sudo" && content.program.kind == .protected)
        #expect(!content.acceptsPasscode && !content.offersFallback)
        #expect(stand.see(owner: true))
        #expect(try asking.peer.evaluated() == .success(.biometry))
        #expect(try prompt.dismissed() == .success)
    }

    @Test("is in the log under what asked for it: a no and a yes, with the finger that was shown for that")
    func noted() throws {
        let stand = try Stand()
        let refused = try Asking(stand)
        let refusing = try refused.prompt()
        _ = try refusing.shown()
        try refusing.send(.cancelled)
        #expect(try refused.peer.evaluated() == .failure(.userCancel))
        let asking = try Asking(stand)
        _ = try asking.prompt().shown()
        #expect(stand.see(owner: true))
        #expect(try asking.peer.evaluated() == .success(.biometry))
        let records = stand.onLoop { graph -> [AuditRecord] in
            let page = try? graph.device.audit.read(from: 0, of: nil)
            return (page?.entries ?? []).map(\.record).filter { $0.name == "sudo" }
        }
        #expect(records.count == 2 && records.allSatisfy { $0.event == .evaluated })
        #expect(records.filter { $0.failure == nil }.map(\.factors) == [[.biometry]])
        #expect(records.compactMap(\.failure) == [.userCanceled])
    }

    @Test("isn't answered by a passcode at its prompt")
    func passcode() throws {
        let stand = try Stand()
        let asking = try Asking(stand)
        let prompt = try asking.prompt()
        _ = try prompt.shown()
        try prompt.send(.typed(secret("1234")))
        #expect(try isListening(stand))
        #expect(stand.see(owner: true))
        #expect(try asking.peer.evaluated() == .success(.biometry))
    }

    @Test("five misses end it, and lock the sensor for logins and apps alike")
    func misses() throws {
        let stand = try Stand()
        // As everywhere, one question takes three of them.
        for (times, failure) in [(3, EvaluationFailure.authenticationFailed), (2, .biometryLockout)] {
            let asking = try Asking(stand)
            _ = try asking.prompt().shown()
            for _ in 0..<times { #expect(stand.see(owner: false)) }
            #expect(try asking.peer.evaluated() == .failure(failure))
        }
        // Nobody is asked any more.
        #expect(try Asking(stand).peer.evaluated() == .failure(.biometryLockout))
        let app = try stand.app()
        try app.send(.capability(context: 1, policy: Policy.biometrics.rawValue))
        guard case .capability(let capability)? = try app.next() else { throw Peer.Surprise() }
        #expect(capability.failure == .biometryLockout)
    }

    @Test("is taken back when the login goes away, as after a typed password")
    func takenBack() throws {
        let stand = try Stand()
        let asking = try Asking(stand)
        let prompt = try asking.prompt()
        _ = try prompt.shown()
        #expect(try isListening(stand))
        asking.peer.close()
        #expect(try prompt.dismissed() == .cancelled)
        #expect(try !isListening(stand))
        // The next one is asked as if there had been none before.
        let again = try Asking(stand)
        _ = try again.prompt().shown()
        #expect(stand.see(owner: true))
        #expect(try again.peer.evaluated() == .success(.biometry))
    }

    @Test("nobody is asked where the owner can't touch: elsewhere, before the passcode, for another user, without a sensor")
    func nobody() throws {
        let away = try Stand()
        away.place.withLock { $0 = .remote }
        #expect(try Asking(away).peer.evaluated() == .failure(.biometryNotAvailable))
        let left = try Stand()
        left.onLoop { $0.seat.isSeated = false }
        #expect(try Asking(left).peer.evaluated() == .failure(.biometryNotAvailable))
        let started = try Stand()
        started.onLoop { $0.device.parts.passcode.dropKeys() }
        guard case .failure? = try Asking(started).peer.evaluated() else { throw Peer.Surprise() }
        #expect(try Asking(Stand(), uid: getuid() + 1).peer.evaluated() == .failure(.notInteractive))
        #expect(try Asking(Stand(biometry: .none)).peer.evaluated() == .failure(.biometryNotAvailable))
    }

    @Test("nobody is asked where the question would show the command otherwise than it is")
    func inexact() throws {
        for command in ["sudo sh -c \"echo hi\n/tmp/x\"", "sudo a  b", "sudo a‘b’"] {
            let deed = LoginDeed(service: "sudo", command: command, person: "ada", becomes: "root", terminal: "tty2")
            let answer = try Asking(Stand(), deed).peer.evaluated()
            Tally.check("sudo's question shows another command than is run", succeeded: answer != .failure(.notInteractive))
            #expect(answer == .failure(.notInteractive), "\(command)")
        }
    }

    /// Whether no connection is left, though the peers have closed none.
    private func isAlone(_ stand: Stand) -> Bool {
        for _ in 0..<6000 {
            if stand.onLoop({ $0.service.population.total }) == 0 { return true }
            usleep(10_000)
        }
        return false
    }

    @Test(
        "a login that was stopped by whoever started it holds no place: behind its answer its connections end, its prompt's too")
    func stopped() throws {
        let stand = try Stand()
        let refused = try Asking(stand, uid: getuid() + 1)
        let asking = try Asking(stand)
        let prompt = try asking.prompt()
        _ = try prompt.shown()
        #expect(stand.see(owner: true))
        let isAlone = isAlone(stand)
        Tally.check("a stopped su holds places of the logins", succeeded: !isAlone)
        #expect(isAlone)
        // Each answer is there for whoever goes on later.
        #expect(try refused.peer.evaluated() == .failure(.notInteractive))
        #expect(try asking.peer.evaluated() == .success(.biometry))
        #expect(try prompt.dismissed() == .success)
    }

    @Test("a login that was greeted and says nothing is closed")
    func silent() throws {
        let stand = try Stand(secondsForHello: 0.2)
        let peer = try stand.connect(as: .login)
        try peer.send(.hello(Hello(role: .login)))
        guard case .welcome? = try peer.next() else { throw Peer.Surprise() }
        #expect(try peer.next() == nil)
    }

    @Test("a picture before a camera is no finger: a sensor at convenience level isn't asked")
    func picture() throws {
        let stand = try Stand(biometry: .faceID)
        stand.onLoop { $0.sensor.level = .convenience }
        let answer = try Asking(stand).peer.evaluated()
        Tally.check("a picture answers a login", succeeded: answer != .failure(.biometryNotAvailable))
        #expect(answer == .failure(.biometryNotAvailable))
        #expect(try !isListening(stand))
    }

    @Test("where no window can be shown, the login says so, and the call ends")
    func noWindow() throws {
        let stand = try Stand()
        stand.place.withLock { $0 = .display(session: "1") }
        let asking = try Asking(stand)
        guard case .windowNeeded(let ticket)? = try asking.peer.next() else { throw Peer.Surprise() }
        try asking.peer.send(.promptUnavailable(ticket: ticket))
        #expect(try asking.peer.evaluated() == .failure(.notInteractive))
    }

    @Test("one login has one question at a time")
    func one() throws {
        let stand = try Stand()
        let asking = try Asking(stand)
        _ = try asking.peer.ticket()
        try asking.peer.send(AskOwner(uid: getuid(), Asking.deed), call: 2)
        #expect(try asking.peer.refusal() == .tooManyCalls)
    }

    @Test("an app may not ask it, and a login may not show a prompt without a ticket")
    func roles() throws {
        let stand = try Stand()
        let app = try stand.app()
        try app.send(AskOwner(uid: getuid(), Asking.deed))
        #expect(try app.refusal() == .notAllowedInThisRole)
        for ticket in [nil, [UInt8](repeating: 7, count: WireLimit.ticketBytes)] {
            let prompt = try stand.connect(as: .login)
            try prompt.send(.hello(Hello(role: .prompt, ticket: ticket, surface: .terminal)))
            #expect(try prompt.refusal() == .ticketNotGood)
        }
    }

    @Test("a finger that answered one login answers no other")
    func another() throws {
        let stand = try Stand()
        let first = try Asking(stand)
        let shown = try first.prompt()
        _ = try shown.shown()
        let second = try Asking(stand, LoginDeed(service: "su", person: "ada", becomes: "root", terminal: "pts/3"))
        #expect(stand.see(owner: true))
        #expect(try first.peer.evaluated() == .success(.biometry))
        // Its prompt never came, so nothing was shown to the owner.
        stand.onLoop { $0.sensor.see(owner: true) }
        let other = try second.prompt()
        let content = try #require(try other.shown())
        #expect(content.words.reason == "let ‘ada’ become ‘root’, asked in ‘pts/3’")
        let isAnswered = try second.peer.isAnswered()
        Tally.check("a touch for one login answers another", succeeded: isAnswered)
        #expect(!isAnswered)
        #expect(stand.see(owner: true))
        #expect(try second.peer.evaluated() == .success(.biometry))
    }
}

extension Peer {
    /// Whether something has come already.
    fileprivate func isAnswered() throws -> Bool {
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) == 1
    }
}
