public import ThumbSecrets

/// What the protocol needs of cryptography. Every function fails with `.failed` if the machine can't do it just now.
public protocol CompanionCrypto: Sendable {
    func random(_ count: Int) throws(CompanionRefusal) -> [UInt8]
    /// SHA-256.
    func hash(_ bytes: [UInt8]) throws(CompanionRefusal) -> [UInt8]
    /// A key on P-256 for one conversation.
    func makeFreshKey() throws(CompanionRefusal) -> any FreshKey
    /// HKDF-SHA-256 over the secrets one after another: two keys of 32 bytes.
    func derive(
        _ secrets: [SecretBytes], salt: [UInt8], info: String
    ) throws(CompanionRefusal) -> (asking: SecretBytes, companion: SecretBytes)
    /// AES-256-GCM with a random nonce in front.
    func seal(_ bytes: [UInt8], _ key: SecretBytes, _ data: [UInt8]) throws(CompanionRefusal) -> [UInt8]
    /// Fails with `.notGenuine` if box, key or data isn't what was sealed.
    func open(_ box: [UInt8], _ key: SecretBytes, _ data: [UInt8]) throws(CompanionRefusal) -> [UInt8]
    /// Whether an ECDSA signature over a SHA-256 digest is that public key's.
    func isSignature(_ signature: [UInt8], of digest: [UInt8], by publicKey: [UInt8]) throws(CompanionRefusal) -> Bool
}

/// A private key that is forgotten with its conversation.
public protocol FreshKey: Sendable {
    /// X9.63, 65 bytes.
    var publicKey: [UInt8] { get }
    /// The coordinate that it shares with another public key. Fails with `.notGenuine` if that isn't one.
    func agree(with peer: [UInt8]) throws(CompanionRefusal) -> SecretBytes
}
