import CThumbLinux
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@testable import ThumbService

@Suite("What has ended uses nothing up any more", .timeLimit(.minutes(5)))
struct MeterEndTests {
    @Test("a call that has ended counts no longer, and one that was refused never did")
    func calls() throws {
        var limits = MeterLimits()
        limits.callBytesPerUser = 2 * WireLimit.callBytes
        let all = limits.callBytesPerUser
        let stand = try Stand(limits: limits)
        let app = try stand.app()
        let evaluate = Evaluate(
            EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "r")))
        for call: UInt32 in 1...5 {
            try app.send(evaluate, call: call)
            try app.send(.promptUnavailable(ticket: try app.ticket()), call: 100)
            #expect(try app.evaluated() == .failure(.notInteractive))
        }
        // As many as a user may have under way are others' by now.
        stand.onLoop { graph in
            for _ in 0..<WireLimit.callsPerUser { _ = graph.service.population.begin(getuid()) }
        }
        try app.send(evaluate, call: 6)
        #expect(try app.refusal() == .tooManyCalls)
        #expect(stand.isEmpty())
        #expect(stand.onLoop { $0.device.meter.addCall(all) })
    }

    @Test("a context that is invalidated keeps no credential, and one that has ended gets none that was still being stretched")
    func contexts() throws {
        let stand = try Stand()
        let app = try stand.app()
        // A card's PIN, which is kept as it is.
        let pin = UInt8(bitPattern: -3)
        func flag(_ word: some Word) throws -> Bool {
            try app.send(word)
            guard case .flag(let value)? = try app.next() else { throw Peer.Surprise() }
            return value
        }
        #expect(try flag(.setCredential(context: 1, kind: pin, secret("1234"))))
        try app.send(.invalidate(context: 1))
        guard case .done? = try app.next() else { throw Peer.Surprise() }
        #expect(try !flag(.isCredentialSet(context: 1, kind: pin)))

        let gate = Gate()
        defer { gate.open() }
        stand.onLoop { graph in _ = graph.device.meter.stretch(for: gate, { gate.wait() }, then: {}) }
        for context in [UInt64(2), 3] {
            try app.send(.setCredential(context: context, kind: 0, secret("password")), call: UInt32(context))
        }
        try app.send(.invalidate(context: 2), call: 4)
        guard case (4, .done)? = try app.nextWithCall() else { throw Peer.Surprise() }
        try app.send(.release(context: 3))
        #expect(try app.isHeard())
        gate.open()
        for call: UInt32 in [2, 3] {
            let (answered, answer) = try #require(try app.nextWithCall())
            guard case .flag(false) = answer, answered == call else { throw Peer.Surprise() }
        }
        for context in [UInt64(2), 3] { #expect(try !flag(.isCredentialSet(context: context, kind: 0))) }
    }
}
