public import ThumbAccess
import ThumbCrypto
import ThumbKeychain
public import ThumbSecrets

/// A TPM that this process speaks with itself. The TPM may come and go. A link to it is opened when one is needed, and opened again if the
/// old one is gone.
///
/// Two threads use it: one uses keys, the other opens slots. Each waits for the other.
public final class TPMChip: @unchecked Sendable {
    // @unchecked: `link` is touched under the lock.
    private let reach: @Sendable () throws(TPMError) -> TCTI
    private let lock = Lock()
    private var link: TPMLink?

    /// A TPM on this route. Nothing is sent before the first call.
    public convenience init(_ route: TPMRoute) {
        self.init { () throws(TPMError) in try TCTI(route) }
    }

    init(_ reach: @escaping @Sendable () throws(TPMError) -> TCTI) { self.reach = reach }

    /// Makes a key.
    public func makeKey() throws -> TPMKeyMaterial {
        try withLink { (link) throws(TPMError) in try link.makeKey() }
    }

    /// Signs as `TPM` says. The signature is verified before it is handed out: one that a faulty chip calculated wrongly could reveal the
    /// key.
    public func sign(_ digest: [UInt8], with key: TPMKeyMaterial) throws -> [UInt8] {
        // Only material in the form of our keys is tried. For anything else the TPM might count a wrong authorization as a guess.
        let publicKey = try PublicKey(external: TPMTemplate.point(of: key.area), .elliptic)
        let size = Curve.p256.fieldBytes
        let short = Array(digest.prefix(size))
        let input = [UInt8](repeating: 0, count: size - short.count) + short
        let numbers = try withLink { (link) throws(TPMError) in try link.sign(input, with: key) }
        return try Self.verified(numbers, of: input, by: publicKey)
    }

    /// The two numbers as DER, if they are `publicKey`'s signature.
    static func verified(_ numbers: [UInt8], of digest: [UInt8], by publicKey: PublicKey) throws -> [UInt8] {
        guard let signature = ECDSASignature.der(rfc4754: numbers, .p256),
            try publicKey.isSignature(signature, of: digest, .ecdsa)
        else { throw TPMError(.refused, "verifying a signature before it is returned") }
        return signature
    }

    /// The x coordinate that a key and a peer share.
    public func agree(with peer: [UInt8], _ key: TPMKeyMaterial) throws -> SecretBytes {
        _ = try TPMTemplate.point(of: key.area)
        let peer = try PublicKey(external: peer, .elliptic)
        guard peer.kind == .elliptic(.p256) else { throw TPMError(.parameter, "agreeing with a key of another kind") }
        return try withLink { (link) throws(TPMError) in try link.agree(with: peer.external, key) }
    }

    func seal(_ secret: SecretBytes, _ authorization: SecretBytes, guardedBy guarding: SealGuard) throws(TPMError) -> TPMSeal {
        try withLink { (link) throws(TPMError) in try link.seal(secret, authorization, guardedBy: guarding) }
    }

    /// The sealed secret; nil if the authorization isn't the one it was sealed under.
    func unseal(_ seal: TPMSeal, _ authorization: SecretBytes, guardedBy guarding: SealGuard) throws(TPMError) -> SecretBytes? {
        try withLink { (link) throws(TPMError) in try link.unseal(seal, authorization, guardedBy: guarding) }
    }

    /// Gives back what the TPM held for us.
    public func close() { lock.withLock { link = nil } }

    /// Makes the TPM forget the loaded key, because the next command is another user's.
    func unload() { lock.withLock { link?.unload() } }

    /// How many wrong guesses the TPM counts, and at which count it refuses more.
    func guesses() throws(TPMError) -> (counted: Int, most: Int) {
        try withLink { (link) throws(TPMError) in try link.guesses() }
    }

    /// Whether the TPM has our counter under that number. Fails with `damaged` if something else is there.
    func hasCounter(_ index: UInt32) throws(TPMError) -> Bool {
        try withLink { (link) throws(TPMError) in try link.hasCounter(index) }
    }

    func countUp(_ name: [UInt8], _ authorization: SecretBytes) throws(TPMError) -> UInt64 {
        try withLink { (link) throws(TPMError) in try link.countUp(name, authorization) }
    }

    func count(_ name: [UInt8], _ authorization: SecretBytes) throws(TPMError) -> UInt64? {
        try withLink { (link) throws(TPMError) in try link.count(name, authorization) }
    }

    private func withLink<Value>(_ body: (TPMLink) throws(TPMError) -> Value) throws(TPMError) -> Value {
        try lock.withLock { () throws(TPMError) in try withLockedLink(body) }
    }

    private func withLockedLink<Value>(_ body: (TPMLink) throws(TPMError) -> Value) throws(TPMError) -> Value {
        let wasOpen = link != nil
        do throws(TPMError) {
            return try attempt(body)
        } catch  where wasOpen && (error.code == .lost || error.code == .stale) {
            // It is safe to repeat every command here. A key that was made but never received is lost, which harms nobody. A counter may
            // count twice, but the answer has its real value.
        }
        do throws(TPMError) {
            return try attempt(body)
        } catch  where error.code == .absent {
            // There was a TPM when this call came, so it is lost and not absent.
            throw TPMError(.lost, "reaching the TPM again", number: error.number)
        }
    }

    private func attempt<Value>(_ body: (TPMLink) throws(TPMError) -> Value) throws(TPMError) -> Value {
        if link == nil { link = try TPMLink(try reach()) }
        guard let link else { throw TPMError(.absent, "opening the TPM") }
        do throws(TPMError) {
            return try body(link)
        } catch {
            if error.endsLink {
                link.isLost = error.code == .lost
                self.link = nil
            }
            throw error
        }
    }
}

extension TPMChip: TPM {
    public func seal(
        _ secret: SecretBytes, under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> [UInt8] {
        try answering { () throws(TPMError) in try seal(secret, authorization, guardedBy: guarding).bytes }
    }

    public func unseal(
        _ seal: [UInt8], under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> SecretBytes? {
        try answering { () throws(TPMError) in try unseal(TPMSeal(seal), authorization, guardedBy: guarding) }
    }

    public func count(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64? {
        try answering { () throws(TPMError) in try count(name, authorization) }
    }

    public func countUp(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64 {
        try answering { () throws(TPMError) in try countUp(name, authorization) }
    }

    private func answering<Value>(_ question: () throws(TPMError) -> Value) throws(KeychainFailure) -> Value {
        do throws(TPMError) { return try question() } catch { throw error.failure }
    }
}
