internal import ThumbSecrets

/// Reads values in the wire's form from a frame's body; what isn't exactly right is malformed.
public struct Decoder {
    private let body: SecretBytes
    private var place: Int

    init(_ body: SecretBytes, from place: Int) {
        self.body = body
        self.place = place
    }

    private mutating func take(_ count: Int) throws(Refusal) -> Int {
        guard count <= body.count - place else { throw .malformed }
        defer { place += count }
        return place
    }

    /// A frame with bytes left over was written by something we don't understand.
    func finish() throws(Refusal) {
        guard place == body.count else { throw .malformed }
    }

    mutating func u8() throws(Refusal) -> UInt8 { body[try take(1)] }
    mutating func u16() throws(Refusal) -> UInt16 { UInt16(try word(2)) }
    mutating func u32() throws(Refusal) -> UInt32 { UInt32(try word(4)) }
    mutating func u64() throws(Refusal) -> UInt64 { try word(8) }

    private mutating func word(_ count: Int) throws(Refusal) -> UInt64 {
        let start = try take(count)
        return body.plainNumber(in: start..<start + count)
    }

    mutating func double() throws(Refusal) -> Double {
        let value = Double(bitPattern: try u64())
        guard value.isFinite else { throw .malformed }
        return value
    }

    mutating func bool() throws(Refusal) -> Bool {
        switch try u8() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    mutating func bytes() throws(Refusal) -> [UInt8] {
        let count = Int(try u32())
        let start = try take(count)
        return body.plainBytes(in: start..<start + count)
    }

    mutating func text() throws(Refusal) -> String {
        let count = Int(try u32())
        let start = try take(count)
        guard let text = body.plainText(in: start..<start + count) else { throw .malformed }
        return text
    }

    /// A secret of its own; where the arena is full there is no room for it just now.
    mutating func secret() throws(Refusal) -> SecretBytes {
        let count = Int(try u32())
        let start = try take(count)
        do {
            return try body.slice(start..<start + count)
        } catch {
            throw .noRoom
        }
    }

    mutating func choice<Value: RawRepresentable<UInt8>>(_ type: Value.Type = Value.self) throws(Refusal) -> Value {
        guard let value = Value(rawValue: try u8()) else { throw .malformed }
        return value
    }

    mutating func optional<Value>(_ read: (inout Decoder) throws(Refusal) -> Value) throws(Refusal) -> Value? {
        try bool() ? try read(&self) : nil
    }

    /// How many values follow. Every value takes at least a byte: a count past what is left is a lie, and is not worth reserving
    /// memory for.
    mutating func count() throws(Refusal) -> Int {
        let count = Int(try u32())
        guard count <= body.count - place else { throw .malformed }
        return count
    }

    mutating func array<Value>(_ read: (inout Decoder) throws(Refusal) -> Value) throws(Refusal) -> [Value] {
        let count = try count()
        var values: [Value] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    mutating func value<Value: WireValue>(_ type: Value.Type = Value.self) throws(Refusal) -> Value {
        try Value(from: &self)
    }
}
