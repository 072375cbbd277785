import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbSecrets
import thumbturn_test_daemon

/// A private key and what it shared with another are searched in memory after it was used a thousand times.
@Suite("No key in memory", .timeLimit(.minutes(5))) struct KeyMemoryTests {
    /// A key, a peer, and what nobody's memory may hold: the scalar and the shared coordinate, in either order of bytes.
    private struct Pair: Sendable {
        let own: PrivateKey
        let peer: PrivateKey
        let scalar: Data
        let markers: [Data]

        init() throws {
            own = try PrivateKey.generate(.elliptic(.p256))
            peer = try PrivateKey.generate(.elliptic(.p256))
            let shared = try own.agree(with: peer.publicKey, .raw)
            scalar = Data(own.external.plainBytes(in: 65..<97))
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
            return (said, found, try filled == "filled" && app.image.found(pair.markers) == [pair.scalar])
        }
        #expect(said == "used 1000")
        #expect(found == [])
        #expect(planted)
    }

    @Test("and neither has a daemon that used one a thousand times", .enabled(if: getuid() == 0, "takes root"))
    func daemon() async throws {
        let (found, uses) = try await onThread {
            let pair = try Pair()
            let machine = try Machine()
            let client = machine.client()
            let attributes: Attributes = [
                .keyClass: .number(1), .type: .number(73), .keySize: .number(256), .publicKey: .data(pair.own.publicKey.external),
            ]
            let item = try client.add(
                NewItem(itemClass: .key, attributes: attributes, rule: AccessRule(.whenUnlocked), secret: pair.own.external))
            var uses = 0
            for _ in 1...500 {
                let name = KeyName.stored(item.persistentRef)
                _ = try client.use(KeyUse(name, .sign(digest: [UInt8](repeating: 1, count: 32), .ecdsa)))
                let scheme = AgreementScheme.x963(.sha256, count: 32, sharedInfo: [])
                _ = try client.use(KeyUse(name, .agree(peer: pair.peer.publicKey.external, scheme)))
                uses += 2
            }
            return (try machine.image.found(pair.markers), uses)
        }
        #expect(uses == 1000)
        #expect(found == [])
    }
}
