import CThumbOpenSSL
import ThumbAccess
import ThumbSecrets

/// Our half of the agreement that the Secret Service calls `dh-ietf1024-sha256-aes128-cbc-pkcs7`: Diffie-Hellman in RFC 2409's second
/// Oakley group, and a key derived from what both share.
///
/// It authenticates nobody. It keeps secrets out of what a bus records, and is no protection from the bus itself.
public struct TransferAgreement: Sendable {
    /// How many bytes the group's prime has.
    public static let byteCount = 128
    /// The longest public value that is taken: some write a zero in front of the number.
    public static let longestValue = byteCount + 1
    /// How many bytes our exponent has. The group resists no more than some 80 bits of work, and half of the exponent's bits count.
    private static let exponentBytes = 32

    /// What the other side is told: as long as the prime.
    public let publicValue: [UInt8]
    private let exponent: SecretBytes

    /// Draws a new half; fails with `library` if libcrypto does, and if no secret memory is left.
    public init() throws { try self.init(exponent: .random(count: Self.exponentBytes)) }

    /// A half with a known exponent.
    internal init(exponent: SecretBytes) throws {
        self.exponent = exponent
        let base = try SecretBytes(copying: [2])
        publicValue = try unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { output, count in
            try unsafe Self.power(base, exponent, UnsafeMutableRawBufferPointer(output))
            count = Self.byteCount
        }
    }

    /// The key that both sides have.
    ///
    /// Fails with `invalidKey` if the other side's value isn't between 1 and the prime less 1, or is too long, with `library` if libcrypto
    /// does, and if no secret memory is left.
    public func key(with peer: [UInt8]) throws -> TransferKey {
        guard peer.count <= Self.longestValue else { throw CryptoError(.invalidKey, "the length of a public value") }
        // Public, but libcrypto's numbers are made of secrets here.
        let peer = try SecretBytes(copying: peer)
        guard try Self.isInRange(peer) else { throw CryptoError(.invalidKey, "reading a public value") }
        let shared = try unsafe SecretBytes(count: Self.byteCount) { try unsafe Self.power(peer, exponent, $0) }
        return TransferKey(try HKDF.derive(secret: shared, salt: [], info: [], count: TransferKey.byteCount))
    }

    /// Whether a value is neither 0, 1, the prime less 1, nor beyond: these would make a secret that anybody can guess.
    private static func isInRange(_ value: SecretBytes) throws -> Bool {
        let number = try unsafe value.withUnsafeBytes { try unsafe Number($0) }
        let last = try prime()
        return try unsafe last.withNumber { last in
            try unsafe OpenSSL.check(BN_sub_word(last, 1), "subtracting from a prime")
            return unsafe BN_is_zero(number.pointer) == 0 && BN_is_one(number.pointer) == 0 && BN_cmp(number.pointer, last) < 0
        }
    }

    private static func prime() throws(CryptoError) -> Prime { try Prime() }

    /// Writes a power as long as the prime, zeros first. The time doesn't depend on the exponent.
    @unsafe private static func power(
        _ base: SecretBytes, _ exponent: SecretBytes, _ output: UnsafeMutableRawBufferPointer
    ) throws {
        let base = try unsafe base.withUnsafeBytes { try unsafe Number($0) }
        let exponent = try unsafe exponent.withUnsafeBytes { try unsafe Number($0) }
        let result = try unsafe Number()
        let arithmetic = try unsafe OpenSSL.require(
            BN_CTX_secure_new_ex(OpenSSL.shared().context), "making an arithmetic context")
        defer { unsafe BN_CTX_free(arithmetic) }
        let prime = try prime()
        try unsafe prime.withNumber { prime in
            // Its number says itself that it is secret, so libcrypto takes the way whose time is constant.
            try unsafe OpenSSL.check(
                BN_mod_exp(result.pointer, base.pointer, exponent.pointer, prime, arithmetic), "raising to a power")
        }
        let start = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let written = unsafe BN_bn2binpad(result.pointer, start, Int32(byteCount))
        guard written == byteCount else {
            throw OpenSSL.failure("writing a number")
        }
    }
}

/// RFC 2409's second Oakley group: its prime, as libcrypto has it.
@safe private struct Prime: ~Copyable {
    private let number: OpaquePointer

    init() throws(CryptoError) {
        unsafe number = try unsafe OpenSSL.require(BN_get_rfc2409_prime_1024(nil), "making a prime")
    }

    deinit { unsafe BN_free(number) }

    @unsafe borrowing func withNumber<Result>(_ body: (OpaquePointer) throws -> Result) rethrows -> Result {
        return try unsafe body(number)
    }
}
