import CThumbOpenSSL
import ThumbSecrets

extension P256 {
    /// A point on the curve.
    ///
    /// Only one form of each encoding is taken: uncompressed points, and the SubjectPublicKeyInfo that everyone writes.
    /// Everything else (compressed points, explicit curve parameters, BER) is refused before libcrypto sees it.
    public final class PublicKey: Sendable, Equatable {
        /// The uncompressed point: 04, x, y.
        public let x963: [UInt8]

        internal let key: EVPKey

        /// Takes an uncompressed point; fails with `invalidKey` if it has another form or isn't on the curve.
        public init(x963 point: [UInt8]) throws {
            guard point.count == pointSize, point[0] == 0x04 else {
                throw CryptoError(.invalidKey, "reading an uncompressed point")
            }
            x963 = point
            key = try EVPKey(point: point)
        }

        /// Takes a DER SubjectPublicKeyInfo; fails with `invalidKey` if it has another form or the point isn't on the curve.
        public convenience init(der: [UInt8]) throws {
            guard der.starts(with: spkiPrefix) else { throw CryptoError(.invalidKey, "reading a public key's DER") }
            try self.init(x963: Array(der.dropFirst(spkiPrefix.count)))
        }

        /// The key as a DER SubjectPublicKeyInfo.
        public var spkiDER: [UInt8] { spkiPrefix + x963 }

        /// The key as PEM, between lines that say PUBLIC KEY.
        public var pem: String {
            let lines = stride(from: 0, to: spkiDER.count, by: 48).map { start in
                base64(spkiDER[start..<min(start + 48, spkiDER.count)])
            }
            return (["-----BEGIN PUBLIC KEY-----"] + lines + ["-----END PUBLIC KEY-----", ""]).joined(separator: "\n")
        }

        /// Whether `signature`, in DER, is this key's over `digest`.
        ///
        /// A signature that isn't one, or isn't DER, is false. Fails with `invalidInput` for a digest of a length that
        /// no hash here has, and with `library` where libcrypto can't start.
        public func isValidSignature(_ signature: [UInt8], digest: [UInt8]) throws -> Bool {
            guard digestRange.contains(digest.count) else { throw CryptoError(.invalidInput, "the length of a digest") }
            return try unsafe key.withOperation { operation in
                try unsafe OpenSSL.check(EVP_PKEY_verify_init(operation), "starting a verification")
                let status = unsafe EVP_PKEY_verify(operation, signature, signature.count, digest, digest.count)
                // A no may leave its reasons in the thread's queue.
                if status != 1 { ERR_clear_error() }
                return status == 1
            }
        }

        /// Keys are equal if their points are.
        public static func == (left: PublicKey, right: PublicKey) -> Bool { left.x963 == right.x963 }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = bytes
        while !rest.isEmpty {
            let group = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let bits = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            for index in 0..<4 {
                text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
