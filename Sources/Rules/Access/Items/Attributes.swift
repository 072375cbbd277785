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

    static func named(_ letters: String) -> AttributeName {
        // Only called with literals of four letters.
        AttributeName(letters)!
    }

    public static let account = named("acct")
    public static let service = named("svce")
    public static let label = named("labl")
    public static let description = named("desc")
    public static let comment = named("icmt")
    public static let creator = named("crtr")
    public static let type = named("type")
    public static let invisible = named("invi")
    public static let negative = named("nega")
    public static let generic = named("gena")
    public static let group = named("agrp")
    public static let accessible = named("pdmn")
    public static let accessControl = named("accc")
    public static let synchronizable = named("sync")
    public static let created = named("cdat")
    public static let modified = named("mdat")
    public static let viewHint = named("vwht")
    public static let token = named("tkid")

    // Internet passwords.
    public static let securityDomain = named("sdmn")
    public static let server = named("srvr")
    public static let networkProtocol = named("ptcl")
    public static let authenticationType = named("atyp")
    public static let port = named("port")
    public static let path = named("path")

    // Certificates.
    public static let certificateType = named("ctyp")
    public static let certificateEncoding = named("cenc")
    public static let subject = named("subj")
    public static let issuer = named("issr")
    public static let serialNumber = named("slnr")
    public static let subjectKeyID = named("skid")
    public static let publicKeyHash = named("pkhh")

    // Keys.
    public static let keyClass = named("kcls")
    public static let applicationLabel = named("klbl")
    public static let applicationTag = named("atag")
    public static let alias = named("alis")
    public static let keySize = named("bsiz")
    public static let effectiveKeySize = named("esiz")
    public static let validFrom = named("sdat")
    public static let validTo = named("edat")
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

    /// Equal if both have the same form and the same bytes. Texts that merely look alike differ.
    public static func == (a: AttributeValue, b: AttributeValue) -> Bool {
        switch (a, b) {
        case (.text(let text), .text(let other)): text.hasSameBytes(as: other)
        case (.data(let data), .data(let other)): data == other
        case (.number(let number), .number(let other)): number == other
        case (.flag(let flag), .flag(let other)): flag == other
        case (.date(let date), .date(let other)): date == other
        case (.text, _), (.data, _), (.number, _), (.flag, _), (.date, _): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): hasher.combine(ExactName(text))
        case .data(let data): hasher.combine(data)
        case .number(let number): hasher.combine(number)
        case .flag(let flag): hasher.combine(flag)
        case .date(let date): hasher.combine(date)
        }
    }

    /// Whether the bytes by which two values are compared are the same.
    public func isSame(as other: AttributeValue) -> Bool {
        switch (self, other) {
        case (.text(let text), .text(let other)): text.hasSameBytes(as: other)
        case (.data(let data), .data(let other)): data == other
        default: comparable == other.comparable
        }
    }

    /// How many bytes `comparable` has, without making them.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        case .number, .flag, .date: 8
        }
    }

    private static func bigEndian(_ word: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
}

/// An item's attributes, each at most once.
public typealias Attributes = [AttributeName: AttributeValue]

extension Attributes {
    /// How many bytes the values have together.
    public var byteCount: Int { values.reduce(0) { $0 + $1.byteCount } }
}
