/// Base64 for addresses (RFC 4648, section 5) without padding: how bytes travel in statements and in JSON.
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    public static func encoded(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (bits, count) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 & 0xFFFF | Int(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(alphabet[bits >> count & 63])
            }
        }
        if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil unless the text is what these bytes encode to: no padding, no other alphabet, no bits left over.
    public static func decoded(_ text: some StringProtocol) -> [UInt8]? { decoded(Array(text.utf8)) }

    /// The same of the text's bytes.
    public static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (bits, count) = (0, 0)
        for character in text {
            guard let value = value(of: character) else { return nil }
            (bits, count) = (bits << 6 & 0xFFFF | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        // Six bits over are a character that holds no whole byte; fewer must be zero, or two texts would be one.
        guard count < 6, bits & (1 << count - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) + 4
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

extension Digest32 {
    static let textBytes = 43

    /// The 32 bytes in base64url.
    public var text: String { Base64URL.encoded(bytes) }

    /// - Returns: nil unless the text is 32 bytes in base64url's one form.
    public init?(text: some StringProtocol) {
        guard text.utf8.count == Self.textBytes, let bytes = Base64URL.decoded(text) else { return nil }
        self.init(bytes)
    }
}
