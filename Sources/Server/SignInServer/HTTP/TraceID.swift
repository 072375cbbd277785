/// The number of a trace that a client tells in the header `traceparent` (W3C Trace Context, level 1), as OpenTelemetry's libraries do.
struct TraceID: Sendable, Hashable {
    /// 32 hexadecimal digits.
    let text: String

    private static let digits = 32
    private static let parentDigits = 16
    /// `00-`, the trace, `-`, the parent, `-`, and two digits of flags.
    private static let length = 3 + digits + 1 + parentDigits + 1 + 2

    /// Reads the header's value; nil if anything in it isn't as the standard has it. A later version may have more behind a hyphen.
    init?(traceparent: String) {
        let bytes = Array(traceparent.utf8)
        guard bytes.count >= Self.length else { return nil }
        let parts = bytes.prefix(Self.length).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [2, Self.digits, Self.parentDigits, 2] else { return nil }
        guard parts.allSatisfy({ $0.allSatisfy(Self.isDigit) }) else { return nil }
        switch Array(parts[0]) {
        case Array("ff".utf8): return nil
        case Array("00".utf8): guard bytes.count == Self.length else { return nil }
        default: guard bytes.count == Self.length || bytes[Self.length] == UInt8(ascii: "-") else { return nil }
        }
        // Zeros alone mean that there is none.
        guard parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } }) else { return nil }
        text = String(decoding: parts[1], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
