public import ThumbSecrets

/// One frame ready to be sent: plain bytes with secrets between them. Secrets are sent from where they are and never copied.
public struct EncodedFrame: Sendable {
    /// The plain bytes, beginning with the length.
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

    init(_ kind: WordKind, call: UInt32) {
        plain = []
        plain.reserveCapacity(256)
        plain += [0, 0, 0, 0, kind.rawValue]
        put(call)
    }

    /// Writes values one after the other.
    mutating func put<each Value: WireValue>(_ values: repeat each Value) {
        for value in repeat each values { value.encode(to: &self) }
    }

    mutating func append(_ byte: UInt8) { plain.append(byte) }
    mutating func append(_ bytes: some Collection<UInt8>) { plain += bytes }

    /// A number's last `count` bytes, the most significant first.
    mutating func append(_ number: UInt64, bytes count: UInt64) {
        for place in (0..<count).reversed() { plain.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }

    mutating func append(_ secret: SecretBytes) {
        put(UInt32(secret.count))
        if !secret.isEmpty { secrets.append((plain.count, secret)) }
    }
}
