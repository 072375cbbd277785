import ThumbAccess

/// How many bytes each thing of a fixed length has.
enum FormBytes {
    static let nonce = 32
    static let hash = 32
    static let point = 65
    static let conversation = 8
    static let pairing = CompanionFacts.idBytes
}

/// Writes the protocol's forms. Integers are big-endian; what has no fixed length comes after its length, 2 bytes.
struct FormWriter {
    private(set) var bytes: [UInt8] = []

    init(_ label: StaticString? = nil) {
        if let label { bytes += Array("\(label)".utf8) }
    }

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    mutating func number(_ number: UInt64, bytes count: Int) {
        for place in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(place * 8))) }
    }

    mutating func fixed(_ more: [UInt8]) { bytes += more }

    mutating func counted(_ more: [UInt8]) {
        number(UInt64(more.count), bytes: 2)
        bytes += more
    }

    mutating func text(_ text: String) { counted(Array(text.utf8)) }

    mutating func name(_ name: ExactName?) {
        byte(name == nil ? 0 : 1)
        if let name { text(name.text) }
    }
}

/// Reads the same forms, from the front. It never reads beyond the end.
struct FormReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func byte() throws(CompanionRefusal) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .malformed }
        return byte
    }

    /// A byte that must be this one.
    mutating func byte(_ expected: UInt8) throws(CompanionRefusal) { if try byte() != expected { throw .malformed } }

    mutating func flag() throws(CompanionRefusal) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    mutating func number(bytes count: Int) throws(CompanionRefusal) -> UInt64 {
        try fixed(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func fixed(_ count: Int) throws(CompanionRefusal) -> [UInt8] {
        guard count <= rest.count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func counted() throws(CompanionRefusal) -> [UInt8] { try fixed(Int(try number(bytes: 2))) }

    mutating func text() throws(CompanionRefusal) -> String {
        guard let text = String(validating: try counted(), as: UTF8.self) else { throw .malformed }
        return text
    }

    mutating func name() throws(CompanionRefusal) -> ExactName? { try flag() ? ExactName(try text()) : nil }

    /// Everything that is left.
    mutating func all() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// Nothing may be left over.
    func end() throws(CompanionRefusal) { if !rest.isEmpty { throw .malformed } }
}
