import CThumbLinux
import Testing
import ThumbAccess
import ThumbConversation
import ThumbHelpers
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@Suite("Prompts and their tickets")
struct TicketTests {
    private static let evaluate = Evaluate(
        EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "open")))

    private func hello(_ ticket: [UInt8]?) -> Hello { Hello(role: .prompt, ticket: ticket) }

    /// An app whose evaluation waits for its prompt, and the ticket for that.
    private func waiting(_ stand: Stand) throws -> (app: Peer, ticket: [UInt8]) {
        let app = try stand.app()
        try app.send(Self.evaluate)
        return (app, try app.ticket())
    }

    private func prompt(_ stand: Stand, _ ticket: [UInt8]) throws -> Peer {
        let prompt = try stand.connect()
        try prompt.send(hello(ticket))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        return prompt
    }

    private func isTurnedAway(_ prompt: Peer) throws -> Bool { try prompt.refusal() == .ticketNotGood }

    @Test("a prompt is let in with its ticket and shown what the app said")
    func letIn() throws {
        let stand = try Stand()
        let (app, ticket) = try waiting(stand)
        let prompt = try prompt(stand, ticket)
        let content = try #require(try prompt.shown())
        #expect(content.words.reason == "open")
        #expect(content.listening == .touchID && content.program.shortName == "thumbturnPackageTests.xctest")
        #expect(stand.see(owner: true))
        #expect(try prompt.dismissed() == .success)
        #expect(try app.evaluated() == .success(.biometry))
    }

    @Test("a ticket is good once")
    func once() throws {
        let stand = try Stand()
        let (app, ticket) = try waiting(stand)
        let prompt = try prompt(stand, ticket)
        let second = try stand.connect()
        try second.send(hello(ticket))
        #expect(try isTurnedAway(second))
        try prompt.send(.cancelled)
        #expect(try app.evaluated() == .failure(.userCancel))
    }

    @Test("another ticket, a part of one, or none lets nobody in, and the right one still does")
    func wrong() throws {
        let stand = try Stand()
        let (app, ticket) = try waiting(stand)
        var other = ticket
        other[31] ^= 1
        for wrong in [other, Array(ticket.dropLast()), ticket + [0], [], nil] {
            let prompt = try stand.connect()
            try prompt.send(hello(wrong))
            #expect(try isTurnedAway(prompt))
        }
        let right = try prompt(stand, ticket)
        try right.send(.cancelled)
        #expect(try app.evaluated() == .failure(.userCancel))
    }

    @Test("unless somebody says otherwise a ticket waits 30 seconds, an agent and the first content 5, and a silent prompt 3")
    func patience() {
        let patience = PromptAgents.Patience()
        #expect(patience.forTicket == 30 && patience.forAgent == 5 && patience.toShow == 5 && patience.ofSilence == 3)
    }

    @Test("a ticket that nobody came with in time is void, and its call can't ask")
    func expiry() throws {
        var patience = PromptAgents.Patience.ofTests
        patience.forTicket = 0.1
        let stand = try Stand(patience: patience)
        let (app, ticket) = try waiting(stand)
        #expect(try app.evaluated() == .failure(.notInteractive))
        let late = try stand.connect()
        try late.send(hello(ticket))
        #expect(try isTurnedAway(late))
    }

    enum Ending: CaseIterable { case cancelled, locked, gone }

    @Test("a ticket that nobody came with is void once its call has ended", arguments: Ending.allCases)
    func ended(_ ending: Ending) throws {
        let stand = try Stand()
        let (app, ticket) = try waiting(stand)
        switch ending {
        case .cancelled:
            try app.send(.invalidate(context: 1), call: 2)
            #expect(try app.evaluated() == .failure(.appCancel))
        case .locked:
            stand.onLoop { $0.device.lock() }
            #expect(try app.evaluated() == .failure(.systemCancel))
        case .gone:
            app.close()
            #expect(stand.isEmpty())
        }
        let late = try stand.connect()
        try late.send(hello(ticket))
        #expect(try isTurnedAway(late))
    }

    @Test("an app that can't show a prompt says so, and its call ends at once")
    func unavailable() throws {
        let stand = try Stand()
        let (app, ticket) = try waiting(stand)
        try app.send(.promptUnavailable(ticket: ticket))
        #expect(try app.evaluated() == .failure(.notInteractive))
        #expect(stand.onLoop { !$0.sensor.isListening })
    }

    @Test(
        "a ticket is no good to another user, neither to come in with nor to give back",
        .enabled(if: geteuid() == 0, "takes root and another user"))
    func otherUser() throws {
        let stand = try Stand(onlyUser: nil)
        let path = try stand.listen()
        let (app, ticket) = try waiting(stand)
        let prompt = Peer(try Nobody.connect(to: path))
        try prompt.send(hello(ticket))
        #expect(try isTurnedAway(prompt))
        let thief = Peer(try Nobody.connect(to: path))
        try thief.send(.hello(Hello(role: .app)))
        guard case .welcome? = try thief.next() else { throw Peer.Surprise() }
        try thief.send(.promptUnavailable(ticket: ticket))
        try thief.send(.status)
        guard case .status? = try thief.next() else { throw Peer.Surprise() }
        let ours = try self.prompt(stand, ticket)
        try ours.send(.cancelled)
        #expect(try app.evaluated() == .failure(.userCancel))
    }

    @Test(
        "in system mode a prompt that root doesn't vouch for isn't let in, with its own user's ticket neither",
        .enabled(if: geteuid() == 0, "takes root and another user"))
    func unvouched() throws {
        let stand = try Stand(onlyUser: nil, mode: .system)
        let path = try stand.listen()
        // The ticket is that user's own, so nothing else is wrong with it.
        let app = Peer(try Nobody.connect(to: path), of: stand)
        try app.send(.hello(Hello(role: .app)))
        guard case .welcome? = try app.next() else { throw Peer.Surprise() }
        try app.send(Self.evaluate)
        let prompt = Peer(try Nobody.connect(to: path), of: stand)
        try prompt.send(hello(try app.ticket()))
        #expect(try prompt.refusal() == .notAllowedInThisRole)
    }

    @Test("a prompt has no word that approves: of all kinds only a typed passcode can, and only the right one")
    func noApproval() throws {
        let stand = try Stand(biometry: .none)
        for kind in UInt8.min...UInt8.max where ![60, 61, 62, 64, 65, 66].contains(kind) {
            let (app, ticket) = try waiting(stand)
            let prompt = try prompt(stand, ticket)
            #expect(try prompt.shown() != nil)
            try prompt.send(raw: [0, 0, 0, 5, kind, 0, 0, 0, 1])
            guard case .refused? = try prompt.next() else { throw Peer.Surprise() }
            #expect(try app.evaluated() == .failure(.systemCancel))
        }
    }

    @Test("an app's words are refused from a prompt, and a prompt's from an app")
    func roles() throws {
        let stand = try Stand()
        for request: any Word in [GetStatus(), ListApps(), FindItems(Query(itemClass: .genericPassword)), SetPasscode()] {
            let (app, ticket) = try waiting(stand)
            let prompt = try prompt(stand, ticket)
            _ = try prompt.shown()
            try prompt.send(request)
            #expect(try prompt.refusal() == .notAllowedInThisRole)
            #expect(try app.evaluated() == .failure(.systemCancel))
        }
        for request: any Word in [Typed(secret("1234")), Cancelled(), Fallback(), Shown(), Here(acts: true), DismissProgram()] {
            let app = try stand.app()
            try app.send(request)
            #expect(try app.refusal() == .notAllowedInThisRole)
        }
    }

    @Test("a wrong passcode is said to be wrong, and the right one after it is the owner's")
    func passcode() throws {
        let stand = try Stand(biometry: .none)
        let (app, ticket) = try waiting(stand)
        let prompt = try prompt(stand, ticket)
        #expect(try prompt.shown()?.acceptsPasscode == true)
        try prompt.send(.typed(secret("9999")))
        while let content = try prompt.shown() { if content.notice == .wrongPasscode { break } }
        try prompt.send(.typed(secret("1234")))
        #expect(try app.evaluated() == .success(.passcode))
    }

    @Test("a reason of a megabyte is refused, and the daemon asks nobody")
    func reason() throws {
        let stand = try Stand()
        let app = try stand.app()
        let count = 1 << 20
        let body =
            [11, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8) + [1, 1]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + [UInt8](repeating: 0x61, count: count) + [0, 0, 0]
            + [UInt8](repeating: 0, count: 8)
        try app.send(raw: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) } + body)
        #expect(try app.refusal() == .malformed)
        #expect(stand.onLoop { !$0.sensor.isListening })
    }
}
