import CThumbTSS
import Foundation
import ThumbAccess
import ThumbKeychain
import ThumbLoop
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbCustody

/// A software TPM and a custodian on it, as a daemon has them.
@OnLoop final class Chip {
    nonisolated let tpm: SoftwareTPM
    private var custodian: TPMCustodian
    private(set) var complaints: [String] = []

    init() throws {
        let tpm = try SoftwareTPM()
        self.tpm = tpm
        custodian = TPMCustodian(TPMChip(.swtpm(path: tpm.socket))) { _ in }
        replace()
    }

    /// A new custodian, after the old one has let go of the TPM: two at once would clear away what the other holds.
    func startAnew() async {
        await close()
        replace()
    }

    private func replace() {
        custodian = TPMCustodian(TPMChip(.swtpm(path: tpm.socket))) { [weak self] in self?.complaints.append($0) }
    }

    /// A custodian whose every byte is written down.
    func record(_ way: RecordingTCTI) {
        reach { () throws(TPMError) in TCTI(context: way.context, isDirect: true) { way.close() } }
    }

    /// A custodian of which the test decides how it reaches the TPM.
    func reach(_ way: @escaping @Sendable () throws(TPMError) -> TCTI) {
        custodian = TPMCustodian(TPMChip(way)) { [weak self] in self?.complaints.append($0) }
    }

    func make(_ kind: KeyKind = .elliptic(.p256)) async throws -> MadeKey {
        try await withCheckedContinuation { done in custodian.make(kind) { done.resume(returning: $0) } }.get()
    }

    func use(_ key: MadeKey, _ operation: KeyOperation) async -> Result<SecretBytes, KeychainFailure> {
        let held = HeldKey(kind: .elliptic(.p256), material: key.material, publicKey: key.publicKey)
        return await withCheckedContinuation { done in custodian.use(held, operation) { done.resume(returning: $0) } }
    }

    func sign(_ digest: [UInt8], with key: MadeKey) async throws -> [UInt8] {
        let signature = try await use(key, .sign(digest: digest, .ecdsa)).get()
        return signature.plainBytes(in: 0..<signature.count)
    }

    func close() async {
        await withCheckedContinuation { done in custodian.close { done.resume() } }
    }

    /// What the TPM holds once the custodian has let go of it.
    func leftBehind() async throws -> [UInt32] {
        await close()
        return try CarelessClient(RecordingTCTI(socket: tpm.socket)).held()
    }
}

/// Something that is to happen on the TPM's thread once.
final class Once: Sendable {
    private let happened = Locked(0)
    var count: Int { happened.withLock { $0 } }

    func isFirst() -> Bool {
        happened.withLock {
            guard $0 == 0 else { return false }
            $0 = 1
            return true
        }
    }
}

/// The command line of OpenSSL, which judges what we say about keys.
enum OpenSSLCommand {
    /// A P-256 point as everybody reads it: DER of a SubjectPublicKeyInfo.
    static func der(_ point: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
            0x3D,
            0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ]
        return head + point
    }

    @discardableResult
    static func run(_ arguments: [String]) throws -> [UInt8] { try Program.run("/usr/bin/openssl", arguments) }
}

/// A folder that goes with its test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "custody-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name))) }
}
