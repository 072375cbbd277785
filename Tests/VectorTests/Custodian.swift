import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// Whoever can be shown the vectors of P-256: libcrypto, and whatever else holds keys and lets one be brought in.
protocol Custodian: Sendable {
    /// What distinguishes its line in `make test-vectors` from libcrypto's.
    var suffix: String { get }

    /// Itself, made ready for one test.
    func ready() throws -> any Custodian

    /// The x coordinate that the key of a scalar shares with `peer`.
    func shared(_ scalar: SecretBytes, with peer: PublicKey) throws -> SecretBytes

    /// Whether a DER signature is `key`'s over `digest`.
    func isSignature(_ signature: [UInt8], of digest: [UInt8], by key: PublicKey) throws -> Bool
}

extension Custodian {
    func ready() throws -> any Custodian { self }
}

struct Software: Custodian {
    let suffix = ""

    func shared(_ scalar: SecretBytes, with peer: PublicKey) throws -> SecretBytes {
        try PrivateKey(.p256, scalar: scalar).agree(with: peer, .raw)
    }

    func isSignature(_ signature: [UInt8], of digest: [UInt8], by key: PublicKey) throws -> Bool {
        try key.isSignature(signature, of: digest, .ecdsa)
    }
}

/// Those that the vectors are tried on.
let custodians: [any Custodian] = [Software(), Chip()]
