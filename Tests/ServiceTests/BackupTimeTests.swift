import Testing
import ThumbAccess
import ThumbConversation
import thumbturn_test_wire

@testable import ThumbService

@Suite("How long a backup may take")
struct BackupTimeTests {
    /// An app whose export the owner has allowed.
    private func exporting(_ stand: Stand) throws -> Peer {
        let app = try stand.app()
        try app.send(.beginExport(passphrase: secret("tulips in spring")))
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket())))
        guard case .welcome? = try prompt.next(), try prompt.shown() != nil else { throw Peer.Surprise() }
        try prompt.send(.typed(secret("1234")))
        _ = try prompt.dismissed()
        guard case .exportBegun? = try app.next() else { throw Peer.Surprise() }
        return app
    }

    @Test("an export left alone ends, and no chunk comes any more")
    func leftAlone() throws {
        var limits = MeterLimits()
        limits.secondsBetweenChunks = 0.2
        let stand = try Stand(limits: limits)
        let app = try exporting(stand)
        stand.rest(0.6)
        try app.send(.exportChunk, call: 2)
        guard case .backupFailed(.notRunning)? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("an export that goes on too long as a whole ends, however often a chunk is asked for")
    func tooLong() throws {
        var limits = MeterLimits()
        limits.secondsForBackup = 0.2
        let stand = try Stand(limits: limits)
        let app = try exporting(stand)
        stand.rest(0.6)
        try app.send(.exportChunk, call: 2)
        guard case .backupFailed(.notRunning)? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("an export that is asked on gets its chunks")
    func goesOn() throws {
        let stand = try Stand()
        let app = try exporting(stand)
        try app.send(.exportChunk, call: 2)
        guard case .exportChunk(_, let isLast, _)? = try app.next() else { throw Peer.Surprise() }
        #expect(isLast)
    }
}
