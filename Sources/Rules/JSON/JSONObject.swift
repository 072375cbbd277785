/// Why bytes aren't read: they aren't one JSON object and nothing else.
public struct JSONMalformed: Error, Sendable, Hashable {
    /// There is one way of it.
    public init() {}
}

/// One JSON object (RFC 8259), read strictly. What other readers silently accept (a name twice, text that isn't UTF-8, half a surrogate
/// pair, bytes after the end) is refused, so that no two readers understand one body differently.
///
/// Only texts, numbers and objects are kept, because nobody here asks for other values. The rest must follow the grammar all the same.
public struct JSONObject: Sendable {
    /// A member's value, by its place in the body.
    public enum Value: Sendable, Equatable {
        /// Between the quotes.
        case text(Range<Int>, hasEscapes: Bool)
        /// From its opening to its closing brace.
        case object(Range<Int>)
        /// As it is written.
        case number(Range<Int>)
        case other
    }

    /// How deep objects and arrays may be nested. What is read here has two levels; this limits the reader's own stack.
    public static let deepest = 4

    /// The members, in their order. No name is there twice.
    public private(set) var members: [(name: [UInt8], value: Value)] = []

    /// Fails unless the bytes are one object and nothing else.
    public init(_ bytes: Span<UInt8>) throws(JSONMalformed) { try self.init(bytes, in: 0..<bytes.count) }

    /// The same for an object that is another one's value, whose range is `range`.
    public init(_ bytes: Span<UInt8>, in range: Range<Int>) throws(JSONMalformed) {
        guard range.upperBound <= bytes.count else { throw JSONMalformed() }
        var place = range.lowerBound
        JSON.skipSpace(bytes, &place)
        guard JSON.take(UInt8(ascii: "{"), bytes, &place) else { throw JSONMalformed() }
        try JSON.readMembers(bytes, &place, depth: 1) { members.append(($0, $1)) }
        if range.upperBound == bytes.count { JSON.skipSpace(bytes, &place) }
        guard place == range.upperBound else { throw JSONMalformed() }
    }

    /// The member's value; nil if there is none with that name.
    public func value(_ name: StaticString) -> Value? {
        let name = name.description
        return members.first { $0.name.elementsEqual(name.utf8) }?.value
    }
}

/// JSON's grammar. Each function takes the thing that it is named after off the front, or refuses.
private enum JSON {
    static func skipSpace(_ bytes: Span<UInt8>, _ place: inout Int) {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            default: return
            }
        }
    }

    static func take(_ byte: UInt8, _ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    /// Reads the members after an opening brace, and the closing one.
    static func readMembers(
        _ bytes: Span<UInt8>, _ place: inout Int, depth: Int, _ found: ([UInt8], JSONObject.Value) -> Void
    ) throws(JSONMalformed) {
        var names: Set<[UInt8]> = []
        skipSpace(bytes, &place)
        if take(UInt8(ascii: "}"), bytes, &place) { return }
        while true {
            skipSpace(bytes, &place)
            guard take(UInt8(ascii: "\""), bytes, &place) else { throw JSONMalformed() }
            let (range, hasEscapes) = try readText(bytes, &place)
            // Names are compared by their meaning: "a" and "\u0061" are the same name twice.
            let name = JSONText.decoded(bytes, range, hasEscapes: hasEscapes)
            guard names.insert(name).inserted else { throw JSONMalformed() }
            skipSpace(bytes, &place)
            guard take(UInt8(ascii: ":"), bytes, &place) else { throw JSONMalformed() }
            found(name, try readValue(bytes, &place, depth: depth))
            skipSpace(bytes, &place)
            if take(UInt8(ascii: "}"), bytes, &place) { return }
            guard take(UInt8(ascii: ","), bytes, &place) else { throw JSONMalformed() }
        }
    }

    private static func readValue(
        _ bytes: Span<UInt8>, _ place: inout Int, depth: Int
    ) throws(JSONMalformed) -> JSONObject.Value {
        skipSpace(bytes, &place)
        guard place < bytes.count else { throw JSONMalformed() }
        switch bytes[place] {
        case UInt8(ascii: "\""):
            place += 1
            let (range, hasEscapes) = try readText(bytes, &place)
            return .text(range, hasEscapes: hasEscapes)
        case UInt8(ascii: "{"):
            guard depth < JSONObject.deepest else { throw JSONMalformed() }
            let start = place
            place += 1
            try readMembers(bytes, &place, depth: depth + 1) { _, _ in }
            return .object(start..<place)
        case UInt8(ascii: "["):
            guard depth < JSONObject.deepest else { throw JSONMalformed() }
            place += 1
            try readElements(bytes, &place, depth: depth + 1)
        case UInt8(ascii: "t"): try readWord("true", bytes, &place)
        case UInt8(ascii: "f"): try readWord("false", bytes, &place)
        case UInt8(ascii: "n"): try readWord("null", bytes, &place)
        default:
            let start = place
            try readNumber(bytes, &place)
            return .number(start..<place)
        }
        return .other
    }

    private static func readElements(_ bytes: Span<UInt8>, _ place: inout Int, depth: Int) throws(JSONMalformed) {
        skipSpace(bytes, &place)
        if take(UInt8(ascii: "]"), bytes, &place) { return }
        while true {
            _ = try readValue(bytes, &place, depth: depth)
            skipSpace(bytes, &place)
            if take(UInt8(ascii: "]"), bytes, &place) { return }
            guard take(UInt8(ascii: ","), bytes, &place) else { throw JSONMalformed() }
        }
    }

    private static func readWord(_ word: String, _ bytes: Span<UInt8>, _ place: inout Int) throws(JSONMalformed) {
        for byte in word.utf8 {
            guard take(byte, bytes, &place) else { throw JSONMalformed() }
        }
    }

    private static func readNumber(_ bytes: Span<UInt8>, _ place: inout Int) throws(JSONMalformed) {
        _ = take(UInt8(ascii: "-"), bytes, &place)
        if !take(UInt8(ascii: "0"), bytes, &place) { try readDigits(bytes, &place) }
        if take(UInt8(ascii: "."), bytes, &place) { try readDigits(bytes, &place) }
        if take(UInt8(ascii: "e"), bytes, &place) || take(UInt8(ascii: "E"), bytes, &place) {
            if !take(UInt8(ascii: "+"), bytes, &place) { _ = take(UInt8(ascii: "-"), bytes, &place) }
            try readDigits(bytes, &place)
        }
    }

    /// Reads at least one digit.
    private static func readDigits(_ bytes: Span<UInt8>, _ place: inout Int) throws(JSONMalformed) {
        let start = place
        while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) { place += 1 }
        if place == start { throw JSONMalformed() }
    }

    /// Reads the text after an opening quote, and the closing one.
    static func readText(_ bytes: Span<UInt8>, _ place: inout Int) throws(JSONMalformed) -> (Range<Int>, hasEscapes: Bool) {
        let start = place
        var hasEscapes = false
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                return (start..<place - 1, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                place += 1
                try JSONText.readEscape(bytes, &place)
            case 0x20..<0x80: place += 1
            case 0x80...: try JSONText.readScalar(bytes, &place)
            default: throw JSONMalformed()
            }
        }
        throw JSONMalformed()
    }
}

/// The text between two quotes.
public enum JSONText {
    /// Reads an escape after its backslash. Half a surrogate pair isn't a valid one.
    fileprivate static func readEscape(_ bytes: Span<UInt8>, _ place: inout Int) throws(JSONMalformed) {
        guard place < bytes.count else { throw JSONMalformed() }
        defer { place += 1 }
        switch bytes[place] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            let unit = unit(bytes, place + 1)
            place += 4
            switch unit {
            case nil: throw JSONMalformed()
            case .some(0xDC00...0xDFFF): throw JSONMalformed()
            case .some(0xD800...0xDBFF):
                guard place + 2 < bytes.count, bytes[place + 1] == UInt8(ascii: "\\"), bytes[place + 2] == UInt8(ascii: "u"),
                    let low = self.unit(bytes, place + 3), (0xDC00...0xDFFF).contains(low)
                else { throw JSONMalformed() }
                place += 6
            default: return
            }
        default: throw JSONMalformed()
        }
    }

    /// Reads four hexadecimal digits.
    private static func unit(_ bytes: Span<UInt8>, _ start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for index in start..<start + 4 {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(bytes[index] - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(bytes[index] - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(bytes[index] - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return unit
    }

    /// Reads one scalar beyond ASCII in UTF-8's shortest form (Unicode, table 3-7).
    fileprivate static func readScalar(_ bytes: Span<UInt8>, _ place: inout Int) throws(JSONMalformed) {
        let first: UInt8 = bytes[place]
        let second: ClosedRange<UInt8>
        let count: Int
        switch first {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: throw JSONMalformed()
        }
        guard place + count <= bytes.count, second.contains(bytes[place + 1]) else { throw JSONMalformed() }
        for index in place + 2..<max(place + 2, place + count) where bytes[index] & 0xC0 != 0x80 { throw JSONMalformed() }
        place += count
    }

    /// A text that was read, as UTF-8.
    public static func decoded(_ bytes: Span<UInt8>, _ range: Range<Int>, hasEscapes: Bool) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        decode(bytes, range, hasEscapes: hasEscapes) { decoded.append($0) }
        return decoded
    }

    /// The same, byte by byte, for a text that must not be in ordinary memory.
    public static func decode(_ bytes: Span<UInt8>, _ range: Range<Int>, hasEscapes: Bool, _ put: (UInt8) -> Void) {
        var place = range.lowerBound
        while place < range.upperBound {
            let byte: UInt8 = bytes[place]
            guard hasEscapes, byte == UInt8(ascii: "\\") else {
                put(byte)
                place += 1
                continue
            }
            let letter: UInt8 = bytes[place + 1]
            place += 2
            switch letter {
            case UInt8(ascii: "b"): put(0x08)
            case UInt8(ascii: "f"): put(0x0C)
            case UInt8(ascii: "n"): put(0x0A)
            case UInt8(ascii: "r"): put(0x0D)
            case UInt8(ascii: "t"): put(0x09)
            case UInt8(ascii: "u"):
                var value = unit(bytes, place) ?? 0xFFFD
                place += 4
                if (0xD800...0xDBFF).contains(value) {
                    value = 0x10000 + (value - 0xD800) << 10 + ((unit(bytes, place + 2) ?? 0xDC00) - 0xDC00)
                    place += 6
                }
                // The grammar accepts no lone surrogate.
                for byte in UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter { put(byte) }
            default: put(letter)
            }
        }
    }
}
