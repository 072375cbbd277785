import CThumbOpenSSL
public import ThumbSecrets

extension P256 {
    /// A private key: its scalar stays in secret memory.
    ///
    /// libcrypto gets a key of its own for each operation and clears it afterwards, because what it keeps would lie in ordinary
    /// memory, which may be swapped or dumped. That costs some 20 µs beside the curve's own.
    public final class PrivateKey: Sendable {
        /// The scalar, 32 bytes, big-endian.
        public let scalar: SecretBytes

        /// The public half.
        public let publicKey: PublicKey

        /// Takes a scalar; fails with `invalidKey` unless it has 32 bytes and lies between 1 and the curve's order less 1.
        public init(scalar: SecretBytes) throws {
            guard unsafe scalar.withUnsafeBytes({ unsafe isInRange($0) }) else {
                throw CryptoError(.invalidKey, "reading a private scalar")
            }
            self.scalar = scalar
            publicKey = try PublicKey(x963: Self.point(of: scalar))
        }

        /// Makes a new key; fails with `SecretError.randomRefused` without random bytes, and where no secret memory is left.
        public static func generate() throws -> PrivateKey {
            while true {
                let scalar = try SecretBytes.random(count: scalarSize)
                // One in 2³² is out of range, and drawn again.
                if unsafe scalar.withUnsafeBytes({ unsafe isInRange($0) }) { return try PrivateKey(scalar: scalar) }
            }
        }

        /// Signs a digest with ECDSA; the signature is DER.
        ///
        /// Fails with `invalidInput` for a digest of a length that no hash here has, and with `library` where libcrypto does.
        public func signature(digest: [UInt8]) throws -> [UInt8] {
            guard digestRange.contains(digest.count) else { throw CryptoError(.invalidInput, "the length of a digest") }
            return try unsafe EVPKey(point: publicKey.x963, scalar: scalar).withOperation { operation in
                try unsafe OpenSSL.check(EVP_PKEY_sign_init(operation), "starting a signature")
                // The longest DER form: two integers of 33 bytes.
                return try unsafe [UInt8](unsafeUninitializedCapacity: 72) { output, count in
                    var length = 72
                    try unsafe OpenSSL.check(
                        EVP_PKEY_sign(operation, output.baseAddress, &length, digest, digest.count), "signing")
                    count = length
                }
            }
        }

        /// The x coordinate that this key and `peer` share, 32 bytes: input for a key derivation, not a key.
        ///
        /// Fails with `library` where libcrypto does, and where no secret memory is left.
        public func sharedSecret(with peer: PublicKey) throws -> SecretBytes {
            try unsafe EVPKey(point: publicKey.x963, scalar: scalar).withOperation { operation in
                try unsafe OpenSSL.check(EVP_PKEY_derive_init(operation), "starting a key agreement")
                // No second check of the peer: its point was on the curve when it was made, and the curve has no cofactor.
                try unsafe OpenSSL.check(EVP_PKEY_derive_set_peer_ex(operation, peer.key.pointer, 0), "setting a peer")
                return try unsafe SecretBytes(filling: scalarSize) { output in
                    var length = output.count
                    try unsafe OpenSSL.check(
                        EVP_PKEY_derive(operation, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &length),
                        "agreeing on a key")
                    return length
                }
            }
        }

        private static func point(of scalar: SecretBytes) throws -> [UInt8] {
            let library = try OpenSSL.shared()
            // Secure by flag: cleared when freed, and in libcrypto's locked heap where the process has one.
            let number = try unsafe OpenSSL.require(BN_secure_new(), "making a number")
            defer { unsafe BN_clear_free(number) }
            try unsafe scalar.withUnsafeBytes { bytes in
                _ = try unsafe OpenSSL.require(
                    BN_bin2bn(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count), number),
                    "reading a number")
            }
            unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
            let arithmetic = try unsafe OpenSSL.require(BN_CTX_secure_new_ex(library.context), "making an arithmetic context")
            defer { unsafe BN_CTX_free(arithmetic) }
            let point = try unsafe OpenSSL.require(EC_POINT_new(library.p256), "making a point")
            defer { unsafe EC_POINT_free(point) }
            try unsafe OpenSSL.check(EC_POINT_mul(library.p256, point, number, nil, nil, arithmetic), "multiplying a point")
            var bytes = [UInt8](repeating: 0, count: pointSize)
            let written = unsafe EC_POINT_point2oct(
                library.p256, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, arithmetic)
            guard written == pointSize else { throw OpenSSL.failure("encoding a point") }
            return bytes
        }
    }
}
