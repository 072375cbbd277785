/// A name that identifies something: an access group, a program, an account, a server. Two names are equal only byte for byte.
///
/// Swift's texts are equal if they look alike. KELVIN SIGN and K are one letter to `String`, but two names here. So a name that decides who
/// may have what is never compared as a `String`; `scripts/check-house` refuses that.
public struct ExactName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name's text, for showing it or writing it down. Don't compare it: comparing is what this type is for.
    public let text: String

    public init(_ text: String) { self.text = text }
    public init(stringLiteral text: String) { self.text = text }

    public var description: String { text }
    public var utf8: String.UTF8View { text.utf8 }
    public var isEmpty: Bool { text.utf8.isEmpty }

    public static func == (a: ExactName, b: ExactName) -> Bool { a.text.hasSameBytes(as: b.text) }

    public func hash(into hasher: inout Hasher) {
        let bytes = text.utf8.span
        // Eight bytes at a time. One at a time would take as long as the lookup that needs the hash.
        var word: UInt64 = 0
        for index in bytes.indices {
            word = word << 8 | UInt64(bytes[index])
            if index & 7 == 7 {
                hasher.combine(word)
                word = 0
            }
        }
        hasher.combine(word)
        hasher.combine(bytes.count)
    }

    /// Whether it begins with these bytes.
    public func hasPrefix(_ prefix: StaticString) -> Bool {
        guard text.utf8.count >= prefix.utf8CodeUnitCount else { return false }
        return "\(prefix)".utf8.elementsEqual(text.utf8.prefix(prefix.utf8CodeUnitCount))
    }

    /// The rest of the name after a prefix that it has.
    func rest(after prefix: StaticString) -> String {
        String(decoding: text.utf8.dropFirst(prefix.utf8CodeUnitCount), as: UTF8.self)
    }

    /// The last part of a path: a program's file.
    var lastComponent: String? {
        text.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension [ExactName] {
    /// Each name once, in order.
    public var distinct: [ExactName] {
        guard count > 1 else { return self }
        var seen: Set<ExactName> = []
        return filter { seen.insert($0).inserted }
    }
}
