public import ThumbAccess
public import ThumbSecrets

/// A private key, elliptic or RSA. Its numbers stay in secret memory.
///
/// libcrypto gets a fresh key for each operation and clears it afterwards: what libcrypto keeps is in ordinary memory, which may be swapped
/// or dumped. On P-256 that costs about as much as the curve's own arithmetic, elsewhere far less.
public final class PrivateKey: Sendable {
    /// The key as Apple exports it: 04, X, Y and the scalar, or PKCS#1's RSAPrivateKey.
    public let external: SecretBytes

    /// The public half.
    public let publicKey: PublicKey

    /// The key's family and size.
    public var kind: KeyKind { publicKey.kind }

    /// Reads a key from its `external` form, which also tells its size.
    ///
    /// Fails with `invalidKey` if they have another form, or if the private half isn't the public one's.
    public convenience init(external: SecretBytes, _ family: KeyFamily) throws {
        try self.init(own: external, family)
        guard try areHalvesOfOne() else { throw CryptoError(.invalidKey, "comparing a key's halves") }
    }

    /// Reads a key that this program made or read before, and kept where nobody can change it. The halves aren't compared again; on P-384
    /// that would take as long as a signature. Fails with `invalidKey` if the bytes have another form.
    public init(own external: SecretBytes, _ family: KeyFamily) throws {
        self.external = external
        switch family {
        case .elliptic:
            guard let curve = Curve.allCases.first(where: { $0.pointBytes + $0.fieldBytes == external.count }) else {
                throw CryptoError(.invalidKey, "the length of an elliptic private key")
            }
            let point = external.plainBytes(in: 0..<curve.pointBytes)
            publicKey = try PublicKey(external: point, .elliptic)
            let group = try OpenSSL.shared().group(of: curve)
            let isInRange = unsafe external.withUnsafeBytes { bytes in
                unsafe group.isInRange(UnsafeRawBufferPointer(rebasing: bytes[curve.pointBytes...]))
            }
            guard isInRange else { throw CryptoError(.invalidKey, "reading a private scalar") }
        case .rsa:
            publicKey = try unsafe external.withUnsafeBytes { bytes in
                guard let form = unsafe RSAPrivateForm(bytes) else {
                    throw CryptoError(.invalidKey, "reading an RSA private key")
                }
                return try unsafe PublicKey(external: form.publicKey(in: bytes), .rsa)
            }
        }
    }

    /// Makes a new key. RSA keys have 65537 as their exponent, and may take seconds from 4096 bits on.
    ///
    /// Fails with `unsupported` for an RSA size that isn't taken, with `SecretError.randomRefused` without random bytes, with
    /// `library` if libcrypto does, and if no secret memory is left.
    public static func generate(_ kind: KeyKind) throws -> PrivateKey {
        switch kind {
        case .elliptic(let curve):
            let group = try OpenSSL.shared().group(of: curve)
            return try PrivateKey(curve, scalar: group.newScalar())
        case .rsa(let bits):
            guard KeyKind.rsaBits.contains(bits) else { throw CryptoError(.unsupported, "the size of an RSA key") }
            return try PrivateKey(own: RSAPrivateForm.generate(bits: bits), .rsa)
        }
    }

    /// Makes the key of a scalar; fails with `invalidKey` unless it is as long as the curve's coordinates and in range.
    public convenience init(_ curve: Curve, scalar: SecretBytes) throws {
        let group = try OpenSSL.shared().group(of: curve)
        let whole = try unsafe scalar.withUnsafeBytes { scalar in
            guard unsafe group.isInRange(scalar) else { throw CryptoError(.invalidKey, "reading a private scalar") }
            let point = try unsafe group.point(of: scalar)
            return try unsafe SecretBytes(count: point.count + scalar.count) { output in
                unsafe output.copyBytes(from: point)
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[point.count...]).copyMemory(from: scalar)
            }
        }
        try self.init(own: whole, .elliptic)
    }

    private func areHalvesOfOne() throws -> Bool {
        try unsafe external.withUnsafeBytes { bytes in
            switch kind {
            case .elliptic(let curve):
                let scalar = unsafe UnsafeRawBufferPointer(rebasing: bytes[curve.pointBytes...])
                return try unsafe OpenSSL.shared().group(of: curve).point(of: scalar) == publicKey.external
            case .rsa: return try unsafe RSAPrivateForm(bytes)?.isOneKey(in: bytes) ?? false
            }
        }
    }

    /// Runs `body` with a key of libcrypto's, made for this and cleared afterwards.
    @unsafe internal func withKey<Result>(_ body: (borrowing EVPKey) throws -> Result) throws -> Result {
        try unsafe external.withUnsafeBytes { bytes in
            switch kind {
            case .elliptic(let curve):
                return try unsafe body(
                    EVPKey(
                        "EC",
                        [
                            .init("group", text: curve.opensslName),
                            .init("pub", .octets, UnsafeRawBufferPointer(rebasing: bytes[..<curve.pointBytes])),
                            .init("priv", .number, UnsafeRawBufferPointer(rebasing: bytes[curve.pointBytes...])),
                        ], isPrivate: true))
            case .rsa:
                guard let form = unsafe RSAPrivateForm(bytes) else {
                    throw CryptoError(.invalidKey, "reading an RSA private key")
                }
                return try unsafe body(EVPKey("RSA", form.parts(in: bytes), isPrivate: true))
            }
        }
    }
}
