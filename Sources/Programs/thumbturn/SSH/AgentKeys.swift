internal import ThumbAccess
internal import ThumbClient
internal import ThumbCrypto
internal import ThumbSSHAgent
internal import ThumbSecrets

/// The keys an agent offers, and their use.
final class AgentKeys: Sendable {
    /// Those last seen, so that a signature costs one call. A key that was removed since fails when it is used.
    private let seen = Locked<[SSHKey]>([])

    func all() throws(KeychainFailure) -> [SSHKey] {
        let keys = try SSHKey.all().sorted { $0.name < $1.name }
        seen.withLock { $0 = keys }
        return keys
    }

    func key(_ blob: [UInt8]) throws(KeychainFailure) -> SSHKey? {
        if let known = seen.withLock({ keys in keys.first { $0.blob == blob } }) { return known }
        return try all().first { $0.blob == blob }
    }

    /// A signature over the data, in SSH's form; blocks while the owner is asked. Invalidating the context takes the question back.
    func sign(_ data: [UInt8], with key: SSHKey, reason: String, context: UInt64?) throws(Failure) -> [UInt8] {
        guard let digest = try? HashFunction.sha256.hash(data) else { throw Failure(KeychainFailure.internalFailure, "it") }
        let use = KeyUse(
            .stored(key.reference), .sign(digest: digest, .ecdsa),
            asking: AskingTerms(context: context, words: PromptWords(reason: reason)))
        let product = try Device.keychain(about: "SSH key '\(SafeText(key.name, limit: 60))'", reason: reason) {
            () throws(KeychainFailure) in
            do throws(KeychainFailure) {
                return try DeviceClient.shared.use(use)
            } catch {
                if error == .itemNotFound { seen.withLock { $0 = [] } }
                throw error
            }
        }
        // Signatures are public.
        guard let signature = SSHForms.signature(product.bytes.plainBytes(in: 0..<product.bytes.count)) else {
            throw Failure(KeychainFailure.internalFailure, "it")
        }
        return signature
    }
}
