public import ThumbAccess
public import ThumbSecrets

/// Hardware that keeps small secrets, and a counter that nobody can turn back. A keybag's slots and a store's anchor rely on it.
///
/// It may be asked from any thread. It answers one call after the other, and some calls take a chip long.
public protocol SlotCustodian: AnyObject, Sendable {
    /// Seals a secret under an authorization of 32 bytes. The seal isn't secret, and only this custodian opens it.
    func seal(
        _ secret: SecretBytes, under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> [UInt8]
    /// The sealed secret; nil if it was sealed under another authorization, or if what guards it isn't as it was.
    func unseal(
        _ seal: [UInt8], under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> SecretBytes?
    /// The value of the counter of this name; nil if there is none.
    func count(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64?
    /// Raises the counter by one and returns its value. Makes the counter if there is none.
    func countUp(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64
}
