import ThumbAccess
public import ThumbSecrets

/// A value with a form on the wire.
public protocol WireValue {
    func encode(to encoder: inout Encoder)
    /// Fails with `malformed` if the bytes aren't exactly right.
    init(from decoder: inout Decoder) throws(Refusal)

    /// Writes the elements of an array, after their count. Bytes are written all at once.
    static func encode(_ values: [Self], to encoder: inout Encoder)
    static func read(_ count: Int, from decoder: inout Decoder) throws(Refusal) -> [Self]
}

extension WireValue {
    public static func encode(_ values: [Self], to encoder: inout Encoder) {
        for value in values { value.encode(to: &encoder) }
    }

    public static func read(_ count: Int, from decoder: inout Decoder) throws(Refusal) -> [Self] {
        var values: [Self] = []
        for _ in 0..<count { values.append(try Self(from: &decoder)) }
        return values
    }
}

// MARK: Numbers and flags

extension UInt8: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.append(self) }
    public init(from decoder: inout Decoder) throws(Refusal) { self = try decoder.byte() }

    public static func encode(_ values: [UInt8], to encoder: inout Encoder) { encoder.append(values) }
    public static func read(_ count: Int, from decoder: inout Decoder) throws(Refusal) -> [UInt8] { try decoder.bytes(count) }
}

extension UInt16: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.append(UInt64(self), bytes: 2) }
    public init(from decoder: inout Decoder) throws(Refusal) { self = UInt16(try decoder.number(bytes: 2)) }
}

extension UInt32: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.append(UInt64(self), bytes: 4) }
    public init(from decoder: inout Decoder) throws(Refusal) { self = UInt32(try decoder.number(bytes: 4)) }
}

extension UInt64: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.append(self, bytes: 8) }
    public init(from decoder: inout Decoder) throws(Refusal) { self = try decoder.number(bytes: 8) }
}

extension Double: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(bitPattern) }

    public init(from decoder: inout Decoder) throws(Refusal) {
        let value = Double(bitPattern: try decoder.value())
        guard value.isFinite else { throw .malformed }
        self = value
    }
}

extension Bool: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(UInt8(self ? 1 : 0)) }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 0: self = false
        case 1: self = true
        default: throw .malformed
        }
    }
}

// MARK: Texts, secrets, and what holds other values

extension String: WireValue {
    public func encode(to encoder: inout Encoder) {
        encoder.put(UInt32(utf8.count))
        encoder.append(utf8)
    }

    public init(from decoder: inout Decoder) throws(Refusal) { self = try decoder.text(Int(try decoder.value(UInt32.self))) }
}

/// A secret is sent from where it is, and arrives as a new one. If the arena is full, there is no room for it just now.
extension SecretBytes: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.append(self) }

    public convenience init(from decoder: inout Decoder) throws(Refusal) {
        let place = try decoder.place(of: Int(try decoder.value(UInt32.self)))
        do {
            try self.init(place, of: decoder.body)
        } catch {
            throw .noRoom
        }
    }
}

extension Optional: WireValue where Wrapped: WireValue {
    public func encode(to encoder: inout Encoder) {
        encoder.put(self != nil)
        if let self { encoder.put(self) }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        self = try decoder.value(Bool.self) ? try Wrapped(from: &decoder) : nil
    }
}

extension Array: WireValue where Element: WireValue {
    public func encode(to encoder: inout Encoder) {
        encoder.put(UInt32(count))
        Element.encode(self, to: &encoder)
    }

    public init(from decoder: inout Decoder) throws(Refusal) { self = try Element.read(try decoder.count(), from: &decoder) }
}

/// One of a list, by its number.
public protocol WireChoice: WireValue, RawRepresentable<UInt8> {}

extension WireChoice {
    public func encode(to encoder: inout Encoder) { encoder.put(rawValue) }

    public init(from decoder: inout Decoder) throws(Refusal) {
        guard let value = Self(rawValue: try decoder.value()) else { throw .malformed }
        self = value
    }
}
