import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_tpm

/// What a thousand uses of keys leave in the daemon's memory.
@Suite("Keys in the daemon's memory", .enabled(if: getuid() == 0, "takes root")) struct KeyMemoryTests {
    private static let label = "MARK-label-of-a-key-9d41"

    private static func newKey(isEnclave: Bool) throws -> NewKey {
        NewKey(
            kind: .elliptic(.p256), isEnclave: isEnclave, isPermanent: true, attributes: [.label: .text(label)],
            rule: try AccessRule(.always, []))
    }

    /// Signs and agrees a thousand times; what was shared, in halves.
    private static func useOften(_ record: KeyRecord, _ client: DeviceClient) throws -> [Data] {
        guard case .data(let bytes)? = record.item.attributes[.publicKey] else { throw KeychainFailure.damaged }
        let publicKey = try PublicKey(external: bytes, .elliptic)
        let peers = try (0..<10).map { _ in try PrivateKey.generate(.elliptic(.p256)) }
        let name = KeyName.stored(record.item.persistentRef)
        let digest = [UInt8](repeating: 3, count: 32)
        var shared: [Data] = []
        for number in 0..<500 {
            _ = try client.use(KeyUse(name, .sign(digest: digest, .ecdsa)))
            let peer = peers[number % 10]
            let product = try client.use(KeyUse(name, .agree(peer: peer.publicKey.external, .raw)))
            guard number < 10 else { continue }
            guard try product.bytes == peer.agree(with: publicKey, .raw) else { throw KeychainFailure.damaged }
            shared += halves(of: product.bytes)
        }
        return shared
    }

    private static func halves(of secret: SecretBytes) -> [Data] {
        [Data(secret.plainBytes(in: 0..<16)), Data(secret.plainBytes(in: 16..<32))]
    }

    @Test("A TPM's key leaves no shared secret, nor half of one")
    func tpm() async throws {
        let (found, count) = try await onThread {
            let (tpm, state) = (try SoftwareTPM(), try Scratch())
            let daemon = try #require(try Daemon.listening(state: state.path, tpm: "swtpm:" + tpm.socket))
            let client = daemon.client()
            let shared = try Self.useOften(try client.makeKey(Self.newKey(isEnclave: true)), client)
            return (try MemoryImage(of: daemon.child.pid).found(shared + [Data(Self.label.utf8)]), shared.count)
        }
        // The name is what can be found: attributes are ordinary strings.
        #expect(count == 20 && found == [20])
    }

    @Test("A software key leaves no scalar and no shared secret, nor half of one")
    func software() async throws {
        let (found, count) = try await onThread {
            let state = try Scratch()
            let daemon = try #require(try Daemon.listening(state: state.path))
            let client = daemon.client()
            let record = try client.makeKey(Self.newKey(isEnclave: false))
            var secrets = try Self.useOften(record, client)
            let query = Query(itemClass: .key, persistentRef: record.item.persistentRef, shape: [.data, .attributes])
            let key = try #require(try client.find(query).first?.secret)
            secrets += Self.halves(of: try key.slice(65..<97))
            return (try MemoryImage(of: daemon.child.pid).found(secrets + [Data(Self.label.utf8)]), secrets.count)
        }
        #expect(count == 22 && found == [22])
    }
}
