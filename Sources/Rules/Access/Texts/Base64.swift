/// Base64 (RFC 4648) in one form only, so that two texts never stand for the same bytes.
public enum Base64: Sendable {
    /// The usual alphabet, padded: in PEM and in SSH's files.
    case padded
    /// The alphabet for addresses, without padding: in statements and in JSON.
    case url

    /// The text of these bytes.
    public func encoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, count) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 & 0xFFFF | Int(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(letters[bits >> count & 63])
            }
        }
        if count > 0 { text.append(letters[bits << (6 - count) & 63]) }
        if self == .padded {
            while !text.count.isMultiple(of: 4) { text.append(Self.padding) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that a text, or its UTF-8, stands for. nil unless it is exactly what these bytes encode to: nothing around it, no bits
    /// left over.
    public func decoded(_ text: [UInt8]) -> [UInt8]? {
        var digits = text[...]
        if self == .padded {
            guard text.count.isMultiple(of: 4) else { return nil }
            for _ in 0..<2 where digits.last == Self.padding { digits.removeLast() }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var (bits, count) = (0, 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            (bits, count) = (bits << 6 & 0xFFFF | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        // Six leftover bits are a letter that holds no whole byte. Fewer must be zero, or two texts would stand for the same bytes.
        guard count < 6, bits & (1 << count - 1) == 0 else { return nil }
        return bytes
    }

    /// The same of a text.
    public func decoded(_ text: some StringProtocol) -> [UInt8]? { decoded(Array(text.utf8)) }

    private static let padding = UInt8(ascii: "=")
    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let paddedLetters = Array((common + "+/").utf8)
    private static let urlLetters = Array((common + "-_").utf8)

    private var letters: [UInt8] {
        switch self {
        case .padded: Self.paddedLetters
        case .url: Self.urlLetters
        }
    }

    private func value(of letter: UInt8) -> Int? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter) + 4
        default: letter == letters[62] ? 62 : letter == letters[63] ? 63 : nil
        }
    }
}
