import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@testable import ThumbService

@Suite("A prompt's turn, and the sensor's rest after it")
struct TurnTests {
    /// An app whose evaluation has its prompt on the screen.
    private func evaluating(_ stand: Stand) throws -> (app: Peer, prompt: Peer) {
        let (app, prompt, _) = try asking(stand)
        return (app, prompt)
    }

    /// The same, and what the prompt shows first.
    private func asking(_ stand: Stand) throws -> (app: Peer, prompt: Peer, content: PromptContent) {
        let app = try stand.app()
        try app.send(
            .evaluate(EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "open"))))
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket())))
        guard case .welcome? = try prompt.next(), let content = try prompt.shown() else { throw Peer.Surprise() }
        return (app, prompt, content)
    }

    @Test("while what was typed is looked at, however long that takes, its owner doesn't count as idle; afterwards again")
    func looked() throws {
        let stand = try Stand(biometry: .none)
        let (app, prompt) = try evaluating(stand)
        let gate = Gate()
        defer { gate.open() }
        stand.onLoop { graph in _ = graph.device.meter.judge({ gate.wait() }, then: {}) }
        try prompt.send(.typed(secret("9999")))
        // The guess is counted before it is looked at.
        for _ in 0..<6000 where stand.onLoop({ $0.ledger.attempts.passcode }) == 0 { usleep(10_000) }
        stand.onLoop { $0.clock.advance(by: PromptLimit.secondsAtMost + 60) }
        gate.open()
        var notice: PromptNotice?
        while notice != .wrongPasscode, let content = try prompt.shown() { notice = content.notice }
        #expect(notice == .wrongPasscode)
        stand.onLoop { $0.clock.advance(by: PromptLimit.secondsWithoutAct - 1) }
        #expect(!UnixSocket.isReadable(prompt.fd))
        stand.onLoop { $0.clock.advance(by: 1) }
        #expect(try prompt.dismissed() == .cancelled)
        #expect(try app.evaluated() == .failure(.systemCancel))
    }

    @Test("an owner whom the system asks for more counts as idle as at every other prompt")
    func askedForMore() throws {
        let question = AccountQuestion(text: "Code: ", isHidden: true)
        let account = OneAccount("pass word", asks: question)
        let stand = try Stand(biometry: .none, passcode: nil, account: account)
        let app = try stand.app()
        try app.send(.useAccountPassword)
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket())))
        guard case .welcome? = try prompt.next(), try prompt.shown() != nil else { throw Peer.Surprise() }
        try prompt.send(.typed(secret("pass word")))
        #expect(try prompt.shown()?.notice == .question(question))
        stand.onLoop { $0.clock.advance(by: PromptLimit.secondsWithoutAct) }
        #expect(try prompt.dismissed() == .cancelled)
        #expect(account.answers.wait { !$0.isEmpty } == [false])
        guard case .failed? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("a guess that is taken back before its verdict makes the next one wait as long as one that was judged")
    func takenBack() throws {
        let stand = try Stand(biometry: .none)
        stand.onLoop { graph in
            try? graph.ledger.commit(Attempts(passcode: 5))
            // The wait that a start brings is over.
            graph.clock.advance(by: 3600)
        }
        let (app, prompt) = try evaluating(stand)
        let gate = Gate()
        defer { gate.open() }
        stand.onLoop { graph in _ = graph.device.meter.judge({ gate.wait() }, then: {}) }
        try prompt.send(.typed(secret("9999")))
        for _ in 0..<6000 where stand.onLoop({ $0.ledger.attempts.passcode }) == 5 { usleep(10_000) }
        try prompt.send(.cancelled)
        #expect(try app.evaluated() == .failure(.userCancel))
        // It is still being judged, and would open the store if it were right.
        #expect(try asking(stand).content.passcodeWait == Attempts(passcode: 6).passcodeDelay)
    }

    @Test("a start begins the wait after wrong passcodes anew: whoever starts the device again has waited for nothing")
    func restarted() throws {
        let stand = try Stand(biometry: .none)
        let missed = Attempts(passcode: 6)
        let waits = stand.onLoop { graph -> [Double] in
            try? graph.ledger.commit(missed)
            graph.clock.advance(by: 3600)
            return [graph.device.desk.passcodeWait, Device(graph.device.parts).desk.passcodeWait]
        }
        #expect(waits == [0, missed.passcodeDelay])
    }

    @Test("a prompt that ends while the sensor still rests from the one before has it listen for nobody")
    func restsInVain() throws {
        let stand = try Stand()
        stand.onLoop { $0.sensor.rest = 1 }
        for _ in 0..<2 {
            let (app, prompt) = try evaluating(stand)
            try prompt.send(.cancelled)
            #expect(try app.evaluated() == .failure(.userCancel))
        }
        stand.onLoop { $0.clock.advance(by: 2) }
        #expect(stand.onLoop { !$0.sensor.isListening })
    }
}

@Suite("Choosing a passcode")
struct ChoosingTests {
    /// An app that chooses a passcode, and the prompt for that.
    private func choosing(_ stand: Stand) throws -> (app: Peer, prompt: Peer) {
        let app = try stand.app()
        try app.send(.setPasscode)
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket())))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        #expect(try prompt.shown()?.purpose == .choosePasscode)
        return (app, prompt)
    }

    private func verdict(_ stand: Stand, _ typed: String) throws -> PasscodeVerdict? {
        let (passcode, verdicts) = (secret(typed), Notes<PasscodeVerdict>())
        stand.onLoop { graph in graph.device.passcode.check(passcode) { verdicts.add($0) } }
        return verdicts.wait { !$0.isEmpty }.first
    }

    @Test("it is typed twice, both the same, and has at least four bytes")
    func typed() throws {
        let stand = try Stand(biometry: .none, passcode: nil)
        let (app, prompt) = try choosing(stand)
        try prompt.send(.typed(secret("123")))
        #expect(try prompt.shown()?.notice == .passcodeTooShort(least: 4))
        try prompt.send(.typed(secret("5678")))
        #expect(try prompt.shown()?.purpose == .repeatPasscode)
        try prompt.send(.typed(secret("5679")))
        let again = try #require(try prompt.shown())
        #expect(again.purpose == .choosePasscode && again.notice == .passcodesDiffer)
        for _ in 0..<2 { try prompt.send(.typed(secret("5678"))) }
        guard case .done? = try app.next() else { throw Peer.Surprise() }
        #expect(try verdict(stand, "5679") == .wrong)
        #expect(try verdict(stand, "5678") == .right)
    }

    @Test("it takes nobody's place: if another was set meanwhile, nothing is changed")
    func setMeanwhile() throws {
        let stand = try Stand(biometry: .none, passcode: nil)
        let (app, prompt) = try choosing(stand)
        try prompt.send(.typed(secret("5678")))
        #expect(try prompt.shown()?.purpose == .repeatPasscode)
        let (kept, other) = (Notes<Bool>(), secret("1234"))
        stand.onLoop { graph in graph.device.ownerSetsPasscode(other) { kept.add($0) } }
        try #require(kept.wait { !$0.isEmpty } == [true])
        try prompt.send(.typed(secret("5678")))
        guard case .failed(.authenticationFailed)? = try app.next() else { throw Peer.Surprise() }
        #expect(try verdict(stand, "5678") == .wrong)
        #expect(try verdict(stand, "1234") == .right)
    }

    @Test("a lock of the session ends it: its prompt goes, and what was typed once by then sets nothing")
    func locked() throws {
        let stand = try Stand(biometry: .none, passcode: nil)
        let (app, prompt) = try choosing(stand)
        try prompt.send(.typed(secret("5678")))
        #expect(try prompt.shown()?.purpose == .repeatPasscode)
        stand.onLoop { $0.device.lock() }
        #expect(try prompt.dismissed() == .cancelled)
        guard case .failed(.authenticationFailed)? = try app.next() else { throw Peer.Surprise() }
        #expect(stand.onLoop { !$0.device.parts.passcode.isSet })
    }

    @Test(
        "who was proving the account when another passcode was set has to give that one first",
        .enabled(if: geteuid() == 0, "takes root, to show a prompt in system mode"))
    func setWhileProving() throws {
        let stand = try Stand(biometry: .none, passcode: nil, account: OneAccount("pass word"), mode: .system)
        let app = try stand.app()
        try app.send(.setPasscode)
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket())))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        #expect(try prompt.shown()?.purpose == .accountPassword)
        let (kept, other) = (Notes<Bool>(), secret("1234"))
        stand.onLoop { graph in graph.device.ownerSetsPasscode(other) { kept.add($0) } }
        try #require(kept.wait { !$0.isEmpty } == [true])
        try prompt.send(.typed(secret("pass word")))
        // Otherwise another prompt would be called for, in which a new one is chosen.
        guard case .failed(.authenticationFailed)? = try app.next() else { throw Peer.Surprise() }
        #expect(try verdict(stand, "1234") == .right)
    }
}
