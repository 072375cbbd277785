public import ThumbSecrets

/// One frame ready to be sent: plain bytes with secrets between them. Secrets are sent from where they lie and never copied.
public struct EncodedFrame: Sendable {
    /// The plain bytes, the length first.
    public private(set) var plain: [UInt8]
    /// Secrets and the place among the plain bytes where each belongs, in order.
    public private(set) var secrets: [(place: Int, secret: SecretBytes)]

    public var count: Int { plain.count + secrets.reduce(0) { $0 + $1.secret.count } }

    init(_ encoder: Encoder) {
        plain = encoder.plain
        secrets = encoder.secrets
        let length = UInt32(count - 4)
        for (index, shift) in [24, 16, 8, 0].enumerated() { plain[index] = UInt8(truncatingIfNeeded: length >> UInt32(shift)) }
    }
}

/// Writes values in the wire's form.
public struct Encoder {
    fileprivate(set) var plain: [UInt8]
    fileprivate(set) var secrets: [(place: Int, secret: SecretBytes)] = []

    init(kind: UInt8, call: UInt32) {
        plain = []
        plain.reserveCapacity(256)
        plain += [0, 0, 0, 0, kind]
        put(call)
    }

    mutating func put(_ value: UInt8) { plain.append(value) }
    mutating func put(_ value: UInt16) {
        plain.append(UInt8(truncatingIfNeeded: value >> 8))
        plain.append(UInt8(truncatingIfNeeded: value))
    }
    mutating func put(_ value: UInt32) {
        put(UInt16(truncatingIfNeeded: value >> 16))
        put(UInt16(truncatingIfNeeded: value))
    }
    mutating func put(_ value: UInt64) {
        put(UInt32(truncatingIfNeeded: value >> 32))
        put(UInt32(truncatingIfNeeded: value))
    }
    mutating func put(_ value: Double) { put(value.bitPattern) }
    mutating func put(_ value: Bool) { plain.append(value ? 1 : 0) }
    mutating func put(_ value: [UInt8]) {
        put(UInt32(value.count))
        plain += value
    }
    mutating func put(_ value: String) {
        put(UInt32(value.utf8.count))
        plain += value.utf8
    }
    mutating func put(_ secret: SecretBytes) {
        put(UInt32(secret.count))
        if !secret.isEmpty { secrets.append((plain.count, secret)) }
    }
    mutating func put(_ value: some WireValue) { value.encode(to: &self) }
    mutating func put(_ value: some RawRepresentable<UInt8>) { put(value.rawValue) }

    mutating func put<Value>(_ value: Value?, _ body: (inout Encoder, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }
    mutating func put<Value>(_ values: [Value], _ body: (inout Encoder, Value) -> Void) {
        put(UInt32(values.count))
        for value in values { body(&self, value) }
    }
}

/// A value with a form on the wire.
protocol WireValue {
    func encode(to encoder: inout Encoder)
    init(from decoder: inout Decoder) throws(Refusal)
}
