import CThumbOpenSSL
public import ThumbAccess
public import ThumbSecrets

extension PrivateKey {
    /// The secret that this key and `peer` share, in the form that `scheme` says.
    ///
    /// Fails with `unsupported` for an RSA key, `invalidInput` for a peer of another kind, `limit` for a count that isn't within
    /// 1...`AgreementScheme.mostBytes`, `agreementFailed` if the two share nothing, `library` if libcrypto can't start, and
    /// if no secret memory is left.
    public func agree(with peer: PublicKey, _ scheme: AgreementScheme) throws -> SecretBytes {
        guard kind.supports(scheme) else { throw CryptoError(.unsupported, "agreeing with such a key") }
        guard peer.kind == kind else { throw CryptoError(.invalidInput, "agreeing with a key of another kind") }
        return try scheme.derive(from: shared(with: peer))
    }

    /// The x coordinate that two keys share, as long as the field: input for a key derivation, not a key.
    private func shared(with peer: PublicKey) throws -> SecretBytes {
        try unsafe withKey { key in
            try unsafe peer.withKey { other in
                try unsafe key.withOperation { operation in
                    try unsafe OpenSSL.check(EVP_PKEY_derive_init(operation), "starting a key agreement")
                    try unsafe other.setPeer(of: operation)
                    return try unsafe SecretBytes(count: kind.blockBytes) { output in
                        var length = output.count
                        let status = unsafe EVP_PKEY_derive(
                            operation, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &length)
                        guard status == 1, length == output.count else {
                            throw OpenSSL.refusal(.agreementFailed, "agreeing on a key")
                        }
                    }
                }
            }
        }
    }
}

extension AgreementScheme {
    /// Derives what the scheme makes of a shared coordinate, wherever that was computed. Fails as the derivation does.
    public func derive(from shared: SecretBytes) throws -> SecretBytes {
        switch self {
        case .raw: shared
        case .x963(let hash, let count, let sharedInfo):
            try X963KDF.derive(secret: shared, sharedInfo: sharedInfo, count: count, hash: hash)
        }
    }
}
