import ThumbAccess
import ThumbCrypto
import ThumbSecrets
import thumbturn_test_tpm

/// A TPM that is given each vector's key. Keys of ours are made inside and never brought in; the arithmetic is the same chip's.
struct Chip: Custodian {
    let suffix = " (TPM)"

    func ready() throws -> any Custodian { try Running() }

    func shared(_ scalar: SecretBytes, with peer: PublicKey) throws -> SecretBytes { try ready().shared(scalar, with: peer) }

    func isSignature(_ signature: [UInt8], of digest: [UInt8], by key: PublicKey) throws -> Bool {
        try ready().isSignature(signature, of: digest, by: key)
    }

    private final class Running: Custodian, @unchecked Sendable {
        // @unchecked: one test has it, and asks one question after another.
        let suffix = " (TPM)"
        private let tpm: SoftwareTPM
        private let client: CarelessClient

        init() throws {
            tpm = try SoftwareTPM()
            client = try CarelessClient(RecordingTCTI(socket: tpm.socket))
        }

        func shared(_ scalar: SecretBytes, with peer: PublicKey) throws -> SecretBytes {
            let own = try PrivateKey(.p256, scalar: scalar)
            // Of another curve, or no key of ours at all: software says so before a chip would be asked.
            guard peer.kind == own.kind else { return try own.agree(with: peer, .raw) }
            let handle = try client.load(point: own.publicKey.external, scalar: scalar.plainBytes(in: 0..<32))
            defer { client.flush(handle) }
            let shared = try client.agree(handle, x: Array(peer.external[1...32]), y: Array(peer.external[33...]))
            return try SecretBytes(copying: [UInt8](repeating: 0, count: 32 - shared.count) + shared)
        }

        func isSignature(_ signature: [UInt8], of digest: [UInt8], by key: PublicKey) throws -> Bool {
            guard let numbers = ECDSASignature.rfc4754(der: signature, .p256) else { return false }
            let handle = try client.load(point: key.external)
            defer { client.flush(handle) }
            do {
                return try client.verify(handle, digest, r: Array(numbers[..<32]), s: Array(numbers[32...]))
            } catch let refused as CarelessClient.Refused where refused.number == 0x101 {
                // Where the sum of the two points is the point at infinity, libtpms answers with a failure instead of a no.
                return false
            }
        }
    }
}
