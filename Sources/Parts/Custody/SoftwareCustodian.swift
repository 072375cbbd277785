public import ThumbAccess
import ThumbCrypto
public import ThumbKeychain
public import ThumbLoop
public import ThumbSecrets

/// Holds private keys in software: their material is the key itself, sealed by the store, and in clear only while it is used.
@OnLoop public final class SoftwareCustodian {
    /// RSA takes milliseconds to minutes; a curve's work is sooner done than handed over.
    private let worker: Worker

    public init(worker: Worker) { self.worker = worker }

    private func run<Value: Sendable>(
        _ kind: KeyKind, isMaking: Bool = false, _ work: @escaping @Sendable () throws(KeychainFailure) -> Value,
        _ answer: @escaping (Result<Value, KeychainFailure>) -> Void
    ) {
        let settle: @Sendable () -> Result<Value, KeychainFailure> = {
            do throws(KeychainFailure) {
                return .success(try work())
            } catch {
                return .failure(error)
            }
        }
        guard kind.family == .rsa else { return answer(settle()) }
        let reply = LoopBox(answer)
        // More than the queue holds is a peer that occupies the device; it hears so at once.
        if !worker.run(settle, then: { reply.value($0) }) { answer(.failure(.deviceUnreachable)) }
    }
}

extension SoftwareCustodian: @OnLoop KeyCustodian {
    public var custodian: Custodian { .software }

    public func make(_ kind: KeyKind, _ answer: @escaping (Result<MadeKey, KeychainFailure>) -> Void) {
        run(kind, { () throws(KeychainFailure) in try crypto { try MadeKey(PrivateKey.generate(kind)) } }, answer)
    }

    public func adopt(
        _ material: SecretBytes, _ kind: KeyKind, _ answer: @escaping (Result<MadeKey, KeychainFailure>) -> Void
    ) {
        run(
            kind,
            { () throws(KeychainFailure) in
                let key = try crypto { try PrivateKey(external: material, kind.family) }
                guard key.publicKey.kind == kind else { throw .parameter }
                return try crypto { try MadeKey(key) }
            }, answer)
    }

    public func use(
        _ key: HeldKey, _ operation: KeyOperation, _ answer: @escaping (Result<SecretBytes, KeychainFailure>) -> Void
    ) {
        run(
            key.kind,
            { () throws(KeychainFailure) in
                try crypto {
                    let own = try PrivateKey(own: key.material, key.kind.family)
                    // An app may have stored what it likes as a key of its own.
                    guard own.publicKey.external == key.publicKey else { throw KeychainFailure.parameter }
                    switch operation {
                    case .sign(let digest, let scheme):
                        return try SecretBytes(copying: own.signature(digest: digest, scheme))
                    case .agree(let peer, let scheme):
                        return try own.agree(with: PublicKey(external: peer, .elliptic), scheme)
                    case .decrypt(let ciphertext, let scheme): return try own.decrypt(ciphertext, scheme)
                    }
                }
            }, answer)
    }
}

extension MadeKey {
    init(_ key: PrivateKey) throws {
        self.init(material: key.external, publicKey: key.publicKey.external, label: try key.publicKey.label())
    }
}

/// Crypto's failures in the keychain's words.
func crypto<Value>(_ body: () throws -> Value) throws(KeychainFailure) -> Value {
    do {
        return try body()
    } catch let failure as KeychainFailure {
        throw failure
    } catch let error as CryptoError {
        switch error.code {
        case .unsupported: throw .unsupported
        case .agreementFailed: throw .agreementFailed
        case _ where error.code.isCallers: throw .parameter
        default: throw .internalFailure
        }
    } catch is SecretError {
        throw .outOfMemory
    } catch {
        throw .internalFailure
    }
}
