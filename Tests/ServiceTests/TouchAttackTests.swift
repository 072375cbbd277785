import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbHelpers
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

/// A program's wish to have its owner asked, as the daemon sees it, with a ticket for whoever shows it.
final class Wish: Sendable {
    let tickets = Notes<[UInt8]>()
    let outcomes = Notes<Evaluation.Outcome>()
    private let stand: Stand
    /// Whoever asks, for as long as it does.
    private let client: Client

    init(
        _ stand: Stand, of program: String, client: Client = Client(), reason: String = "open",
        demands: [Set<Factor>] = [[.biometry], [.passcode]], order: EvaluationDesk.Job.Order = .replaces
    ) {
        self.stand = stand
        self.client = client
        let (tickets, outcomes) = (tickets, outcomes)
        stand.onLoop { graph in
            let caller = Caller(
                uid: getuid(), pid: 1, kind: .consented, name: program, groups: [ExactName("org.example.\(program)")])
            graph.device.desk.submit(
                EvaluationDesk.Job(
                    demands: Demands(demands), caller: caller, client: ObjectIdentifier(client),
                    words: PromptWords(reason: reason), interactionNotAllowed: false, order: order, judge: .passcode,
                    offer: { tickets.add($0) }, finish: { outcomes.add($0) }))
        }
    }

    final class Client: Sendable {}

    var ticket: [UInt8]? { tickets.wait { !$0.isEmpty }.first }
    var outcome: Evaluation.Outcome? { outcomes.wait { !$0.isEmpty }.first }
    var isPending: Bool { outcomes.all.isEmpty }

    /// A prompt that has come with this wish's ticket.
    func prompt() throws -> Peer {
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: ticket, surface: .terminal)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        return prompt
    }
}

@Suite("Attacks on a touch", .timeLimit(.minutes(5)))
struct TouchAttackTests {
    private static func note(_ name: String, succeeded: Bool) {
        Tally.attack(name, succeeded: succeeded)
        #expect(!succeeded, "\(name)")
    }

    /// Whether the sensor listens, now that everything said before has been heard.
    private func listens(_ stand: Stand, after peer: Peer? = nil) throws -> Bool {
        let other = try stand.app()
        _ = try other.isHeard()
        return stand.onLoop { $0.sensor.isListening }
    }

    func shows(_ prompt: Peer) throws -> PromptContent {
        while let answer = try prompt.next() {
            if case .show(let content) = answer { return content }
            guard case .wait = answer else { throw Peer.Surprise() }
        }
        throw Peer.Surprise()
    }

    @Test("a program that throws its ticket away has no sensor listen, and no touch releases anything")
    func thrownAway() throws {
        let stand = try Stand()
        let wish = Wish(stand, of: "greedy")
        #expect(wish.ticket != nil)
        Self.note("a ticket that is thrown away has the reader listen", succeeded: try listens(stand))
        stand.onLoop { $0.sensor.see(owner: true) }
        Self.note("a touch answers a call whose prompt never came", succeeded: !wish.isPending)
    }

    @Test("a prompt that has come and says nothing of its screen has no sensor listen")
    func silent() throws {
        let stand = try Stand()
        let wish = Wish(stand, of: "greedy")
        let prompt = try wish.prompt()
        _ = try shows(prompt)
        Self.note("a prompt that doesn't show its content has the reader listen", succeeded: try listens(stand))
        stand.onLoop { $0.sensor.see(owner: true) }
        Self.note("a touch answers a prompt that isn't on the screen", succeeded: !wish.isPending)
        // Its word is all that is missing.
        try prompt.send(.shown)
        #expect(stand.see(owner: true))
        #expect(wish.outcome == .success([.biometry], stand.onLoop { $0.sensor.enrolment }))
    }

    @Test("a prompt that waits can't say in advance that it is on the screen")
    func tooEarly() throws {
        let stand = try Stand()
        let first = Wish(stand, of: "one")
        let shown = try first.prompt()
        _ = try shows(shown)
        try shown.send(.shown)
        let second = Wish(stand, of: "two")
        let waiting = try second.prompt()
        guard case .wait(1)? = try waiting.next() else { throw Peer.Surprise() }
        try waiting.send(.shown)
        try shown.send(.cancelled)
        _ = try shows(waiting)
        Self.note("a word said while waiting counts for a turn that comes later", succeeded: try listens(stand))
    }

    /// A wish whose prompt has come in time. On a busy machine the first ones may be too late.
    private func attended(_ stand: Stand, of program: String) throws -> (wish: Wish, prompt: Peer) {
        for _ in 0..<100 {
            let wish = Wish(stand, of: program)
            if let prompt = try? wish.prompt() { return (wish, prompt) }
        }
        throw Peer.Surprise()
    }

    @Test("a prompt that has come may wait longer than its ticket was good for")
    func longWait() throws {
        var patience = PromptAgents.Patience.ofTests
        patience.forTicket = 1
        let stand = try Stand(patience: patience)
        let (first, shown) = try attended(stand, of: "one")
        _ = try shows(shown)
        try shown.send(.shown)
        let (second, waiting) = try attended(stand, of: "two")
        guard case .wait(1)? = try waiting.next() else { throw Peer.Surprise() }
        stand.rest(patience.forTicket + 0.1)
        #expect(first.isPending && second.isPending)
        try shown.send(.cancelled)
        _ = try shows(waiting)
        #expect(second.isPending)
    }

    @Test("a prompt that is stopped is as one that is gone, and the reader is free")
    func stopped() throws {
        var patience = PromptAgents.Patience.ofTests
        patience.ofSilence = 0.2
        let stand = try Stand(patience: patience)
        let wish = Wish(stand, of: "greedy")
        let prompt = try wish.prompt()
        _ = try shows(prompt)
        try prompt.send(.shown)
        #expect(wish.outcome == .failure(.systemCancel))
        Self.note("a stopped prompt keeps the reader listening", succeeded: try listens(stand))
    }

    @Test("a prompt that has the screen and never shows anything loses it")
    func hogging() throws {
        var patience = PromptAgents.Patience.ofTests
        patience.toShow = 0.2
        let stand = try Stand(patience: patience)
        let greedy = Wish(stand, of: "greedy")
        let hog = try greedy.prompt()
        _ = try shows(hog)
        let honest = Wish(stand, of: "honest")
        let prompt = try honest.prompt()
        #expect(greedy.outcome == .failure(.systemCancel))
        let content = try shows(prompt)
        Self.note("a prompt that never shows anything keeps the screen", succeeded: content.words.reason != "open")
    }

    @Test("another program's evaluation takes no visible prompt away, and waits until that one ends")
    func replaced() throws {
        let stand = try Stand()
        let honest = Wish(stand, of: "honest", reason: "pay the rent")
        let prompt = try honest.prompt()
        _ = try shows(prompt)
        try prompt.send(.shown)
        let greedy = Wish(stand, of: "greedy", reason: "steal")
        let theirs = try greedy.prompt()
        guard case .wait(1)? = try theirs.next() else { throw Peer.Surprise() }
        Self.note("another program's evaluation ends a visible prompt", succeeded: !honest.isPending)
        #expect(stand.see(owner: true))
        #expect(honest.outcome != nil)
        Self.note("the touch goes to the newcomer", succeeded: !greedy.isPending)
        #expect(try shows(theirs).words.reason == "steal")
    }

    @Test("one touch doesn't answer two questions: the sensor rests before the next is believed")
    func twoQuestions() throws {
        let stand = try Stand()
        // As long as a real sensor's: a second.
        stand.onLoop { $0.sensor.rest = TouchLimit.rest }
        let first = Wish(stand, of: "one")
        let shown = try first.prompt()
        _ = try shows(shown)
        try shown.send(.shown)
        let second = Wish(stand, of: "two")
        let waiting = try second.prompt()
        #expect(stand.see(owner: true))
        #expect(first.outcome != nil)
        _ = try shows(waiting)
        try waiting.send(.shown)
        Self.note("the reader listens for the next question at once", succeeded: try listens(stand))
        stand.onLoop { $0.sensor.see(owner: true) }
        Self.note("one touch answers two questions", succeeded: !second.isPending)
        stand.onLoop { $0.clock.advance(by: 0.75) }
        #expect(try !listens(stand))
        stand.onLoop { $0.clock.advance(by: 0.25) }
        #expect(stand.see(owner: true))
        #expect(second.outcome != nil)
    }

    @Test("a cancelled prompt leaves no touch to the next one either")
    func afterCancel() throws {
        let stand = try Stand()
        stand.onLoop { $0.sensor.rest = 1 }
        let first = Wish(stand, of: "one")
        let shown = try first.prompt()
        _ = try shows(shown)
        try shown.send(.shown)
        let second = Wish(stand, of: "two")
        let waiting = try second.prompt()
        try shown.send(.cancelled)
        _ = try shows(waiting)
        try waiting.send(.shown)
        Self.note("the prompt that follows a cancelled one is touched for it", succeeded: try listens(stand))
    }

    @Test("an attached prompt ends by itself, thirty seconds after the last thing that its owner did")
    func endless() throws {
        let stand = try Stand()
        let greedy = Wish(stand, of: "greedy")
        let prompt = try greedy.prompt()
        _ = try shows(prompt)
        try prompt.send(.shown)
        _ = try listens(stand)
        stand.onLoop { $0.clock.advance(by: 29) }
        #expect(greedy.isPending)
        stand.onLoop { $0.clock.advance(by: 1) }
        Self.note("a prompt that nobody touches stays for ever", succeeded: greedy.isPending)
        #expect(greedy.outcome == .failure(.systemCancel))
        #expect(try !listens(stand))
    }

    @Test("a prompt that claims acts of its owner's for ever ends all the same, after three minutes")
    func pretending() throws {
        let stand = try Stand()
        let greedy = Wish(stand, of: "greedy")
        let prompt = try greedy.prompt()
        _ = try shows(prompt)
        try prompt.send(.shown)
        var seconds = 0.0
        while greedy.isPending, seconds < 240 {
            try prompt.send(.here(acts: true))
            _ = try listens(stand)
            stand.onLoop { $0.clock.advance(by: 20) }
            seconds += 20
        }
        Self.note("a prompt that claims acts keeps the screen", succeeded: seconds > 180)
        #expect(seconds == 180 && greedy.outcome == .failure(.systemCancel))
    }

    @Test("a program with a crowd of calls has one turn, and an honest one is next after it")
    func fair() throws {
        let stand = try Stand()
        let crowd = (0..<8).map { _ in Wish(stand, of: "greedy", order: .waits) }
        let prompts = try crowd.map { try $0.prompt() }
        _ = try shows(prompts[0])
        let honest = Wish(stand, of: "honest", reason: "honest")
        let prompt = try honest.prompt()
        try prompts[0].send(.cancelled)
        let content = try shows(prompt)
        Self.note(
            "a crowd of one program's prompts is asked before an honest program", succeeded: content.words.reason != "honest")
        #expect(content.waiting == 1)
    }

    @Test("silent calls hold nobody up, however many they are")
    func silentCrowd() throws {
        let stand = try Stand()
        let crowd = (0..<50).map { Wish(stand, of: "greedy\($0)") }
        #expect(crowd.allSatisfy { $0.ticket != nil })
        let honest = Wish(stand, of: "honest")
        let prompt = try honest.prompt()
        _ = try shows(prompt)
        try prompt.send(.shown)
        #expect(stand.see(owner: true))
        Self.note("fifty calls without a prompt keep an honest one from being asked", succeeded: honest.outcome == nil)
    }

    @Test(
        "with fifty silent clients of this user and fifty of another, an honest evaluation is over while all of those still wait",
        .enabled(if: geteuid() == 0, "takes root and two users"))
    func crowded() throws {
        // Their tickets outlast this test, so an evaluation that waited for them would wait for ever.
        var patience = PromptAgents.Patience.ofTests
        patience.forTicket = 3600
        let stand = try Stand(patience: patience, onlyUser: nil)
        let path = try stand.listen()
        try succeeds(stand)
        // Each asks, gets its ticket, and throws that away.
        let request = Evaluate(
            EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "steal")))
        var crowd: [Peer] = []
        for _ in 0..<50 {
            let (own, other) = (try stand.app(), Peer(try Nobody.connect(to: path)))
            try other.send(.hello(Hello(role: .app)))
            guard case .welcome? = try other.next() else { throw Peer.Surprise() }
            for peer in [own, other] {
                try peer.send(request)
                _ = try peer.ticket()
                crowd.append(peer)
            }
        }
        try succeeds(stand)
        let ended = crowd.count { UnixSocket.isReadable($0.fd) }
        Self.note("a hundred silent clients keep an honest evaluation waiting", succeeded: ended > 0)
        // And fifty that do show prompts: the honest one is next after the one that is on the screen.
        let greedy = (0..<50).map { _ in Wish(stand, of: "greedy", order: .waits) }
        let prompts = try greedy.map { try $0.prompt() }
        _ = try shows(prompts[0])
        try prompts[0].send(.shown)
        let honest = Wish(stand, of: "honest", reason: "honest")
        let prompt = try honest.prompt()
        Self.note(
            "a crowd's visible prompt is followed by the crowd's next", succeeded: try !isNext(prompt, after: prompts[0], honest))
        #expect(crowd.count == 100)
    }

    private func isNext(_ prompt: Peer, after visible: Peer, _ honest: Wish) throws -> Bool {
        try visible.send(.cancelled)
        return try shows(prompt).words.reason == "honest" && honest.isPending
    }

    /// One evaluation from its first word to its success by a scripted finger.
    private func succeeds(_ stand: Stand) throws {
        let app = try stand.app()
        try app.send(
            .evaluate(EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "open"))))
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket(), surface: .terminal)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        _ = try shows(prompt)
        try prompt.send(.shown)
        #expect(stand.see(owner: true))
        #expect(try app.evaluated() == .success(.biometry))
    }

    @Test("what the owner dismisses is gone whole, and asks nothing for a minute")
    func dismissed() throws {
        let stand = try Stand()
        let crowd = (0..<3).map { _ in Wish(stand, of: "greedy", order: .waits) }
        let prompts = try crowd.map { try $0.prompt() }
        _ = try shows(prompts[0])
        try prompts[0].send(.dismissProgram)
        #expect(crowd.map(\.outcome) == Array(repeating: .failure(.userCancel), count: 3))
        let next = Wish(stand, of: "greedy")
        Self.note("a dismissed program asks again at once", succeeded: next.outcome != .failure(.userCancel))
        let other = Wish(stand, of: "honest")
        #expect(other.ticket != nil)
        stand.onLoop { $0.clock.advance(by: 59) }
        #expect(Wish(stand, of: "greedy").outcome == .failure(.userCancel))
        stand.onLoop { $0.clock.advance(by: 1) }
        #expect(Wish(stand, of: "greedy").ticket != nil)
    }

    @Test("an owner who isn't before the prompt is asked for the passcode alone, and a preflight says so")
    func elsewhere() throws {
        let stand = try Stand()
        stand.onLoop { $0.seat.isSeated = false }
        let finger = Wish(stand, of: "app", demands: [[.biometry]])
        #expect(finger.outcome == .failure(.biometryNotAvailable))
        let app = try stand.app()
        try app.send(.capability(context: 1, policy: Policy.biometrics.rawValue))
        guard case .capability(let capability)? = try app.next() else { throw Peer.Surprise() }
        #expect(capability.failure == .biometryNotAvailable && capability.kind == .touchID)
        let either = Wish(stand, of: "app")
        let prompt = try either.prompt()
        let content = try shows(prompt)
        #expect(content.listening == .none && content.acceptsPasscode)
        try prompt.send(.shown)
        Self.note("the reader listens where its owner isn't", succeeded: try listens(stand))
    }

    @Test("a session that ends while the sensor listens ends the call, and its touch counts for nothing")
    func midTouch() throws {
        let stand = try Stand()
        let wish = Wish(stand, of: "app")
        let prompt = try wish.prompt()
        _ = try shows(prompt)
        try prompt.send(.shown)
        #expect(try listens(stand))
        stand.onLoop { graph in
            graph.seat.isSeated = false
            graph.sensor.see(owner: true)
        }
        Self.note("a touch counts after its session has ended", succeeded: wish.outcome != .failure(.systemCancel))
        #expect(try !listens(stand))
    }

    @Test("without a touch too a call ends when its owner's session does")
    func sessionEnds() throws {
        let stand = try Stand()
        let wish = Wish(stand, of: "app")
        let prompt = try wish.prompt()
        _ = try shows(prompt)
        try prompt.send(.shown)
        #expect(try listens(stand))
        stand.onLoop { graph in
            graph.seat.isSeated = false
            graph.clock.advance(by: 1)
        }
        // At once: later the prompt's silence would end it too.
        #expect(!wish.isPending && wish.outcome == .failure(.systemCancel))
        Self.note("the reader goes on listening when the session has ended", succeeded: try listens(stand))
    }

    @Test("what lasts takes the passcode: no touch gives a program another's group")
    func lasting() throws {
        let stand = try Stand()
        let maker = try stand.app(label: "org.example.maker")
        let attributes: Attributes = [.account: .text("a"), .service: .text("s"), .group: .text("team.shared")]
        stand.onLoop { $0.device.asksConsent = true }
        try maker.send(
            .add(NewItem(itemClass: .genericPassword, attributes: attributes, rule: AccessRule(.always), secret: secret("x"))))
        guard case .page? = try maker.next() else { throw Peer.Surprise() }
        let other = try stand.app(label: "org.example.other")
        try other.send(.find(Query(itemClass: .genericPassword, attributes: attributes, shape: .data)))
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try other.ticket(), surface: .terminal)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        let content = try shows(prompt)
        #expect(content.acceptsPasscode)
        try prompt.send(.shown)
        Self.note("a touch gives a lasting consent", succeeded: try content.listening != .none || listens(stand))
    }
}
