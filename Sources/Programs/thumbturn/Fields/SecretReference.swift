import ThumbAccess
import ThumbCommands

/// A secret or one of its fields, by one word: `thumbturn://NAME`, `thumbturn://NAME/FIELD`, and behind either `?account=ACCOUNT`.
///
/// A NAME, FIELD or ACCOUNT has `%` and two hexadecimal digits in place of each byte of its UTF-8 that would end it: `/ ? # % { }`, a blank
/// or a control character.
struct SecretReference: Sendable {
    static let scheme = "thumbturn://"
    static let account = "?account="
    /// Bytes that stand for themselves nowhere in a reference, besides blanks and control characters.
    private static let marks = Array("/?#%{}".utf8)

    let wanted: WantedSecret
    /// nil: the whole secret.
    let field: String?
    /// Whether somebody wrote a reference; otherwise a name and options mean the same.
    let isWritten: Bool

    init(_ wanted: WantedSecret, field: String? = nil) { (self.wanted, self.field, isWritten) = (wanted, field, false) }

    /// nil if the text isn't a reference, whether or not it begins as one.
    init?(_ text: String) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        var path = text.dropFirst(Self.scheme.count)[...]
        var account: String?
        if let question = path.firstIndex(of: "?") {
            guard path[question...].hasPrefix(Self.account) else { return nil }
            guard let named = Self.decoded(path[question...].dropFirst(Self.account.count)) else { return nil }
            account = named
            path = path[..<question]
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { Self.decoded($0) }
        guard (1...2).contains(parts.count), let name = parts[0] else { return nil }
        if parts.count == 2 {
            guard let field = parts[1], Fields.isName(field) else { return nil }
            self.field = field
        } else {
            field = nil
        }
        wanted = WantedSecret(name, account: account)
        isWritten = true
    }

    /// What an operand names: a reference, or a secret's name with the option for its field.
    init(_ invocation: Invocation) throws(Failure) {
        let named = WantedSecret(invocation)
        guard named.name.hasPrefix(Self.scheme) else {
            self.init(named, field: try FieldOption.one(invocation))
            return
        }
        guard let reference = SecretReference(named.name) else {
            throw .usage(.reference(meant: SecretReference.meant(by: named.name)), invocation.path)
        }
        for option in [SecretName.accountOption, FieldOption.option] where invocation.has(option) {
            throw .usage(.together(option.flag, with: "a reference"), invocation.path)
        }
        self = reference
    }

    /// Refuses a name that a reference would be taken for.
    static func refuse(asName name: String, _ invocation: Invocation) throws(Failure) {
        if name.hasPrefix(scheme) { throw .usage(.nameOfReference, invocation.path) }
    }

    var fieldJSON: [(String, JSON)] { field.map { [("field", .text($0))] } ?? [] }

    /// A part without its escapes; nil if it is empty, or has a byte that had to be escaped, or isn't UTF-8.
    private static func decoded(_ part: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(part.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                guard byte > 0x20, byte != 0x7f, !marks.contains(byte) else { return nil }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
