import CThumbOpenSSL
import ThumbSecrets

/// Elliptic-curve keys on NIST P-256: ECDSA over digests, and ECDH.
public enum P256 {
    /// How many bytes a scalar, a coordinate and a shared secret have.
    public static let scalarSize = 32

    /// How many bytes an uncompressed point has: 04, x, y.
    public static let pointSize = 65

    /// The digests that may be signed: SHA-1 to SHA-512. The curve takes the leftmost 32 bytes.
    public static let digestRange = 20...64

    /// The curve's order, big-endian: a private scalar lies between 1 and one less.
    internal static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// The one DER form of a SubjectPublicKeyInfo with an uncompressed named-curve P-256 point ends with the point; this is all
    /// that stands before it.
    internal static let spkiPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
        0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// Whether a big-endian scalar lies between 1 and the order less 1, in a time that doesn't depend on it.
    @unsafe internal static func isInRange(_ scalar: UnsafeRawBufferPointer) -> Bool {
        guard scalar.count == scalarSize else { return false }
        var borrow = 0
        var any: UInt8 = 0
        for index in (0..<scalarSize).reversed() {
            // After the last step the borrow is 1 exactly if the scalar is smaller than the order.
            borrow = (unsafe Int(scalar[index]) - Int(order[index]) - borrow) >> 8 & 1
            any |= unsafe scalar[index]
        }
        return borrow == 1 && any != 0
    }
}

/// A libcrypto key with its one owner; freed, and its numbers cleared, when it goes.
@safe internal final class EVPKey: @unchecked Sendable {  // Constant after init; libcrypto uses a key from several threads.
    let pointer: OpaquePointer

    /// Makes a key of a point on the curve and, for a private key, its big-endian scalar.
    ///
    /// Fails with `invalidKey` if libcrypto finds the point off the curve.
    init(point: [UInt8], scalar: SecretBytes? = nil) throws {
        let library = try OpenSSL.shared()
        let maker = try unsafe OpenSSL.require(EVP_PKEY_CTX_new_from_name(library.context, "EC", nil), "making a key context")
        defer { unsafe EVP_PKEY_CTX_free(maker) }
        try unsafe OpenSSL.check(EVP_PKEY_fromdata_init(maker), "making a key")
        // The parameters keep their names by pointer: static strings stay where they are.
        func name(_ string: StaticString) -> UnsafePointer<CChar> {
            unsafe UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
        }
        var group = Array("prime256v1".utf8CString)
        var point = point
        var key: OpaquePointer?
        let status = try unsafe group.withUnsafeMutableBufferPointer { group in
            try unsafe point.withUnsafeMutableBytes { point in
                let shared = unsafe [
                    OSSL_PARAM_construct_utf8_string(name("group"), group.baseAddress, 0),
                    OSSL_PARAM_construct_octet_string(name("pub"), point.baseAddress, point.count),
                ]
                guard let scalar else {
                    var parameters = unsafe shared + [OSSL_PARAM_construct_end()]
                    return unsafe EVP_PKEY_fromdata(maker, &key, thumb_evp_pkey_public_key, &parameters)
                }
                // A number parameter is little-endian here as on every machine that Swift runs on under Linux.
                let reversed = try unsafe SecretBytes(count: scalar.count) { buffer in
                    unsafe scalar.withUnsafeBytes { unsafe buffer.copyBytes(from: $0.reversed()) }
                }
                return unsafe reversed.withUnsafeBytes { bytes in
                    let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
                    let number = unsafe OSSL_PARAM_construct_BN(name("priv"), start, bytes.count)
                    var parameters = unsafe shared + [number, OSSL_PARAM_construct_end()]
                    return unsafe EVP_PKEY_fromdata(maker, &key, thumb_evp_pkey_keypair, &parameters)
                }
            }
        }
        guard status == 1, let key = unsafe key else { throw OpenSSL.refusal(.invalidKey, "making a P-256 key") }
        unsafe pointer = key
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Runs `body` with a fresh operation context for this key.
    @unsafe func withOperation<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        let operation = try unsafe OpenSSL.require(
            EVP_PKEY_CTX_new_from_pkey(OpenSSL.shared().context, pointer, nil), "making a key operation")
        defer { unsafe EVP_PKEY_CTX_free(operation) }
        return try unsafe body(operation)
    }
}
