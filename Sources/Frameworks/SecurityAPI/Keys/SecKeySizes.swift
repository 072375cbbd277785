/// Sizes of keys in bits, under macOS's names.
@available(*, deprecated, message: "Write the number")
public struct SecKeySizes: RawRepresentable, Hashable, Sendable {
    /// The size in bits.
    public let rawValue: UInt32

    /// The size of that many bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The algorithm's own default.
    public static let secDefaultKeySize = SecKeySizes(rawValue: 0)
    /// Triple DES.
    public static let sec3DES192 = SecKeySizes(rawValue: 192)
    /// AES-128.
    public static let secAES128 = SecKeySizes(rawValue: 128)
    /// AES-192.
    public static let secAES192 = SecKeySizes(rawValue: 192)
    /// AES-256.
    public static let secAES256 = SecKeySizes(rawValue: 256)
    /// The curve P-192. No key here uses it.
    public static let secp192r1 = SecKeySizes(rawValue: 192)
    /// The curve P-256.
    public static let secp256r1 = SecKeySizes(rawValue: 256)
    /// The curve P-384.
    public static let secp384r1 = SecKeySizes(rawValue: 384)
    /// The curve P-521.
    public static let secp521r1 = SecKeySizes(rawValue: 521)
    /// The shortest RSA key.
    public static let secRSAMin = SecKeySizes(rawValue: 1024)
    /// The longest RSA key by that name, although up to 8192 bits are accepted.
    public static let secRSAMax = SecKeySizes(rawValue: 4096)
}
