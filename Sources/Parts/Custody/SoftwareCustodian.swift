public import ThumbAccess
import ThumbCrypto
public import ThumbKeychain
public import ThumbLoop
public import ThumbSecrets

/// Keys in software. They come out of the store sealed and are in memory for one operation. Whoever reads this process's memory at that
/// moment has them.
///
/// Elliptic keys are fast and are used on the caller's thread. RSA takes milliseconds, and making an RSA key up to minutes. Both run on
/// other threads, and making a key doesn't hold up using one.
@OnLoop public final class SoftwareCustodian {
    /// How many RSA calls may wait.
    public static let limit = 256

    private let using = Worker(limit: limit)
    private let making = Worker(limit: 8)
    private let log: (String) -> Void

    public init(log: @escaping (String) -> Void) { self.log = log }

    deinit {
        using.finish()
        making.finish()
    }

    private func run<Value: Sendable>(
        _ kind: KeyKind, _ worker: Worker, _ answer: @escaping (Result<Value, KeychainFailure>) -> Void,
        _ work: @escaping @Sendable () throws -> Value
    ) {
        let attempt: @Sendable () -> Result<Value, any Error> = { Result { try work() } }
        guard kind.family == .rsa else { return tell(attempt(), answer) }
        let reply = LoopBox(answer)
        if !worker.run(attempt, then: { [self] in tell($0, reply.value) }) {
            log("too many calls wait for RSA")
            answer(.failure(.internalFailure))
        }
    }

    private func tell<Value>(
        _ result: Result<Value, any Error>, _ answer: (Result<Value, KeychainFailure>) -> Void
    ) {
        answer(
            result.mapError { error in
                let failure = KeychainFailure(custody: error)
                if failure == .internalFailure || failure == .outOfMemory { log("a software key: \(error)") }
                return failure
            })
    }

    private nonisolated static func made(_ key: PrivateKey) throws -> MadeKey {
        try MadeKey(material: key.external, publicKey: key.publicKey.external, label: key.publicKey.label())
    }
}

extension SoftwareCustodian: @OnLoop KeyCustodian {
    public var custodian: Custodian { .software }

    public func make(_ kind: KeyKind, _ answer: @escaping (Result<MadeKey, KeychainFailure>) -> Void) {
        run(kind, making, answer) { try Self.made(PrivateKey.generate(kind)) }
    }

    public func use(
        _ key: HeldKey, _ operation: KeyOperation, _ answer: @escaping (Result<SecretBytes, KeychainFailure>) -> Void
    ) {
        run(key.kind, using, answer) {
            let own = try PrivateKey(own: key.material, key.kind.family)
            // An app may have stored arbitrary bytes as a key of its own.
            guard own.publicKey.external == key.publicKey else { throw KeychainFailure.parameter }
            switch operation {
            case .sign(let digest, let scheme): return try SecretBytes(copying: Self.signature(own, digest, scheme))
            case .agree(let peer, let scheme):
                return try own.agree(with: PublicKey(external: peer, .elliptic), scheme)
            case .decrypt(let ciphertext, let scheme): return try own.decrypt(ciphertext, scheme)
            }
        }
    }

    private nonisolated static func signature(
        _ key: PrivateKey, _ digest: [UInt8], _ scheme: SignatureScheme
    ) throws -> [UInt8] {
        try verified(key.signature(digest: digest, scheme), of: digest, scheme, by: key.publicKey)
    }

    /// A signature is verified before it is handed out. A wrongly computed one could reveal the key to its reader.
    nonisolated static func verified(
        _ signature: [UInt8], of digest: [UInt8], _ scheme: SignatureScheme, by publicKey: PublicKey
    ) throws -> [UInt8] {
        guard try publicKey.isSignature(signature, of: digest, scheme) else { throw KeychainFailure.internalFailure }
        return signature
    }
}
