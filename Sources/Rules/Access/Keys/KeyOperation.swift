/// The hash functions for signatures, key derivations and OAEP.
public enum HashFunction: UInt8, Sendable, Hashable, CaseIterable {
    case sha1 = 1
    case sha224 = 2
    case sha256 = 3
    case sha384 = 4
    case sha512 = 5

    public var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}

/// How a digest becomes a signature. Messages are hashed by whoever has them. The daemon only sees digests, so it needs no limit on
/// messages.
public enum SignatureScheme: Sendable, Hashable {
    /// ECDSA over a digest of any length, its leftmost bits counting; the signature is DER (X9.62).
    case ecdsa
    /// PKCS#1 v1.5 with the hash's DigestInfo before the digest.
    case rsaPKCS1(HashFunction)
    /// PKCS#1 v1.5 around the given bytes, without a DigestInfo.
    case rsaPKCS1Raw
    /// PSS with MGF1 and a salt of the hash's own length.
    case rsaPSS(HashFunction)
    /// The bare power; shorter input is padded with zeros on the left.
    case rsaRaw
}

/// How the coordinate that two keys share becomes bytes to use.
public enum AgreementScheme: Sendable, Hashable {
    /// The x coordinate itself, leading zeros kept.
    case raw
    /// ANSI X9.63 with that hash: this many bytes, with this information mixed in.
    case x963(HashFunction, count: Int, sharedInfo: [UInt8])

    /// More than anybody derives at once, and too little to keep the daemon busy.
    public static let mostBytes = 64 << 10
}

/// How bytes are encrypted to a public key.
public enum EncryptionScheme: Sendable, Hashable {
    case rsaRaw
    case rsaPKCS1
    case rsaOAEP(HashFunction)
    /// OAEP around a fresh AES-GCM key.
    case rsaOAEPGCM(HashFunction)
    /// ECIES with the X9.63 derivation. The nonce is sixteen zero bytes, or is derived with the key.
    case ecies(HashFunction, derivesNonce: Bool)
}

/// What a private key is asked to do.
public enum KeyOperation: Sendable, Hashable {
    case sign(digest: [UInt8], SignatureScheme)
    /// - Parameter peer: the other side's public key, X9.63.
    case agree(peer: [UInt8], AgreementScheme)
    case decrypt([UInt8], EncryptionScheme)
}
