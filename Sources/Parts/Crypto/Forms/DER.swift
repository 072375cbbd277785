// As much DER as keys and signatures need. One form of each thing is accepted: definite lengths in their shortest form, numbers that aren't
// negative and have no byte too many, and nothing left over.

/// Reads DER piece by piece. Its results are places in the bytes, so that no secret is copied.
@unsafe internal struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case sequence = 0x30
    }

    private let bytes: UnsafeRawBufferPointer
    private var rest: Range<Int>

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
        unsafe rest = 0..<bytes.count
    }

    /// Enters the sequence that comes next and is the last element; nil if that isn't a sequence.
    mutating func enter() -> Bool {
        guard let content = unsafe next(.sequence), unsafe rest.isEmpty else { return false }
        unsafe rest = content
        return true
    }

    var isAtEnd: Bool { unsafe rest.isEmpty }

    /// The place of the next element's content; nil if it has another tag, or no proper length.
    mutating func next(_ tag: Tag) -> Range<Int>? {
        guard let first = unsafe byte(), first == tag.rawValue, var count = unsafe byte().map(Int.init) else { return nil }
        if count >= 0x80 {
            let digits = count - 0x80
            // No key here has a length of more than three bytes.
            guard (1...3).contains(digits) else { return nil }
            count = 0
            for _ in 0..<digits {
                guard let digit = unsafe byte() else { return nil }
                count = count << 8 | Int(digit)
            }
            guard count >= 0x80, count >> (8 * (digits - 1)) != 0 else { return nil }
        }
        guard unsafe count <= rest.count else { return nil }
        let content = unsafe rest.lowerBound..<rest.lowerBound + count
        unsafe rest = content.upperBound..<rest.upperBound
        return content
    }

    /// The place of the next number, without the zero that only says it isn't negative; an empty place is zero.
    mutating func number() -> Range<Int>? {
        guard let content = unsafe next(.integer), let first = content.first.map({ unsafe bytes[$0] }) else { return nil }
        if first >= 0x80 { return nil }
        if first > 0 { return content }
        if content.count > 1, unsafe bytes[content.lowerBound + 1] < 0x80 { return nil }
        return content.dropFirst()
    }

    private mutating func byte() -> UInt8? {
        guard let first = unsafe rest.first else { return nil }
        unsafe rest = rest.dropFirst()
        return unsafe bytes[first]
    }
}

/// Writes DER.
internal enum DER {
    /// Tag and length of an element with `count` bytes of content.
    static func head(_ tag: UInt8, _ count: Int) -> [UInt8] {
        if count < 0x80 { return [tag, UInt8(count)] }
        let digits = (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * (7 - $0))) }.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(digits.count)] + digits
    }

    static func sequence(_ content: [UInt8]) -> [UInt8] { head(0x30, content.count) + content }

    static func bitString(_ content: [UInt8]) -> [UInt8] { head(0x03, content.count + 1) + [0] + content }

    /// A number that isn't negative, from big-endian bytes of any length.
    static func number(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        let sign: [UInt8] = (digits.first ?? 0x80) >= 0x80 ? [0] : []
        return head(0x02, sign.count + digits.count) + sign + digits
    }
}
