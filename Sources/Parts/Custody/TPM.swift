public import ThumbKeychain
public import ThumbSecrets

/// What a TPM 2.0 does for a device. Either this process speaks with the chip, or the TPM's keeper does.
///
/// It may be asked from any thread, and answers one call after the other.
public protocol TPM: SlotCustodian {
    /// Makes a P-256 key inside the TPM.
    func makeKey() throws -> TPMKeyMaterial
    /// Signs with ECDSA, and returns DER. As many leftmost bytes of the digest count as the curve's field has. A shorter digest is the same
    /// number with zeros before it.
    func sign(_ digest: [UInt8], with key: TPMKeyMaterial) throws -> [UInt8]
    /// The x coordinate that a key and a peer's public key, in X9.63, share.
    func agree(with peer: [UInt8], _ key: TPMKeyMaterial) throws -> SecretBytes
    /// Gives back what the TPM holds for this device, until the next call.
    func close()
}
