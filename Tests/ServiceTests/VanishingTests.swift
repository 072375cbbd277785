import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbSecrets
import thumbturn_test_wire

@testable import ThumbService

@Suite("Peers that go away")
struct VanishingTests {
    private static let evaluate = Evaluate(
        EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "open")))

    private func prompt(_ stand: Stand, for app: Peer) throws -> Peer {
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket())))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        _ = try prompt.shown()
        return prompt
    }

    @Test("an app that goes away during its evaluation takes its prompt with it")
    func app() throws {
        let stand = try Stand()
        let app = try stand.app()
        try app.send(Self.evaluate)
        let prompt = try prompt(stand, for: app)
        #expect(try app.isHeard())
        #expect(stand.onLoop { $0.sensor.isListening })
        app.close()
        #expect(try prompt.dismissed() == .cancelled)
        #expect(stand.onLoop { !$0.sensor.isListening })
        // What is typed into it now is nobody's.
        try? prompt.send(.typed(secret("1234")))
        prompt.close()
        #expect(stand.isEmpty())
    }

    @Test("a prompt that goes away is a system cancel")
    func prompt() throws {
        let stand = try Stand()
        let app = try stand.app()
        try app.send(Self.evaluate)
        try prompt(stand, for: app).close()
        #expect(try app.evaluated() == .failure(.systemCancel))
        #expect(stand.onLoop { !$0.sensor.isListening })
    }

    @Test("an app that invalidates its context ends the evaluation as its own cancel, and the prompt")
    func invalidated() throws {
        let stand = try Stand()
        let app = try stand.app()
        try app.send(Self.evaluate, call: 1)
        let prompt = try prompt(stand, for: app)
        try app.send(.invalidate(context: 1), call: 2)
        #expect(try app.evaluated() == .failure(.appCancel))
        #expect(try prompt.dismissed() == .cancelled)
    }

    enum Step: CaseIterable {
        case connected, welcomed, evaluating, prompted, typed, setting, waiting, watching
    }

    @Test("whoever goes away, at whatever step, leaves nothing behind and nobody waiting", arguments: Step.allCases)
    func everyStep(step: Step) throws {
        let stand = try Stand(biometry: .none)
        let app = step == .connected ? try stand.connect() : try stand.app()
        var prompts: [Peer] = []
        switch step {
        case .connected, .welcomed: break
        case .evaluating:
            try app.send(Self.evaluate)
            _ = try app.ticket()
        case .prompted, .typed:
            try app.send(Self.evaluate)
            prompts.append(try prompt(stand, for: app))
            // Whether it is checked when the app goes, or before, or after: nobody is told.
            if step == .typed { try prompts[0].send(.typed(secret("1234"))) }
        case .setting:
            try app.send(.setPasscode)
            prompts.append(try prompt(stand, for: app))
        case .waiting:
            try app.send(Self.evaluate)
            prompts.append(try prompt(stand, for: app))
            let other = try stand.app()
            try other.send(.makeRecoveryCode)
            other.close()
        case .watching: try app.send(.watchEnvironment)
        }
        app.close()
        for prompt in prompts { prompt.close() }
        #expect(stand.isEmpty())
        let next = try stand.app()
        try next.send(Self.evaluate)
        let prompt = try prompt(stand, for: next)
        try prompt.send(.typed(secret("1234")))
        #expect(try next.evaluated() == .success(.passcode))
    }

    @Test("an app's newer evaluation ends its own that is on the screen as a system cancel")
    func replaced() throws {
        let stand = try Stand()
        let first = try stand.app()
        try first.send(Self.evaluate)
        let prompt = try prompt(stand, for: first)
        let second = try stand.app()
        try second.send(Self.evaluate)
        #expect(try first.evaluated() == .failure(.systemCancel))
        #expect(try prompt.dismissed() == .cancelled)
        #expect(try second.ticket().count == WireLimit.ticketBytes)
    }

    @Test("a lock of the session ends every evaluation as a system cancel")
    func locked() throws {
        let stand = try Stand()
        let app = try stand.app()
        try app.send(Self.evaluate)
        _ = try app.ticket()
        stand.onLoop { $0.device.lock() }
        #expect(try app.evaluated() == .failure(.systemCancel))
    }

    @Test(
        "what the system asks besides a password is answered with nothing once its prompt is cancelled or its app goes",
        arguments: [true, false])
    func question(isCancelled: Bool) throws {
        let asked = AccountQuestion(text: "Code: ", isHidden: true)
        let account = OneAccount("pass word", asks: asked)
        let stand = try Stand(biometry: .none, passcode: nil, account: account)
        let app = try stand.app()
        try app.send(.useAccountPassword)
        let prompt = try prompt(stand, for: app)
        try prompt.send(.typed(secret("pass word")))
        #expect(try prompt.shown()?.notice == .question(asked))
        if isCancelled { try prompt.send(.cancelled) } else { app.close() }
        // Whoever asked would otherwise wait, with the password, for as long as the daemon runs.
        #expect(account.answers.wait { !$0.isEmpty } == [false])
    }

    /// An app whose finger is being enrolled.
    private func enrolling(_ stand: Stand, _ keeper: NotingKeeper) throws -> Peer {
        let app = try stand.app()
        try app.send(.enroll(.rightIndex))
        let prompt = try prompt(stand, for: app)
        try prompt.send(.typed(secret("1234")))
        #expect(try prompt.dismissed() == .success)
        #expect(keeper.done.wait { !$0.isEmpty } == ["begun"])
        return app
    }

    @Test("an enrolment ends with the program that began it")
    func enrollingGone() throws {
        let keeper = NotingKeeper(waits: true)
        let stand = try Stand(fingers: keeper)
        try enrolling(stand, keeper).close()
        #expect(stand.isEmpty())
        #expect(keeper.done.all == ["begun", "stopped"])
        stand.onLoop { _ in keeper.tell(.ended(.cancelled)) }
    }

    @Test("a lock of the session ends an enrolment, and its program hears no more than that")
    func enrollingLocked() throws {
        let keeper = NotingKeeper(waits: true)
        let stand = try Stand(fingers: keeper)
        let app = try enrolling(stand, keeper)
        stand.onLoop { $0.device.lock() }
        #expect(keeper.done.all == ["begun", "stopped"])
        stand.onLoop { _ in
            keeper.tell(.progress(EnrollingProgress(done: 1, stages: 5)))
            keeper.tell(.ended(.cancelled))
        }
        guard case .enrollingEnded(.cancelled)? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("a session that is locked in the moment of the passcode's yes has no finger enrolled")
    func enrollingLockedAtOnce() throws {
        let keeper = NotingKeeper(waits: true)
        let stand = try Stand(fingers: keeper)
        let app = try stand.app()
        try app.send(.enroll(.rightIndex))
        let prompt = try prompt(stand, for: app)
        // The prompt is gone by then, and the call hasn't gone on.
        stand.onLoop { graph in graph.device.desk.onEnd = { [device = graph.device] in device.lock() } }
        try prompt.send(.typed(secret("1234")))
        #expect(try prompt.dismissed() == .success)
        guard case .enrollingEnded(.cancelled)? = try app.next() else { throw Peer.Surprise() }
        #expect(keeper.done.all.isEmpty)
    }

    @Test("who watches the environment hears of each change until it goes")
    func watching() throws {
        let stand = try Stand()
        let app = try stand.app()
        try app.send(.watchEnvironment, call: 7)
        try app.send(.status, call: 8)
        guard case .status? = try app.next() else { throw Peer.Surprise() }
        for _ in 0..<2 {
            stand.onLoop { $0.device.environmentMayHaveChanged() }
            let (call, answer) = try #require(try app.nextWithCall())
            guard case .changed = answer else { throw Peer.Surprise() }
            #expect(call == 7)
        }
    }
}
