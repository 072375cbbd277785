import CThumbLinux
import Testing
import ThumbAccess
import ThumbConversation
import ThumbHelpers
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@Suite("Agents, and where callers sit")
struct AgentTests {
    private static let here = CallerPlace.display(session: "2")
    private static let evaluate = Evaluate(
        EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "open")))

    /// Whether an agent is let in.
    private func register(_ peer: Peer) throws -> Bool {
        try peer.send(.hello(Hello(role: .agent)))
        switch try peer.next() {
        case .welcome?: return true
        case .refused(.notAllowedInThisRole)?: return try !peer.isAtEnd()
        default: throw Peer.Surprise()
        }
    }

    private func agent(_ stand: Stand, at place: CallerPlace = here) throws -> Peer {
        stand.place.withLock { $0 = place }
        let agent = try stand.connect()
        try #require(try register(agent))
        return agent
    }

    private func asking(_ stand: Stand, at place: CallerPlace) throws -> Peer {
        stand.place.withLock { $0 = place }
        let app = try stand.app()
        try app.send(Self.evaluate)
        return app
    }

    private func wanted(_ agent: Peer) throws -> [UInt8] {
        guard case .promptWanted(let ticket)? = try agent.next() else { throw Peer.Surprise() }
        return ticket
    }

    private func windowTicket(_ app: Peer) throws -> [UInt8] {
        guard case .windowNeeded(let ticket)? = try app.next() else { throw Peer.Surprise() }
        return ticket
    }

    /// Comes with a ticket, sees what is shown, and cancels.
    private func cancel(_ stand: Stand, _ ticket: [UInt8]) throws {
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: ticket)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        #expect(try prompt.shown()?.words.reason == "open")
        try prompt.send(.cancelled)
    }

    /// Whether nothing has been said to a peer that isn't an answer to what it asks last.
    private func hasHeardNothing(_ app: Peer) throws -> Bool {
        try app.send(.status, call: 99)
        return try app.nextWithCall()?.call == 99
    }

    @Test("the agent of the caller's session gets the ticket, and the app doesn't")
    func wanted() throws {
        let stand = try Stand()
        let agent = try agent(stand)
        let app = try asking(stand, at: Self.here)
        let ticket = try wanted(agent)
        #expect(try hasHeardNothing(app))
        try cancel(stand, ticket)
        #expect(try app.evaluated() == .failure(.userCancel))
    }

    @Test("an agent hears nothing of callers in another session, on a console, elsewhere or nowhere")
    func otherSessions() throws {
        let stand = try Stand()
        let agent = try agent(stand)
        for place: CallerPlace in [.display(session: "3"), .console(session: "3"), .remote, .unknown] {
            let app = try asking(stand, at: place)
            let ticket = place.windowSession == nil ? try app.ticket() : try windowTicket(app)
            try cancel(stand, ticket)
            #expect(try app.evaluated() == .failure(.userCancel))
        }
        // The first that it hears of is a caller of its own session.
        let own = try asking(stand, at: Self.here)
        try cancel(stand, try wanted(agent))
        #expect(try own.evaluated() == .failure(.userCancel))
    }

    @Test(
        "who isn't in a graphical session at this machine is no agent",
        arguments: [CallerPlace.console(session: "2"), .remote, .unknown])
    func elsewhere(place: CallerPlace) throws {
        let stand = try Stand()
        stand.place.withLock { $0 = place }
        #expect(try !register(try stand.connect()))
        #expect(try windowTicket(try asking(stand, at: Self.here)).count == WireLimit.ticketBytes)
    }

    @Test("a session has one agent: the second is refused, and may come once the first is gone")
    func oneEach() throws {
        let stand = try Stand()
        let first = try agent(stand)
        #expect(try !register(try stand.connect()))
        let other = try agent(stand, at: .display(session: "3"))
        first.close()
        // A refused one may come before the first is known to be gone.
        stand.place.withLock { $0 = Self.here }
        var next = try stand.connect()
        while try !register(next) { next = try stand.connect() }
        _ = try asking(stand, at: Self.here)
        #expect(try wanted(next).count == WireLimit.ticketBytes)
        try other.send(.status)
        #expect(try other.refusal() == .notAllowedInThisRole)
    }

    @Test("what an agent can't show, or leaves undone, goes to the app with the same ticket", arguments: [true, false])
    func declined(aloud: Bool) throws {
        let stand = try Stand()
        let agent = try agent(stand)
        let stranger = try self.agent(stand, at: .display(session: "3"))
        let app = try asking(stand, at: Self.here)
        let ticket = try wanted(agent)
        // It isn't the stranger's to give back, known or not.
        try stranger.send(.promptUnavailable(ticket: ticket))
        #expect(try hasHeardNothing(app))
        if aloud { try agent.send(.promptUnavailable(ticket: ticket)) } else { agent.close() }
        #expect(try windowTicket(app) == ticket)
        try cancel(stand, ticket)
        #expect(try app.evaluated() == .failure(.userCancel))
    }

    @Test("a ticket that an agent says nothing about goes to the app after a while")
    func silent() throws {
        var patience = PromptAgents.Patience.ofTests
        patience.forAgent = 0.2
        let stand = try Stand(patience: patience)
        let agent = try agent(stand)
        let app = try asking(stand, at: Self.here)
        let ticket = try wanted(agent)
        #expect(try windowTicket(app) == ticket)
        try cancel(stand, ticket)
        #expect(try app.evaluated() == .failure(.userCancel))
    }

    @Test(
        "an agent of another user hears nothing of ours, and its word about our ticket isn't heard",
        .enabled(if: geteuid() == 0, "takes root and another user"))
    func otherUser() throws {
        let stand = try Stand(onlyUser: nil)
        let path = try stand.listen()
        stand.place.withLock { $0 = Self.here }
        let thief = Peer(try Nobody.connect(to: path))
        #expect(try register(thief))
        // Its registration takes nobody else's place.
        let app = try asking(stand, at: Self.here)
        let ticket = try windowTicket(app)
        try thief.send(.promptUnavailable(ticket: ticket))
        let ours = try agent(stand)
        let prompt = Peer(try Nobody.connect(to: path))
        try prompt.send(.hello(Hello(role: .prompt, ticket: ticket)))
        #expect(try prompt.refusal() == .ticketNotGood)
        try cancel(stand, ticket)
        #expect(try app.evaluated() == .failure(.userCancel))
        let second = try asking(stand, at: Self.here)
        try cancel(stand, try wanted(ours))
        #expect(try second.evaluated() == .failure(.userCancel))
        // All that it ever hears is why it is closed.
        try thief.send(.status)
        #expect(try thief.refusal() == .notAllowedInThisRole)
    }

    @Test("an agent alone keeps no daemon running")
    func population() throws {
        let stand = try Stand()
        let app = try stand.app()
        let agent = try agent(stand)
        app.close()
        #expect(stand.isEmpty())
        #expect(stand.population.all.max() == 2)
        _ = agent
    }

    @Test("whoever sits elsewhere is asked for no finger")
    func remote() throws {
        let stand = try Stand()
        stand.place.withLock { $0 = .remote }
        let app = try stand.app()
        try app.send(
            .evaluate(EvaluationRequest(context: 1, subject: .policy(.biometrics), words: PromptWords(reason: "open"))))
        #expect(try app.evaluated() == .failure(.biometryNotAvailable))
        let other = try asking(stand, at: .remote)
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try other.ticket())))
        guard case .welcome? = try prompt.next(), let content = try prompt.shown() else { throw Peer.Surprise() }
        #expect(content.listening == .none && content.acceptsPasscode)
        #expect(stand.onLoop { !$0.sensor.isListening })
    }
}
