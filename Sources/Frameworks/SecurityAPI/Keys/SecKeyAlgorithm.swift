public import Foundation

/// What a key should do and how: a name for `SecKeyCreateSignature` and similar calls.
///
/// You can make one from any string, but keys support only the constants.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// The name in Apple's spelling.
    public var rawValue: CFString { NSString(string: name) }

    /// The algorithm of that name.
    public init(rawValue: CFString) { name = rawValue as String }

    init(_ name: String) { self.name = name }
}

/// The operation that `SecKeyIsAlgorithmSupported` is asked about.
public enum SecKeyOperationType: Int, Sendable {
    /// Making a signature.
    case sign = 0
    /// Checking a signature.
    case verify = 1
    /// Encrypting to a public key.
    case encrypt = 2
    /// Decrypting with a private key.
    case decrypt = 3
    /// Agreeing with another key.
    case keyExchange = 4
}

/// The keys in the parameters of a key agreement.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// The name in Apple's spelling.
    public var rawValue: CFString { NSString(string: name) }

    /// The parameter of that name.
    public init(rawValue: CFString) { name = rawValue as String }

    private init(_ name: String) { self.name = name }

    /// How many bytes to derive, a number; the algorithms that derive fail without it.
    public static let requestedSize = SecKeyKeyExchangeParameter("requestedSize")
    /// What to mix into the derivation, as data; nothing if it is left out.
    public static let sharedInfo = SecKeyKeyExchangeParameter("sharedInfo")
}
