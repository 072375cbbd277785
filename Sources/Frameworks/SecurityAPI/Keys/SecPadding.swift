import Foundation
import ThumbAccess

/// The padding of the older calls; `[]` means none.
public struct SecPadding: OptionSet, Hashable, Sendable {
    /// Apple's number for the padding.
    public let rawValue: UInt32

    /// The padding of that number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// PKCS#1 v1.5.
    public static let PKCS1 = SecPadding(rawValue: 1)
    /// OAEP with SHA-1.
    public static let OAEP = SecPadding(rawValue: 2)
    /// ECDSA with r and s side by side.
    public static let sigRaw = SecPadding(rawValue: 0x4000)
    /// PKCS#1 v1.5 over an MD2 digest; fails with `errSecParam`.
    public static let PKCS1MD2 = SecPadding(rawValue: 0x8000)
    /// PKCS#1 v1.5 over an MD5 digest; fails with `errSecParam`.
    public static let PKCS1MD5 = SecPadding(rawValue: 0x8001)
    /// PKCS#1 v1.5 over a SHA-1 digest.
    public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)
    /// PKCS#1 v1.5 over a SHA-224 digest.
    public static let PKCS1SHA224 = SecPadding(rawValue: 0x8003)
    /// PKCS#1 v1.5 over a SHA-256 digest.
    public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)
    /// PKCS#1 v1.5 over a SHA-384 digest.
    public static let PKCS1SHA384 = SecPadding(rawValue: 0x8005)
    /// PKCS#1 v1.5 over a SHA-512 digest.
    public static let PKCS1SHA512 = SecPadding(rawValue: 0x8006)

    /// The newer name of such a signature; nil for one that isn't supported here.
    func signatureAlgorithm(of key: SecKey) -> SecKeyAlgorithm? {
        if key.kind.family == .elliptic { return self == .sigRaw ? .ecdsaSignatureDigestRFC4754 : .ecdsaSignatureDigestX962 }
        return switch self {
        case []: .rsaSignatureRaw
        case .PKCS1: .rsaSignatureDigestPKCS1v15Raw
        case .PKCS1SHA1: .rsaSignatureDigestPKCS1v15SHA1
        case .PKCS1SHA224: .rsaSignatureDigestPKCS1v15SHA224
        case .PKCS1SHA256: .rsaSignatureDigestPKCS1v15SHA256
        case .PKCS1SHA384: .rsaSignatureDigestPKCS1v15SHA384
        case .PKCS1SHA512: .rsaSignatureDigestPKCS1v15SHA512
        default: nil
        }
    }

    /// The newer name of such an encryption; nil for one that isn't supported here.
    var encryptionAlgorithm: SecKeyAlgorithm? {
        switch self {
        case []: .rsaEncryptionRaw
        case .PKCS1: .rsaEncryptionPKCS1
        case .OAEP: .rsaEncryptionOAEPSHA1
        default: nil
        }
    }
}
