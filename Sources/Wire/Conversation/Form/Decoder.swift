import ThumbSecrets

/// Reads values in the wire's form from a frame's body. Anything that isn't exactly right is malformed.
public struct Decoder {
    let body: SecretBytes
    private var next: Int

    init(_ body: SecretBytes, from place: Int) {
        self.body = body
        next = place
    }

    /// The next value.
    mutating func value<Value: WireValue>(_ type: Value.Type = Value.self) throws(Refusal) -> Value { try Value(from: &self) }

    /// If bytes are left over, we don't understand whoever wrote the frame.
    func finish() throws(Refusal) {
        guard next == body.count else { throw .malformed }
    }

    /// Takes the next `count` bytes and returns their place.
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

    /// How many values follow. Every value takes at least a byte, so a count larger than the bytes left is a lie, and no memory is reserved
    /// for it.
    mutating func count() throws(Refusal) -> Int {
        let count = Int(try value(UInt32.self))
        guard count <= body.count - next else { throw .malformed }
        return count
    }
}
