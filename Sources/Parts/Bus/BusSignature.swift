/// What values are: a signature of D-Bus, taken apart once.
public struct BusSignature: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The signature as D-Bus writes it.
    public let text: String
    let types: [BusType]

    /// Fails if the text isn't a signature.
    public init?(_ text: String) {
        var rest = Substring(text).utf8[...]
        guard text.utf8.count <= BusType.longest, let types = BusType.list(&rest, depth: 0), rest.isEmpty else { return nil }
        self.text = text
        self.types = types
    }

    /// A signature of our own program's. Ends the program if it isn't one.
    public init(stringLiteral text: String) {
        guard let signature = BusSignature(text) else { preconditionFailure("not a signature of D-Bus: \(text)") }
        self = signature
    }

    /// Several signatures, one after another.
    init(_ parts: [BusSignature]) {
        text = parts.map(\.text).joined()
        types = parts.flatMap(\.types)
    }

    /// The signature itself.
    public var description: String { text }
}

/// One complete type.
struct BusType: Sendable, Hashable {
    /// D-Bus's limit for a signature.
    static let longest = 255
    /// D-Bus's limit for containers in a signature: 32 arrays and 32 structures.
    static let depth = 64

    /// The letter of a basic type; `a`, `v`, `r` for a structure and `e` for an entry of a dictionary, as sd-bus has them.
    let code: UInt8
    /// The signature of what is in a container.
    let contents: String
    let inner: [BusType]

    private init(_ code: UInt8, _ contents: String = "", _ inner: [BusType] = []) {
        self.code = code
        self.contents = contents
        self.inner = inner
    }

    /// As many types as there are before the end or a closing bracket; nil if there is something else.
    static func list(_ rest: inout Substring.UTF8View.SubSequence, depth: Int) -> [BusType]? {
        var types: [BusType] = []
        while let next = rest.first, next != UInt8(ascii: ")"), next != UInt8(ascii: "}") {
            guard let type = one(&rest, depth: depth) else { return nil }
            types.append(type)
        }
        return types
    }

    private static func one(_ rest: inout Substring.UTF8View.SubSequence, depth: Int) -> BusType? {
        guard depth <= Self.depth, let code = rest.popFirst() else { return nil }
        switch code {
        case UInt8(ascii: "v"): return BusType(code)
        case UInt8(ascii: "a"):
            let before = rest
            let element = rest.first == UInt8(ascii: "{") ? entry(&rest, depth + 1) : one(&rest, depth: depth + 1)
            guard let element else { return nil }
            return BusType(code, String(decoding: before.prefix(before.count - rest.count), as: UTF8.self), [element])
        case UInt8(ascii: "("): return bracketed(&rest, depth + 1, UInt8(ascii: "r"), until: UInt8(ascii: ")"))
        default: return isBasic(code) ? BusType(code) : nil
        }
    }

    private static func entry(_ rest: inout Substring.UTF8View.SubSequence, _ depth: Int) -> BusType? {
        rest.removeFirst()
        let entry = bracketed(&rest, depth, UInt8(ascii: "e"), until: UInt8(ascii: "}"))
        guard let entry, entry.inner.count == 2, isBasic(entry.inner[0].code) else { return nil }
        return entry
    }

    private static func bracketed(
        _ rest: inout Substring.UTF8View.SubSequence, _ depth: Int, _ code: UInt8, until end: UInt8
    ) -> BusType? {
        let before = rest
        guard let inner = list(&rest, depth: depth), !inner.isEmpty else { return nil }
        let contents = String(decoding: before.prefix(before.count - rest.count), as: UTF8.self)
        guard rest.popFirst() == end else { return nil }
        return BusType(code, contents, inner)
    }

    private static func isBasic(_ code: UInt8) -> Bool { "ybnqiuxtdsogh".utf8.contains(code) }
}

extension BusValue {
    /// The signature that the value tells of itself; nil for an empty array, and for what has one in it.
    var signatureText: String? {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .bytes, .secret: "ay"
        case .variant, .typedVariant: "v"
        case .array(let values): values.first?.signatureText.map { "a" + $0 }
        case .structure(let values): Self.texts(values).map { "(" + $0 + ")" }
        case .entry(let values): Self.texts(values).map { "{" + $0 + "}" }
        }
    }

    private static func texts(_ values: [BusValue]) -> String? {
        var text = ""
        for value in values {
            guard let one = value.signatureText else { return nil }
            text += one
        }
        return text
    }
}
