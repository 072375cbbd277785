import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs

/// A private key and what it shared with another are searched in memory after it was used a thousand times.
@Suite("Keys in an app's memory", .timeLimit(.minutes(5))) struct AppKeyMemoryTests {
    /// A key, a peer, and what nobody's memory may hold: the scalar and the shared coordinate, in either order of bytes.
    private struct Pair: Sendable {
        let own: PrivateKey
        let peer: PrivateKey
        let markers: [Data]

        init() throws {
            own = try PrivateKey.generate(.elliptic(.p256))
            peer = try PrivateKey.generate(.elliptic(.p256))
            let shared = try own.agree(with: peer.publicKey, .raw)
            let scalar = Data(own.external.plainBytes(in: 65..<97))
            let both = [scalar, Data(shared.plainBytes(in: 0..<32))]
            markers = both + both.map { Data($0.reversed()) }
        }
    }

    @Test("an app that used its key a thousand times and let it go has neither the scalar nor what it shared in its memory")
    func app() async throws {
        let (said, found, planted) = try await onThread {
            let pair = try Pair()
            let inverted = Data(pair.own.external.plainBytes(in: 0..<97).map { ~$0 })
            let app = try HoldingApp(
                socket: "/nowhere",
                ["keys", inverted.base64EncodedString(), Data(pair.peer.publicKey.external).base64EncodedString()])
            let said = app.step()
            let found = try app.image.found(pair.markers)
            let filled = app.step()
            // The search itself would find it.
            return (said, found, try filled == "filled" && app.image.found(pair.markers) == [0])
        }
        #expect(said == "used 1000")
        #expect(found == [])
        #expect(planted)
    }
}
