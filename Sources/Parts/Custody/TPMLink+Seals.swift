import CThumbTSS
import ThumbAccess
import ThumbSecrets

// Small secrets that only this TPM gives back. The keybag's slots use them.
extension TPMLink {
    /// The longest secret that every TPM seals.
    static let mostSealed = 128

    /// Seals a secret under an authorization of 32 bytes.
    func seal(_ secret: SecretBytes, _ authorization: SecretBytes, guardedBy guarding: SealGuard) throws(TPMError) -> TPMSeal {
        guard (1...Self.mostSealed).contains(secret.count), authorization.count == TPMKeyMaterial.authorizationBytes else {
            throw TPMError(.parameter, "sealing a secret")
        }
        let policy = guarding == .start ? try policyOfStart() : nil
        let template = policy.map(TPMTemplate.seal(policy:)) ?? TPMTemplate.seal(countsGuesses: guarding == .guesses)
        return TPMSeal(try create(template + TPMTemplate.emptyHash, authorization, content: secret))
    }

    /// The sealed secret; nil if the authorization isn't the one it was sealed under, or the machine was started in another way.
    func unseal(
        _ seal: TPMSeal, _ authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(TPMError) -> SecretBytes? {
        let isOfStart = guarding == .start && TPMTemplate.isPolicySeal(seal.area)
        guard isOfStart || seal.area.starts(with: TPMTemplate.seal(countsGuesses: guarding == .guesses)),
            authorization.count == TPMKeyMaterial.authorizationBytes
        else {
            throw TPMError(.damaged, "reading a seal")
        }
        let handle = try handle(of: seal.material(under: authorization))
        var data: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
        defer {
            unsafe thumb_tss_forget(context)
            thumb_tss_forget_stack()
        }
        func open(in session: ESYS_TR) throws(TPMError) {
            try authorized(handle, by: authorization) { () throws(TPMError) in
                try check(unsafe Esys_Unseal(context, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, &data), "unsealing")
            }
        }
        do throws(TPMError) {
            if isOfStart {
                try afterThisStart(open)
            } else {
                try use(session, encrypting: Encrypting.response)
                try open(in: session)
            }
        } catch  where error.isWrongAuthorization || error.isUnmetPolicy {
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
