import CThumbTSS
import ThumbSecrets

// Small secrets that only this TPM gives back. The keybag's slots use them.
extension TPMLink {
    /// The longest secret that every TPM seals.
    static let mostSealed = 128

    /// Seals a secret under an authorization of 32 bytes. If guarded, wrong authorizations count against the TPM's dictionary-attack
    /// lockout.
    func seal(_ secret: SecretBytes, _ authorization: SecretBytes, isGuarded: Bool) throws(TPMError) -> TPMSeal {
        guard (1...Self.mostSealed).contains(secret.count), authorization.count == TPMKeyMaterial.authorizationBytes else {
            throw TPMError(.parameter, "sealing a secret")
        }
        return TPMSeal(
            try create(TPMTemplate.seal(isGuarded: isGuarded) + TPMTemplate.emptyHash, authorization, content: secret))
    }

    /// The sealed secret; nil if the authorization isn't the one it was sealed under.
    func unseal(
        _ seal: TPMSeal, _ authorization: SecretBytes, isGuarded: Bool
    ) throws(TPMError) -> SecretBytes? {
        guard seal.area.starts(with: TPMTemplate.seal(isGuarded: isGuarded)),
            authorization.count == TPMKeyMaterial.authorizationBytes
        else {
            throw TPMError(.damaged, "reading a seal")
        }
        let handle = try handle(of: seal.material(under: authorization))
        try use(session, encrypting: Encrypting.response)
        var data: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
        defer {
            unsafe thumb_tss_forget(context)
            thumb_tss_forget_stack()
        }
        do throws(TPMError) {
            try authorized(handle, by: authorization) { () throws(TPMError) in
                try check(unsafe Esys_Unseal(context, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, &data), "unsealing")
            }
        } catch  where error.isWrongAuthorization {
            return nil
        }
        guard let data = unsafe data else { throw TPMError(.refused, "unsealing") }
        defer {
            unsafe explicit_bzero(data, MemoryLayout<TPM2B_SENSITIVE_DATA>.size)
            unsafe Esys_Free(data)
        }
        let count = unsafe Int(data.pointee.size)
        return try TPMError.holding {
            try unsafe withUnsafeBytes(of: &data.pointee.buffer) { bytes in
                try unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            }
        }
    }
}
