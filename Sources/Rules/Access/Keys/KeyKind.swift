/// A prime curve of NIST's, by the bits of its field.
public enum Curve: UInt16, Sendable, Hashable, CaseIterable {
    case p256 = 256
    case p384 = 384
    case p521 = 521

    /// The bytes of one coordinate, of a scalar, and of what two keys share.
    public var fieldBytes: Int { (Int(rawValue) + 7) / 8 }

    /// The bytes of a point in its uncompressed form: 04 ‖ X ‖ Y.
    public var pointBytes: Int { 1 + 2 * fieldBytes }
}

/// The arithmetic that a key uses.
public enum KeyFamily: UInt8, Sendable, Hashable, CaseIterable {
    case elliptic = 1
    case rsa = 2
}

/// What sort of private key: its family and its size.
public enum KeyKind: Sendable, Hashable {
    case elliptic(Curve)
    case rsa(bits: Int)

    /// Shorter keys are broken outright; with longer ones an operation takes minutes.
    public static let rsaBits = 1024...8192

    public var family: KeyFamily {
        switch self {
        case .elliptic: .elliptic
        case .rsa: .rsa
        }
    }

    public var bits: Int {
        switch self {
        case .elliptic(let curve): Int(curve.rawValue)
        case .rsa(let bits): bits
        }
    }

    /// The bytes of one block: of a coordinate, or of the modulus.
    public var blockBytes: Int { (bits + 7) / 8 }
}
