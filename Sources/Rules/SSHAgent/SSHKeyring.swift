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

/// Where an agent's keys are, and who signs with them. It is asked from many threads at once.
public protocol SSHKeyring: Sendable {
    /// The keys that there are at this moment.
    func keys() throws(KeyringFailure) -> [OfferedKey]

    /// The key with that public half; nil where there is none.
    func key(_ blob: [UInt8]) throws(KeyringFailure) -> OfferedKey?

    /// One signature with that key, not asked for yet.
    func signing(with key: OfferedKey) -> any KeyringSigning
}

/// One signature, which its owner may have to allow.
public protocol KeyringSigning: Sendable {
    /// The signature over the data, in SSH's form; waits for as long as the owner takes.
    /// - Parameter reason: What the owner reads.
    func sign(_ data: [UInt8], reason: String) throws(KeyringFailure) -> [UInt8]

    /// Takes the question to the owner back, from another thread.
    func takeBack()
}

/// Why a keyring has no keys to tell of, or no signature to give, for the agent's log.
public struct KeyringFailure: Error, Sendable, Hashable {
    public let reason: String

    public init(reason: String) { self.reason = reason }
}
