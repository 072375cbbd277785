public import ThumbAccess

/// A public key, elliptic or RSA.
///
/// Only one form of each encoding is accepted: uncompressed points, DER with nothing left to choose, named curves. Everything else
/// (compressed points, explicit curve parameters, BER) is refused before libcrypto sees it.
public struct PublicKey: Sendable, Hashable {
    /// The key's family and size.
    public let kind: KeyKind

    /// The key as Apple exports it: a point in X9.63's uncompressed form, or PKCS#1's RSAPublicKey.
    public let external: [UInt8]

    /// Reads a key from its `external` form or, for RSA, from a SubjectPublicKeyInfo. The bytes also tell the size.
    ///
    /// Fails with `invalidKey` if they have another form, if the point isn't on its curve, or if an RSA key's size or exponent
    /// isn't one that is taken.
    public init(external: [UInt8], _ family: KeyFamily) throws {
        switch family {
        case .elliptic: try self.init(point: external)
        case .rsa: try self.init(pkcs1: SPKI.rsaKey(in: external) ?? external)
        }
    }

    /// Reads a DER SubjectPublicKeyInfo; fails with `invalidKey` as reading `external` does.
    public init(spki: [UInt8]) throws {
        if let point = SPKI.point(in: spki) {
            try self.init(point: point)
        } else if let key = SPKI.rsaKey(in: spki) {
            try self.init(pkcs1: key)
        } else {
            throw CryptoError(.invalidKey, "reading a public key's DER")
        }
    }

    /// The key as a DER SubjectPublicKeyInfo.
    public var spki: [UInt8] { SPKI.encode(self) }

    /// The key as PEM, between lines that say PUBLIC KEY.
    public var pem: String { PEM.encode(spki, "PUBLIC KEY") }

    /// What Apple calls the key's hash: SHA-1 of `external`; fails with `library` if libcrypto does.
    public func label() throws -> [UInt8] { try HashFunction.sha1.hash(external) }

    private init(point: [UInt8]) throws {
        guard let curve = Curve.allCases.first(where: { $0.pointBytes == point.count }) else {
            throw CryptoError(.invalidKey, "the length of an uncompressed point")
        }
        guard try OpenSSL.shared().group(of: curve).hasPoint(point) else {
            throw CryptoError(.invalidKey, "reading an uncompressed point")
        }
        kind = .elliptic(curve)
        external = point
    }

    private init(pkcs1: [UInt8]) throws {
        guard let form = RSAPublicForm(pkcs1) else { throw CryptoError(.invalidKey, "reading an RSA public key") }
        kind = .rsa(bits: form.bits)
        external = pkcs1
    }

    /// Runs `body` with a key of libcrypto's.
    ///
    /// The key is made each time. If you verify often with one key, keep a `VerifyingKey`.
    @unsafe internal func withKey<Result>(_ body: (borrowing EVPKey) throws -> Result) throws -> Result {
        try unsafe body(makeKey())
    }

    /// Makes a key of libcrypto's.
    @unsafe internal func makeKey() throws -> EVPKey {
        var made: EVPKey?
        try unsafe external.withUnsafeBytes { bytes in
            switch kind {
            case .elliptic(let curve):
                unsafe made = try unsafe EVPKey(
                    "EC", [.init("group", text: curve.opensslName), .init("pub", .octets, bytes)], isPrivate: false)
            case .rsa:
                guard let form = RSAPublicForm(external) else { throw CryptoError(.invalidKey, "reading an RSA public key") }
                unsafe made = try unsafe EVPKey(
                    "RSA",
                    [
                        .init("n", .number, UnsafeRawBufferPointer(rebasing: bytes[form.modulus])),
                        .init("e", .number, UnsafeRawBufferPointer(rebasing: bytes[form.exponent])),
                    ], isPrivate: false)
            }
        }
        guard let made = unsafe made.take() else { throw CryptoError(.invalidKey, "making a key") }
        return unsafe made
    }
}

extension Curve {
    internal var opensslName: StaticString {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        case .p521: "secp521r1"
        }
    }
}
