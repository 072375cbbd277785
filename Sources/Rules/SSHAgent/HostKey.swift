public import ThumbAccess

/// The public half of a host's key, in the kinds that servers have today.
public enum HostKey: Sendable, Hashable {
    case ed25519([UInt8])
    /// With its uncompressed point.
    case ecdsa(Curve, [UInt8])
    /// As a PKCS#1 RSAPublicKey, in DER.
    case rsa([UInt8])

    /// The end of a certificate's type, after the type of the key in it.
    private static let certified = "-cert-v01@openssh.com"

    /// Reads a key in SSH's form, or the key inside a certificate, because the host signs with that one.
    /// - Throws: `.unsupported` for other kinds of keys.
    public init(_ blob: [UInt8]) throws(AgentRefusal) {
        var reader = SSHReader(blob)
        var type = try reader.text()
        let isCertificate = type.hasSuffix(Self.certified)
        if isCertificate {
            type.removeLast(Self.certified.count)
            // A nonce.
            _ = try reader.string()
        }
        switch type {
        case "ssh-ed25519":
            let point = try reader.string()
            guard point.count == 32 else { throw .malformed }
            self = .ed25519(point)
        case "ecdsa-sha2-nistp256": self = try Self.ecdsa(.p256, "nistp256", &reader)
        case "ecdsa-sha2-nistp384": self = try Self.ecdsa(.p384, "nistp384", &reader)
        case "ecdsa-sha2-nistp521": self = try Self.ecdsa(.p521, "nistp521", &reader)
        case "ssh-rsa":
            let (exponent, modulus) = (try reader.positive(), try reader.positive())
            self = .rsa(DER.tagged(0x30, DER.number(modulus) + DER.number(exponent)))
        default: throw .unsupported
        }
        if !isCertificate { try reader.end() }
    }

    private static func ecdsa(_ curve: Curve, _ name: String, _ reader: inout SSHReader) throws(AgentRefusal) -> HostKey {
        guard try reader.text() == name else { throw .malformed }
        let point = try reader.string()
        guard point.count == curve.pointBytes, point[0] == 4 else { throw .malformed }
        return .ecdsa(curve, point)
    }
}

/// A signature that a host is said to have made, in the form that a verifier needs.
public struct HostProof: Sendable, Hashable {
    public let key: HostKey
    public let message: [UInt8]
    /// DER for ECDSA; for the others the plain bytes.
    public let signature: [UInt8]
    /// The hash of the message; nil if the algorithm hashes it itself.
    public let hash: HashFunction?

    init(_ key: HostKey, message: [UInt8], signature blob: [UInt8]) throws(AgentRefusal) {
        self.key = key
        self.message = message
        var reader = SSHReader(blob)
        let (algorithm, bytes) = (try reader.text(), try reader.string())
        try reader.end()
        switch (key, algorithm) {
        case (.ed25519, "ssh-ed25519"): (signature, hash) = (bytes, nil)
        case (.ecdsa(.p256, _), "ecdsa-sha2-nistp256"): (signature, hash) = (try Self.pair(bytes), .sha256)
        case (.ecdsa(.p384, _), "ecdsa-sha2-nistp384"): (signature, hash) = (try Self.pair(bytes), .sha384)
        case (.ecdsa(.p521, _), "ecdsa-sha2-nistp521"): (signature, hash) = (try Self.pair(bytes), .sha512)
        case (.rsa, "rsa-sha2-256"): (signature, hash) = (bytes, .sha256)
        case (.rsa, "rsa-sha2-512"): (signature, hash) = (bytes, .sha512)
        // SHA-1 is one of these: a signature that anybody could forge proves nothing.
        default: throw .unsupported
        }
    }

    private static func pair(_ bytes: [UInt8]) throws(AgentRefusal) -> [UInt8] {
        var reader = SSHReader(bytes)
        let (r, s) = (try reader.positive(), try reader.positive())
        try reader.end()
        return DER.pair(r: r, s: s)
    }
}
