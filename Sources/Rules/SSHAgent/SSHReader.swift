/// Reads the values of SSH's formats (RFC 4251, section 5), from the front. It never reads beyond the end.
struct SSHReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() throws(AgentRefusal) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .malformed }
        return byte
    }

    mutating func number() throws(AgentRefusal) -> UInt32 {
        try take(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func flag() throws(AgentRefusal) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    mutating func string() throws(AgentRefusal) -> [UInt8] { Array(try take(Int(try number()))) }

    mutating func text() throws(AgentRefusal) -> String {
        guard let text = String(validating: try string(), as: UTF8.self) else { throw .malformed }
        return text
    }

    /// A positive number, without the zeros that its form may put before it.
    mutating func positive() throws(AgentRefusal) -> [UInt8] {
        let bytes = try string()
        guard let first = bytes.first, first & 0x80 == 0 else { throw .malformed }
        return Array(bytes.drop { $0 == 0 })
    }

    mutating func end() throws(AgentRefusal) { if !isAtEnd { throw .malformed } }

    private mutating func take(_ count: Int) throws(AgentRefusal) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

/// Writes the same values.
struct SSHWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    mutating func number(_ number: Int) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func string(_ string: [UInt8]) {
        number(string.count)
        bytes += string
    }

    mutating func text(_ text: String) { string(Array(text.utf8)) }

    /// Writes a positive number in its one form: without needless zeros, but with one if the sign bit would be set.
    mutating func positive(_ number: [UInt8]) {
        let short = Array(number.drop { $0 == 0 })
        string(short.first.map { $0 & 0x80 != 0 } == true ? [0] + short : short)
    }
}
