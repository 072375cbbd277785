import ThumbAccess

extension PublicKey {
    /// Reads a public key on P-256 that came from somebody else: a SubjectPublicKeyInfo in DER, or an uncompressed X9.63 point.
    ///
    /// Unlike `init(spki:)` it tells why it fails: with `invalidInput` if the bytes are neither, or the point in them is compressed; with
    /// `unsupported` for a key of another kind or on another curve; with `invalidKey` if the point isn't on the curve; and with `library`
    /// if libcrypto does.
    public init(p256 bytes: [UInt8]) throws {
        let point = try Self.p256Point(bytes)
        guard let found = Curve.allCases.first(where: { $0.pointBytes == point.count }), point[0] == 0x04 else {
            throw CryptoError(.invalidInput, "the form of a point")
        }
        guard found == .p256 else { throw CryptoError(.unsupported, "a key on another curve") }
        try self.init(external: point, .elliptic)
    }

    /// Reads the same from PEM: one block between lines that say PUBLIC KEY, with nothing around it.
    ///
    /// Fails as reading bytes does, and with `invalidInput` if it isn't such PEM.
    public init(p256PEM text: String) throws {
        guard let der = PEM.decode(text, "PUBLIC KEY"), der.first != 0x04 else { throw CryptoError(.invalidInput, "reading PEM") }
        try self.init(p256: der)
    }

    /// The point, which still has to be checked.
    private static func p256Point(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        if bytes.first == 0x04 { return bytes }
        guard let info = SPKI.read(bytes) else { throw CryptoError(.invalidInput, "reading a public key's DER") }
        guard info.algorithm == SPKI.algorithm(.p256) else { throw CryptoError(.unsupported, "a key of another kind") }
        guard info.key.count == Curve.p256.pointBytes else {
            throw CryptoError(.invalidInput, "the length of an uncompressed point")
        }
        return info.key
    }
}
