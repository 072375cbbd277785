/// A key that an agent offers.
public struct OfferedKey: Sendable, Hashable {
    /// Its public half, in SSH's form.
    public let blob: [UInt8]
    public let name: String
    /// Whether its owner is asked before it signs.
    public let asksForOwner: Bool

    public init(blob: [UInt8], name: String, asksForOwner: Bool) {
        (self.blob, self.name, self.asksForOwner) = (blob, name, asksForOwner)
    }
}

/// Where an agent's keys are, and what signs with them. Many threads use it at once.
public protocol SSHKeyring: Sendable {
    /// The keys at this moment.
    func keys() throws(KeyringFailure) -> [OfferedKey]

    /// The key with that public half; nil if there is none.
    func key(_ blob: [UInt8]) throws(KeyringFailure) -> OfferedKey?

    /// One signature with that key. It isn't asked for yet.
    func signing(with key: OfferedKey) -> any KeyringSigning
}

/// One signature, which its owner may have to allow.
public protocol KeyringSigning: Sendable {
    /// The signature over the data, in SSH's form. It waits as long as the owner takes.
    /// - Parameter reason: What the owner reads.
    func sign(_ data: [UInt8], reason: String) throws(KeyringFailure) -> [UInt8]

    /// Withdraws the question to the owner, from another thread.
    func takeBack()
}

/// Why a keyring has no keys or no signature to give, for the agent's log.
public struct KeyringFailure: Error, Sendable, Hashable {
    public let reason: String

    public init(reason: String) { self.reason = reason }
}
