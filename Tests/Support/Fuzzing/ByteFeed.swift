/// An input that is taken apart from its front. At its end it gives zeros.
struct ByteFeed {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Big-endian.
    mutating func number(bytes count: Int) -> UInt64 { (0..<count).reduce(0) { number, _ in number << 8 | UInt64(byte()) } }

    /// At most that many bytes; fewer at the end.
    mutating func bytes(_ count: Int) -> [UInt8] {
        let bytes = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return bytes
    }

    /// Everything before the next such byte, which is dropped.
    mutating func bytes(before end: UInt8) -> [UInt8] {
        let bytes = Array(rest.prefix { $0 != end })
        rest = rest.dropFirst(bytes.count + 1)
        return bytes
    }

    /// The same as text. What isn't UTF-8 is replaced.
    mutating func text(before end: UInt8) -> String { String(decoding: bytes(before: end), as: UTF8.self) }

    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

/// The feed's own form of numbers, for seeds.
func bigEndian(_ number: Int, bytes count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
