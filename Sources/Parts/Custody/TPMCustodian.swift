public import ThumbAccess
import ThumbCrypto
public import ThumbKeychain
public import ThumbLoop
public import ThumbSecrets

/// Keys that never leave a TPM 2.0: P-256, made inside, wrapped by the TPM's own storage key.
///
/// A chip is slow, so it is asked off the loop, one command after another. An absent TPM is looked for again with each call. One that went
/// away and came back is found without any help.
@OnLoop public final class TPMCustodian {
    /// How many calls may wait. A call takes between a millisecond and a hundred, so whoever waits behind all of these has long given up.
    public static let limit = 1024

    private let chip: any TPM
    private let worker = Worker(limit: limit)
    private let log: (String) -> Void

    /// A custodian of a TPM's keys, on this chip.
    public init(_ chip: any TPM, log: @escaping (String) -> Void) {
        self.log = log
        self.chip = chip
    }

    deinit {
        let chip = chip
        _ = worker.run({ chip.close() }, then: {})
        worker.finish()
    }

    /// Gives back what the TPM held for us, until the next call. Answers when that is done.
    public func close(_ answer: @escaping () -> Void) {
        ask({ _ in answer() }) { $0.close() }
    }

    private func ask<Value: Sendable>(
        _ answer: @escaping (Result<Value, KeychainFailure>) -> Void,
        _ question: @escaping @Sendable (any TPM) throws -> Value
    ) {
        let reply = LoopBox(answer)
        let chip = chip
        let isTaken = worker.run({ Result { try question(chip) } }) { [self] result in
            if case .failure(let error as TPMError) = result, error.code != .parameter { log("the TPM: \(error)") }
            reply.value(result.mapError(KeychainFailure.init(custody:)))
        }
        if !isTaken {
            log("too many calls wait for the TPM")
            answer(.failure(.internalFailure))
        }
    }
}

extension TPMCustodian: @OnLoop KeyCustodian {
    public var custodian: Custodian { .tpm }

    public func make(_ kind: KeyKind, _ answer: @escaping (Result<MadeKey, KeychainFailure>) -> Void) {
        guard kind == .elliptic(.p256) else { return answer(.failure(.unsupported)) }
        ask(answer) { chip in
            let key = try chip.makeKey()
            let publicKey = try PublicKey(external: TPMTemplate.point(of: key.area), .elliptic)
            return try MadeKey(material: key.encoded(), publicKey: publicKey.external, label: publicKey.label())
        }
    }

    public func use(
        _ key: HeldKey, _ operation: KeyOperation, _ answer: @escaping (Result<SecretBytes, KeychainFailure>) -> Void
    ) {
        guard key.kind == .elliptic(.p256) else { return answer(.failure(.unsupported)) }
        switch operation {
        case .sign(let digest, let scheme):
            guard key.kind.supports(scheme) else { return answer(.failure(.unsupported)) }
            ask(answer) { try SecretBytes(copying: $0.sign(digest, with: Self.material(of: key))) }
        case .agree(let peer, let scheme):
            // The chip only multiplies; the key is derived from the product here.
            ask(answer) { try scheme.derive(from: $0.agree(with: peer, Self.material(of: key))) }
        case .decrypt(let ciphertext, let scheme):
            guard key.kind.supports(scheme) else { return answer(.failure(.unsupported)) }
            ask(answer) { chip in
                let material = try Self.material(of: key)
                return try ECIES.open(ciphertext, scheme, PublicKey(external: key.publicKey, .elliptic)) { peer in
                    try chip.agree(with: peer.external, material)
                }
            }
        }
    }

    /// Reads a held key's material. Its point must be the key's.
    private nonisolated static func material(of key: HeldKey) throws(TPMError) -> TPMKeyMaterial {
        let material = try TPMKeyMaterial(key.material)
        guard try TPMTemplate.point(of: material.area) == key.publicKey else {
            throw TPMError(.damaged, "comparing a key's public half")
        }
        return material
    }
}
