public import ThumbAccess
public import ThumbSecrets

/// ECIES as in Apple's SecKey: an ephemeral key's point, the ciphertext, and the tag of AES-GCM.
///
/// The caller makes the key agreement, so that a TPM can do that part inside, and the rest happens here.
public enum ECIES {
    /// Encrypts to `peer` with a key that is made for this one message.
    ///
    /// Fails with `unsupported` for an RSA key or scheme, `limit` beyond AESGCM's limits, `library` if libcrypto does, and
    /// if no secret memory is left.
    public static func seal(
        _ plaintext: SecretBytes, to peer: PublicKey, _ scheme: EncryptionScheme
    ) throws -> [UInt8] {
        try seal(plaintext, to: peer, scheme, ephemeral: PrivateKey.generate(peer.kind))
    }

    /// Opens what was encrypted to `publicKey`; `agree` returns the x coordinate that its private half and the peer share.
    ///
    /// Fails with `unsupported` for an RSA key or scheme, with `authenticationFailed` for whatever is wrong with the ciphertext, as
    /// `agree` does, with `library` if libcrypto does, and if no secret memory is left.
    public static func open(
        _ ciphertext: [UInt8], _ scheme: EncryptionScheme, _ publicKey: PublicKey,
        agree: (_ peer: PublicKey) throws -> SecretBytes
    ) throws -> SecretBytes {
        guard case .elliptic(let curve) = publicKey.kind, case .ecies = scheme, publicKey.kind.supports(scheme) else {
            throw CryptoError(.unsupported, "an encryption scheme")
        }
        let refusal = CryptoError(.authenticationFailed, "opening an ECIES ciphertext")
        guard ciphertext.count >= curve.pointBytes + AESGCM.tagSize else { throw refusal }
        let point = Array(ciphertext.prefix(curve.pointBytes))
        let peer: PublicKey
        do {
            peer = try PublicKey(external: point, .elliptic)
        } catch let error as CryptoError where error.code == .invalidKey {
            throw refusal
        }
        let (key, nonce) = try keyAndNonce(agree(peer), point, scheme, publicKey.kind)
        return try AESGCM.open(Array(ciphertext.dropFirst(point.count)), key: key, nonce: nonce)
    }

    internal static func seal(
        _ plaintext: SecretBytes, to peer: PublicKey, _ scheme: EncryptionScheme, ephemeral: @autoclosure () throws -> PrivateKey
    ) throws -> [UInt8] {
        guard case .ecies = scheme, peer.kind.supports(scheme) else { throw CryptoError(.unsupported, "an encryption scheme") }
        let ephemeral = try ephemeral()
        let point = ephemeral.publicKey.external
        let (key, nonce) = try keyAndNonce(ephemeral.agree(with: peer, .raw), point, scheme, peer.kind)
        return try point + AESGCM.seal(plaintext, key: key, nonce: nonce)
    }

    /// The AES key, in the length that the curve demands, followed by the nonce. The ephemeral point is mixed in.
    private static func keyAndNonce(
        _ shared: SecretBytes, _ point: [UInt8], _ scheme: EncryptionScheme, _ kind: KeyKind
    ) throws -> (SecretBytes, [UInt8]) {
        guard case .ecies(let hash, let derivesNonce) = scheme else { throw CryptoError(.unsupported, "an encryption scheme") }
        let size = kind.sessionKeyBytes
        let nonceSize = AESGCM.zeroNonce.count
        guard derivesNonce else {
            return try (X963KDF.derive(secret: shared, sharedInfo: point, count: size, hash: hash), AESGCM.zeroNonce)
        }
        let both = try X963KDF.derive(secret: shared, sharedInfo: point, count: size + nonceSize, hash: hash)
        return try (both.slice(0..<size), both.plainBytes(in: size..<size + nonceSize))
    }
}
