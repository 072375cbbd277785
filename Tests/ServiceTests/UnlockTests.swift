import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import thumbturn_test_wire

@testable import ThumbService

/// An app may let a recent unlock of the session stand for a touch. How recent is the app's wish. How recent at most is the daemon's.
@Suite("How long an unlock of the session counts")
struct UnlockTests {
    private func ask(_ app: Peer, within seconds: Double) throws {
        try app.send(
            .evaluate(
                EvaluationRequest(
                    context: 1, subject: .policy(.biometrics), words: PromptWords(reason: "open"), reuseSeconds: seconds)))
    }

    /// Whether the owner is asked, and then says no.
    private func isAsked(_ stand: Stand, _ app: Peer, within seconds: Double) throws -> Bool {
        try ask(app, within: seconds)
        try app.send(.promptUnavailable(ticket: try app.ticket()))
        return try app.evaluated() == .failure(.notInteractive)
    }

    @Test("five minutes at most, even if an app asks for more", arguments: [300.5, 10_000, 1e300])
    func ceiling(asked: Double) throws {
        let stand = try Stand()
        #expect(stand.onLoop { $0.device.ownerUnlocks() })
        stand.onLoop { $0.clock.advance(by: ReuseLimit.seconds) }
        let app = try stand.app()
        try ask(app, within: asked)
        #expect(try app.evaluated() == .success(.biometry))
        stand.onLoop { $0.clock.advance(by: 0.25) }
        #expect(try isAsked(stand, app, within: asked))
    }

    @Test("as long as the app asks for, and no time at all if it doesn't ask")
    func asked() throws {
        let stand = try Stand()
        #expect(stand.onLoop { $0.device.ownerUnlocks() })
        let app = try stand.app()
        #expect(try isAsked(stand, app, within: 0))
        stand.onLoop { $0.clock.advance(by: 10) }
        try ask(app, within: 10)
        #expect(try app.evaluated() == .success(.biometry))
        #expect(try isAsked(stand, app, within: 9.75))
    }

    @Test(
        "until the session is locked or the machine sleeps; an unlock by passcode doesn't bring it back",
        arguments: [true, false])
    func locked(sleeps: Bool) throws {
        let stand = try Stand()
        #expect(stand.onLoop { $0.device.ownerUnlocks() })
        stand.onLoop { graph in
            if sleeps { graph.device.sleep() } else { graph.device.lock() }
            graph.device.unlock()
        }
        #expect(try isAsked(stand, try stand.app(), within: 300))
    }

    /// Why an app can't have the sensor now.
    enum Obstacle: CaseIterable { case remote, elsewhere, lockedOut, refused }

    @Test("for nobody who couldn't have the owner asked at the sensor itself", arguments: Obstacle.allCases)
    func unavailable(obstacle: Obstacle) throws {
        let stand = try Stand(biometry: obstacle == .refused ? .faceID : .touchID)
        #expect(stand.onLoop { $0.device.ownerUnlocks() })
        let before = try stand.app()
        try ask(before, within: 60)
        #expect(try before.evaluated() == .success(.biometry))
        switch obstacle {
        case .remote: stand.place.withLock { $0 = .remote }
        case .elsewhere: stand.onLoop { $0.seat.isSeated = false }
        case .lockedOut: stand.onLoop { try? $0.ledger.commit(Attempts(biometric: Attempts.biometricLimit)) }
        case .refused:
            stand.onLoop { graph in
                graph.device.asksConsent = true
                try? graph.device.consents.keep(.denied, on: "org.example.refused", .face, named: "refused", .consented)
            }
        }
        let app = try stand.app(label: "org.example.refused")
        try ask(app, within: 60)
        #expect(try app.evaluated() == .failure(obstacle == .lockedOut ? .biometryLockout : .biometryNotAvailable))
    }
}
