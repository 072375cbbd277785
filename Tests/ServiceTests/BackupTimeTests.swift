import Testing
import ThumbAccess
import ThumbConversation
import ThumbKeychain
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

    @Test("an export whose program hangs up before the last chunk is in the log, with the items that it had by then")
    func hungUp() throws {
        let stand = try Stand()
        stand.onLoop { graph in
            let caller = Caller(uid: 1, pid: 1, kind: .consented, name: "many", groups: ["many"])
            let authority = Authority(
                caller: caller, given: [], enrolment: .empty, device: graph.device.state(for: caller), isLocked: false)
            for number in 0...BackupLimit.chunkRecords {
                let item = NewItem(
                    itemClass: .genericPassword, attributes: [.account: .text("\(number)")], rule: AccessRule(.always),
                    secret: secret("s"))
                _ = try? graph.device.keychain.add(item, authority)
            }
        }
        let app = try exporting(stand)
        try app.send(.exportChunk, call: 2)
        guard case .exportChunk(_, false, _)? = try app.next() else { throw Peer.Surprise() }
        app.close()
        #expect(stand.isEmpty())
        let records = stand.onLoop { graph in
            graph.device.audit.settleNow()
            return (try? graph.device.audit.records(from: 0, limit: 1000, of: nil))?.entries.map(\.record) ?? []
        }
        let exports = records.filter { $0.event == .exported }
        #expect(exports.map(\.failure) == [.deviceUnreachable] && exports.map(\.factors) == [[.passcode]])
        #expect(exports.map(\.times) == [UInt32(BackupLimit.chunkRecords)])
    }
}
