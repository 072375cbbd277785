public import ThumbSecrets

/// What kind of thing an item is.
public enum ItemClass: UInt8, Sendable, Hashable, CaseIterable {
    case genericPassword = 1
    case internetPassword = 2
    case certificate = 3
    case key = 4
    case identity = 5
}

/// The four letters that name an attribute, as Apple's keychain does (`acct`, `svce`, …).
public struct AttributeName: Sendable, Hashable, Comparable {
    public let code: UInt32

    public init(code: UInt32) { self.code = code }

    /// The name with those letters; nil unless they are exactly four bytes of printable ASCII.
    public init?(_ letters: String) {
        let bytes = Array(letters.utf8)
        guard bytes.count == 4, bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
        code = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    public var letters: String {
        String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }, as: UTF8.self)
    }

    public static func < (a: AttributeName, b: AttributeName) -> Bool { a.code < b.code }

    private init(known letters: StaticString) {
        var code: UInt32 = 0
        letters.withUTF8Buffer { for byte in $0 { code = code << 8 | UInt32(byte) } }
        self.code = code
    }

    public static let account = AttributeName(known: "acct")
    public static let service = AttributeName(known: "svce")
    public static let label = AttributeName(known: "labl")
    public static let description = AttributeName(known: "desc")
    public static let comment = AttributeName(known: "icmt")
    public static let creator = AttributeName(known: "crtr")
    public static let type = AttributeName(known: "type")
    public static let invisible = AttributeName(known: "invi")
    public static let negative = AttributeName(known: "nega")
    public static let generic = AttributeName(known: "gena")
    public static let group = AttributeName(known: "agrp")
    public static let accessible = AttributeName(known: "pdmn")
    public static let accessControl = AttributeName(known: "accc")
    public static let synchronizable = AttributeName(known: "sync")
    public static let created = AttributeName(known: "cdat")
    public static let modified = AttributeName(known: "mdat")
    public static let viewHint = AttributeName(known: "vwht")
    public static let token = AttributeName(known: "tkid")
}

/// One attribute's value in one of the five forms a query can carry.
public enum AttributeValue: Sendable, Hashable {
    case text(String)
    case data([UInt8])
    case number(Int64)
    case flag(Bool)
    /// Seconds since 2001-01-01T00:00:00Z, Apple's reference date.
    case date(Double)

    /// The bytes by which two values are compared: text and data with equal bytes are the same account.
    public var comparable: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .data(let data): data
        case .number(let number): Self.bigEndian(UInt64(bitPattern: number))
        case .flag(let flag): Self.bigEndian(flag ? 1 : 0)
        case .date(let date): Self.bigEndian(date.bitPattern)
        }
    }

    private static func bigEndian(_ word: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
}

/// An item's attributes, each at most once.
public typealias Attributes = [AttributeName: AttributeValue]
