import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbSecrets
import thumbturn_test_wire

/// A miss that isn't on disk would be forgotten by a restart. So nothing happens that should have been written down first.
@Suite("Counters that can't be written")
struct CounterTests {
    /// An app whose evaluation has its prompt on the screen.
    private func evaluating(_ stand: Stand) throws -> (app: Peer, prompt: Peer) {
        let app = try stand.app()
        try app.send(
            .evaluate(EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "open"))))
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket())))
        guard case .welcome? = try prompt.next(), try prompt.shown() != nil else { throw Peer.Surprise() }
        return (app, prompt)
    }

    /// Whether both learn that the device failed, before anything else.
    private func isEnded(_ app: Peer, _ prompt: Peer) throws -> Bool {
        guard try prompt.dismissed() == .failure else { return false }
        return try app.evaluated() == .failure(.deviceFailure)
    }

    @Test("a miss that can't be written ends its evaluation, and the sensor doesn't listen any more")
    func miss() throws {
        let stand = try Stand()
        let (app, prompt) = try evaluating(stand)
        stand.onLoop { $0.ledger.isBroken = true }
        #expect(stand.see(owner: false))
        #expect(try isEnded(app, prompt))
        #expect(stand.onLoop { !$0.sensor.isListening && $0.ledger.attempts == Attempts() })
        #expect(stand.log.all.contains { $0.contains("counters could not be written") })
    }

    @Test("a guess that can't be written isn't checked: the right passcode is no success then")
    func guess() throws {
        let stand = try Stand()
        let (app, prompt) = try evaluating(stand)
        stand.onLoop { $0.ledger.isBroken = true }
        try prompt.send(.typed(secret("1234")))
        #expect(try isEnded(app, prompt))
        // What was typed has earned the context nothing. Once the counters can be written, the owner is asked again.
        stand.onLoop { $0.ledger.isBroken = false }
        let (again, next) = try evaluating(stand)
        try next.send(.typed(secret("1234")))
        #expect(try again.evaluated() == .success(.passcode))
    }

    @Test("a match that can't clear the misses before it is no success")
    func match() throws {
        let stand = try Stand()
        stand.onLoop { try? $0.ledger.commit(Attempts(biometric: 2)) }
        let (app, prompt) = try evaluating(stand)
        stand.onLoop { $0.ledger.isBroken = true }
        #expect(stand.see(owner: true))
        #expect(try isEnded(app, prompt))
        #expect(stand.onLoop { $0.ledger.attempts } == Attempts(biometric: 2))
    }
}
