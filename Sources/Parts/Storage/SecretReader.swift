import ThumbSecrets

/// Reads the forms of docs/STORE.md from locked memory. Every read fails with `Malformed` if the bytes end too soon.
struct SecretReader {
    private let source: SecretBytes
    private(set) var offset = 0

    init(_ source: SecretBytes) { self.source = source }

    var isAtEnd: Bool { offset == source.count }
    var remaining: Int { source.count - offset }

    private mutating func advance(_ count: Int) throws -> Range<Int> {
        guard count >= 0, count <= remaining else { throw Malformed() }
        offset += count
        return offset - count..<offset
    }

    mutating func byte() throws -> UInt8 { try integer(UInt8.self) }

    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type) throws -> Value {
        let range = try advance(Value.bitWidth / 8)
        return unsafe source.withUnsafeBytes { bytes in
            var value: Value = 0
            for index in range { value = unsafe value << 8 | Value(bytes[index]) }
            return value
        }
    }

    /// Bytes that aren't secret, or that are passed on as ordinary values anyway.
    mutating func raw(_ count: Int) throws -> [UInt8] {
        let range = try advance(count)
        return unsafe source.withUnsafeBytes { unsafe Array(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Reads a secret.
    mutating func secret(_ count: Int) throws -> SecretBytes { try source.slice(advance(count)) }

    /// Four bytes of length, at most `limit`, then that many bytes.
    mutating func counted(limit: Int) throws -> [UInt8] {
        let count = try integer(UInt32.self)
        guard count <= limit else { throw Malformed() }
        return try raw(Int(count))
    }

    /// The same, as text. Bytes that aren't UTF-8 were never a text: replacing them could make it longer than the limit.
    mutating func text(limit: Int) throws -> String {
        let count = try integer(UInt32.self)
        guard count <= limit, let text = source.plainText(in: try advance(Int(count))) else { throw Malformed() }
        return text
    }

    /// Nothing may be left over, because nobody has checked bytes that nobody read.
    func end() throws { if !isAtEnd { throw Malformed() } }
}

extension UInt8 {
    /// A byte that must be 0 or 1.
    func asFlag() throws -> Bool {
        guard self <= 1 else { throw Malformed() }
        return self == 1
    }
}
