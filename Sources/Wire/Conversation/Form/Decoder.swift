import ThumbSecrets

/// Reads values in the wire's form from a frame's body; what isn't exactly right is malformed.
public struct Decoder {
    let body: SecretBytes
    private var next: Int

    init(_ body: SecretBytes, from place: Int) {
        self.body = body
        next = place
    }

    /// The next value.
    mutating func value<Value: WireValue>(_ type: Value.Type = Value.self) throws(Refusal) -> Value { try Value(from: &self) }

    /// A frame with bytes left over was written by something we don't understand.
    func finish() throws(Refusal) {
        guard next == body.count else { throw .malformed }
    }

    /// The place of the next so many bytes, which are taken.
    mutating func place(of count: Int) throws(Refusal) -> Range<Int> {
        guard count <= body.count - next else { throw .malformed }
        defer { next += count }
        return next..<next + count
    }

    mutating func byte() throws(Refusal) -> UInt8 { body[try place(of: 1).lowerBound] }
    mutating func number(bytes count: Int) throws(Refusal) -> UInt64 { body.plainNumber(in: try place(of: count)) }
    mutating func bytes(_ count: Int) throws(Refusal) -> [UInt8] { body.plainBytes(in: try place(of: count)) }

    mutating func text(_ count: Int) throws(Refusal) -> String {
        guard let text = body.plainText(in: try place(of: count)) else { throw .malformed }
        return text
    }

    /// How many values follow. Every value takes at least a byte: a count past what is left is a lie, and is not worth reserving
    /// memory for.
    mutating func count() throws(Refusal) -> Int {
        let count = Int(try value(UInt32.self))
        guard count <= body.count - next else { throw .malformed }
        return count
    }
}
