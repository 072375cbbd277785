import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_tpm

/// The whole path: a client, a daemon, a TPM.
@Suite("A daemon with a TPM")
struct DaemonTPMTests {
    private static let digest = [UInt8](repeating: 0x21, count: 32)

    private static func newKey(_ label: String) throws -> NewKey {
        NewKey(
            kind: .elliptic(.p256), isEnclave: true, isPermanent: true, attributes: [.label: .text(label)],
            rule: try AccessRule(.always, []))
    }

    private static func name(_ record: KeyRecord) -> KeyName { .stored(record.item.persistentRef) }

    private static func isSigned(_ record: KeyRecord, by client: DeviceClient) throws -> Bool {
        let product = try client.use(KeyUse(name(record), .sign(digest: digest, .ecdsa)))
        guard product.custodian == .tpm, case .data(let bytes)? = record.item.attributes[.publicKey] else { return false }
        let signature = product.bytes.plainBytes(in: 0..<product.bytes.count)
        return try PublicKey(external: bytes, .elliptic).isSignature(signature, of: digest, .ecdsa)
    }

    @Test("A key is in the TPM, is said to be, and outlives the daemon")
    func outlives() async throws {
        let tpm = try SoftwareTPM()
        let folder = try Scratch()
        let (isFirst, isSecond) = try await onThread {
            let daemon = try #require(try Daemon.listening(state: folder.path, tpm: "swtpm:" + tpm.socket))
            let record = try daemon.client().makeKey(Self.newKey("kept"))
            let isFirst = try Self.isSigned(record, by: daemon.client())
            daemon.child.killed()
            let after = try #require(try Daemon.listening(state: folder.path, tpm: "swtpm:" + tpm.socket))
            return (isFirst, try Self.isSigned(record, by: after.client()))
        }
        #expect(isFirst && isSecond)
    }

    @Test("A sign-in key in the TPM refuses all raw use, and no other key there signs statements")
    func signingIn() async throws {
        let tpm = try SoftwareTPM()
        let folder = try Scratch()
        let failures = try await onThread { () -> [KeychainFailure?] in
            let daemon = try #require(try Daemon.listening(state: folder.path, tpm: "swtpm:" + tpm.socket))
            let client = daemon.client()
            let plain = try client.makeKey(Self.newKey("plain"))
            var new = try Self.newKey("sign-in")
            new.rule = try AccessRule(.always, [.privateKeyUsage, .signIn, .companion])
            let words = SignInWords(origin: "https://bank.example", account: "anna", purpose: .signIn)
            func failure(_ body: () throws -> Void) -> KeychainFailure? {
                do {
                    try body()
                    return nil
                } catch {
                    return error as? KeychainFailure ?? (error as? KeyUseFailure)?.keychainFailure
                }
            }
            let key = try client.makeKey(new)
            guard case .data(let peer)? = plain.item.attributes[.publicKey] else { return [] }
            let statement = [UInt8](repeating: 1, count: 32)
            return [
                failure { _ = try Self.isSigned(key, by: client) },
                failure { _ = try client.use(KeyUse(Self.name(key), .agree(peer: peer, .raw))) },
                failure { _ = try client.use(KeyUse(Self.name(key), .decrypt([4], .ecies(.sha256, derivesNonce: true)))) },
                failure { _ = try client.sign(StatementUse(Self.name(plain), words, challenge: statement)) },
                // No companion can be paired, so its owner is never there.
                failure { _ = try client.sign(StatementUse(Self.name(key), words, challenge: statement)) },
            ]
        }
        #expect(failures == [.unsupported, .unsupported, .unsupported, .unsupported, .authenticationFailed])
    }

    @Test("Without a TPM there is no such key, and nothing is put in its place")
    func refused() async throws {
        let folder = try Scratch()
        let failure = try await onThread { () -> KeychainFailure? in
            let daemon = try #require(try Daemon.listening(state: folder.path))
            do {
                _ = try daemon.client().makeKey(Self.newKey("nowhere"))
                return nil
            } catch let failure as KeychainFailure {
                return failure
            }
        }
        #expect(failure == .custodianAbsent)
    }

    @Test("Eight clients sign at once, the daemon is killed in the middle and started again: nothing is left, no key is locked")
    func killedInTheMiddle() async throws {
        let tpm = try SoftwareTPM()
        let folder = try Scratch()
        let places = "swtpm:" + tpm.socket
        let records = try await onThread { () -> [KeyRecord] in
            let daemon = try #require(try Daemon.listening(state: folder.path, tpm: places))
            let records = try (0..<8).map { try daemon.client().makeKey(Self.newKey("key \($0)")) }
            let signed = Locked(0)
            let middle = Condition()
            let ended = DispatchGroup()
            for record in records {
                ended.enter()
                Thread.detachNewThread {
                    let client = daemon.client()
                    // Until the daemon goes away under it.
                    while (try? Self.isSigned(record, by: client)) == true {
                        signed.withLock { $0 += 1 }
                        middle.broadcast()
                    }
                    ended.leave()
                }
            }
            middle.withLock { held in while signed.withLock({ $0 }) < 40 { held.wait() } }
            daemon.child.killed()
            ended.wait()
            return records
        }
        let isSigned = try await onThread {
            let daemon = try #require(try Daemon.listening(state: folder.path, tpm: places))
            return try records.map { try Self.isSigned($0, by: daemon.client()) }
        }
        #expect(isSigned == [Bool](repeating: true, count: 8))
        // What the killed daemon had in the TPM was cleared away by the next; what that one has is what a daemon has.
        let held = try CarelessClient(RecordingTCTI(socket: tpm.socket)).held()
        #expect(held.count <= 3)
    }
}
