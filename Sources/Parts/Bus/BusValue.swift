import CThumbLinux

/// A descriptor that came in a message. It is closed when its last owner lets go of it.
public final class BusDescriptor: Sendable, Hashable {
    /// The system's number for it.
    public let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    public static func == (one: BusDescriptor, other: BusDescriptor) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A value of D-Bus, as far as our parts need them.
public enum BusValue: Sendable, Hashable {
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
    case array([BusValue])
    case descriptor(BusDescriptor)
    case structure([BusValue])
    case entry([BusValue])
    indirect case variant(BusValue)

    public var text: String? {
        switch self {
        case .string(let text), .path(let text): text
        case .variant(let value): value.text
        default: nil
        }
    }

    public var flag: Bool? {
        switch self {
        case .bool(let flag): flag
        case .variant(let value): value.flag
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
        case .variant(let value): value.number
        default: nil
        }
    }

    public var list: [BusValue]? {
        switch self {
        case .array(let values), .structure(let values): values
        case .variant(let value): value.list
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

/// Limits on one message. The bus itself would let 128 MiB through.
public enum BusLimit {
    /// Values in a message, all levels together: a reader has ten fingers and a dozen properties.
    public static let values = 4096
    /// Containers within containers: a dictionary of interfaces of properties is five.
    public static let depth = 8
    /// Bytes of a text: D-Bus's own limit for names is 255, fprintd's and logind's texts are shorter still.
    public static let text = 4096
    /// Bytes of an array of bytes: somewhat more than the largest secret that the keychain takes.
    public static let bytes = (1 << 20) + 4096
    /// Calls that wait for their answer: our parts make a handful at a time.
    public static let calls = 256
}
