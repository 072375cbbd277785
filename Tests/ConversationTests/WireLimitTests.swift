import Testing
import ThumbConversation

/// In system mode these numbers are all that keeps one user from starving the others. docs/PROTOCOL.md says why each is what it is.
@Suite("The limits of the wire")
struct WireLimitTests {
    @Test("frames, words and pages are as long as the page says")
    func lengths() {
        #expect(WireLimit.frameBeforeWelcome == 4 << 10)
        #expect(WireLimit.polkitFrame == 16 << 10)
        #expect(WireLimit.frame == 2 << 20)
        #expect(WireLimit.page == 256 << 10)
        #expect(WireLimit.helperFrame == 4 << 10)
        #expect(WireLimit.brokerFrame == 4 << 10)
        #expect(WireLimit.companionFrame == 16 << 10)
        #expect(WireLimit.labelBytes == 255)
        #expect(WireLimit.faceUsageBytes == 1 << 10)
        #expect(WireLimit.displayBytes == 255)
        #expect(WireLimit.ticketBytes == 32)
        #expect(WireLimit.auditRecords == 128)
        #expect(WireLimit.auditRecordsVerified == 512)
    }

    @Test("a connection has its share of its user's, and each user a share of what there is")
    func shares() {
        #expect(WireLimit.lockedBytesPerUser == 16 << 20 && WireLimit.lockedBytesInAll == 24 << 20)
        #expect(WireLimit.comingBytesPerUser == 4 << 20 && WireLimit.comingBytesInAll == 6 << 20)
        #expect(WireLimit.unreadBytesPerUser == 12 << 20 && WireLimit.unreadBytesInAll == 16 << 20)
        #expect(WireLimit.stretchesPerConnection == 8 && WireLimit.stretchesPerUser == 64)
        #expect(WireLimit.connectionsPerUser == 256 && WireLimit.connections == 2048)
        #expect(WireLimit.contextsPerConnection == 10_000 && WireLimit.contextsPerUser == 40_000)
        #expect(WireLimit.brokerConnectionsPerUser == 4 && WireLimit.brokerConnections == 1024)
        #expect(WireLimit.unreadBytes == 10 << 20)
        #expect(WireLimit.callsPerUser == 4096)
        #expect(WireLimit.callBytesPerUser == 8 << 20)
        #expect(WireLimit.callBytes == 1 << 10)
        #expect(WireLimit.muchUnread == 256 << 10)
        #expect(WireLimit.readerQuestions == 8)
    }

    @Test("nobody keeps the others waiting for longer than the page says")
    func times() {
        #expect(WireLimit.secondsForHello == 10)
        #expect(WireLimit.secondsToStand == 120)
        #expect(WireLimit.secondsForFrame == 10)
        #expect(WireLimit.secondsForServe == 10)
        #expect(WireLimit.secondsForHelper == 60)
        #expect(WireLimit.secondsOfDelay == 10)
        #expect(WireLimit.secondsForTPM == 60)
        #expect(WireLimit.secondsBetweenChunks == 60)
        #expect(WireLimit.secondsForBackup == 3600)
        #expect(WireLimit.secondsBetweenAuditPages == 60)
    }
}
