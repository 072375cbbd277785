import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbSSHAgent
import ThumbSecrets

/// The daemon's keys, offered and used through the SSH agent.
final class AgentKeys: SSHKeyring {
    /// The keys seen last, so that a signature costs one call. A key that was removed since then fails when it is used.
    private let seen = Locked<[SSHKey]>([])

    func keys() throws(KeyringFailure) -> [OfferedKey] { try all().map(\.offered) }

    func key(_ blob: [UInt8]) throws(KeyringFailure) -> OfferedKey? { try find(blob)?.offered }

    func signing(with key: OfferedKey) -> any KeyringSigning { AgentSigning(key, self) }

    fileprivate func forget() { seen.withLock { $0 = [] } }

    fileprivate func find(_ blob: [UInt8]) throws(KeyringFailure) -> SSHKey? {
        if let known = seen.withLock({ keys in keys.first { $0.blob == blob } }) { return known }
        return try all().first { $0.blob == blob }
    }

    private func all() throws(KeyringFailure) -> [SSHKey] {
        do throws(KeychainFailure) {
            let keys = try SSHKey.all().sorted { $0.name < $1.name }
            seen.withLock { $0 = keys }
            return keys
        } catch {
            throw KeyringFailure(.keychain(error, about: .sshKeys))
        }
    }
}

/// One signature that the daemon makes.
private final class AgentSigning: KeyringSigning {
    private let key: OfferedKey
    private let keys: AgentKeys
    /// What the owner shows counts for this signature alone; nil if nobody is asked.
    private let context: UInt64?

    init(_ key: OfferedKey, _ keys: AgentKeys) {
        (self.key, self.keys) = (key, keys)
        context = key.asksForOwner ? DeviceClient.shared.makeContext() : nil
    }

    deinit { if let context { DeviceClient.shared.release(context: context) } }

    func takeBack() { if let context { DeviceClient.shared.invalidate(context: context) } }

    func sign(_ data: [UInt8], reason: String) throws(KeyringFailure) -> [UInt8] {
        guard let digest = try? HashFunction.sha256.hash(data), let stored = try keys.find(key.blob) else {
            throw KeyringFailure(.keychain(.internalFailure, about: .sshKey(key.name)))
        }
        let use = KeyUse(
            .stored(stored.reference), .sign(digest: digest, .ecdsa),
            asking: AskingTerms(context: context, words: PromptWords(reason: reason)))
        let product: KeyProduct
        do throws(Failure) {
            product = try Daemon.keychain(about: .sshKey(key.name), reason: reason) {
                () throws(KeychainFailure) in
                do throws(KeychainFailure) {
                    return try DeviceClient.shared.use(use)
                } catch {
                    if error == .itemNotFound { keys.forget() }
                    throw error
                }
            }
        } catch {
            throw KeyringFailure(error)
        }
        // Signatures are public.
        guard let signature = SSHForms.signature(product.bytes.plainBytes(in: 0..<product.bytes.count)) else {
            throw KeyringFailure(.keychain(.internalFailure, about: .sshKey(key.name)))
        }
        return signature
    }
}

extension SSHKey {
    fileprivate var offered: OfferedKey { OfferedKey(blob: blob, name: name, asksForOwner: rule.asksForOwner) }
}

extension KeyringFailure {
    fileprivate init(_ failure: Failure) { self.init(reason: failure.words.message) }
}
