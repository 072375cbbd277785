import CThumbLinux
public import ThumbSecrets

/// A descriptor that came in a message or goes into one. It is closed when its last owner lets go of it.
public final class BusDescriptor: Sendable, Hashable {
    /// The system's number for it.
    public let number: Int32

    /// Takes over a descriptor: it is closed here and nowhere else.
    public init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    public static func == (one: BusDescriptor, other: BusDescriptor) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A value of D-Bus, as far as our parts need them.
public enum BusValue: Sendable, Equatable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case path(String)
    case signature(String)
    /// An array of bytes.
    case bytes([UInt8])
    /// An array of bytes that nobody else may see: it is never in ordinary memory.
    case secret(SecretBytes)
    case array([BusValue])
    case descriptor(BusDescriptor)
    case structure([BusValue])
    case entry([BusValue])
    indirect case variant(BusValue)
    /// A variant that is written with this signature. An empty array needs it, because nothing in it tells what it is one of. Reading gives
    /// `variant`.
    indirect case typedVariant(BusSignature, BusValue)

    public var text: String? {
        switch self {
        case .string(let text), .path(let text): text
        case .variant(let value), .typedVariant(_, let value): value.text
        default: nil
        }
    }

    public var flag: Bool? {
        switch self {
        case .bool(let flag): flag
        case .variant(let value), .typedVariant(_, let value): value.flag
        default: nil
        }
    }

    public var number: Int64? {
        switch self {
        case .byte(let number): Int64(number)
        case .int16(let number): Int64(number)
        case .uint16(let number): Int64(number)
        case .int32(let number): Int64(number)
        case .uint32(let number): Int64(number)
        case .int64(let number): number
        case .uint64(let number): Int64(exactly: number)
        case .variant(let value), .typedVariant(_, let value): value.number
        default: nil
        }
    }

    public var list: [BusValue]? {
        switch self {
        case .array(let values), .structure(let values): values
        case .variant(let value), .typedVariant(_, let value): value.list
        default: nil
        }
    }

    /// The bytes of an array that isn't secret.
    public var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .variant(let value), .typedVariant(_, let value): value.bytes
        default: nil
        }
    }

    /// The bytes of an array that is secret.
    public var secret: SecretBytes? {
        switch self {
        case .secret(let secret): secret
        case .variant(let value), .typedVariant(_, let value): value.secret
        default: nil
        }
    }

    /// The value under a key of a dictionary with text keys.
    public subscript(key: String) -> BusValue? {
        guard case .array(let entries) = self else { return nil }
        for case .entry(let pair) in entries where pair.count == 2 && pair[0].text == key { return pair[1] }
        return nil
    }
}
