// What a kind of key can do at all, whoever holds it. The family must fit, and an RSA block must have room for the padding.

extension KeyKind {
    /// Whether a key of this kind makes and checks such signatures.
    public func supports(_ scheme: SignatureScheme) -> Bool {
        switch scheme {
        case .ecdsa: family == .elliptic
        case .rsaPKCS1, .rsaPKCS1Raw, .rsaRaw: family == .rsa
        // RFC 8017, 9.1.1: one bit less than the modulus has, for hash, salt and two bytes.
        case .rsaPSS(let hash): family == .rsa && (bits - 1 + 7) / 8 >= 2 * hash.byteCount + 2
        }
    }

    /// Whether a key of this kind agrees with another in that way.
    public func supports(_ scheme: AgreementScheme) -> Bool {
        switch scheme {
        case .raw, .x963: family == .elliptic
        }
    }

    /// Whether bytes can be encrypted to a key of this kind in that way.
    public func supports(_ scheme: EncryptionScheme) -> Bool {
        switch scheme {
        case .rsaRaw, .rsaPKCS1: family == .rsa
        case .rsaOAEP(let hash): family == .rsa && oaepRoom(hash) >= 0
        case .rsaOAEPGCM(let hash): family == .rsa && oaepRoom(hash) >= sessionKeyBytes
        // Apple has no derived nonce with SHA-1.
        case .ecies(let hash, let derivesNonce): family == .elliptic && !(derivesNonce && hash == .sha1)
        }
    }

    /// The most bytes that can be encrypted in that way; nil if the algorithm sets no limit, or isn't supported.
    public func longestPlaintext(_ scheme: EncryptionScheme) -> Int? {
        guard supports(scheme) else { return nil }
        return switch scheme {
        case .rsaRaw: blockBytes
        case .rsaPKCS1: blockBytes - 11
        case .rsaOAEP(let hash): oaepRoom(hash)
        case .rsaOAEPGCM, .ecies: nil
        }
    }

    /// The bytes of the AES key inside ECIES and inside OAEP with AES-GCM: the size of the key decides, not the hash.
    public var sessionKeyBytes: Int {
        switch self {
        case .elliptic(let curve): curve == .p256 ? 16 : 32
        case .rsa(let bits): bits < 4096 ? 16 : 32
        }
    }

    private func oaepRoom(_ hash: HashFunction) -> Int { blockBytes - 2 * hash.byteCount - 2 }
}
