import ThumbSecrets

/// Base64 without padding, in the one form that age takes.
public enum BareBase64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The letters for these bytes.
    public static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var (bits, count, text): (Int, Int, [UInt8]) = (0, 0, [])
        for byte in bytes {
            (bits, count) = (bits << 8 & 0xFFFF | Int(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(letters[bits >> count & 63])
            }
        }
        if count > 0 { text.append(letters[bits << (6 - count) & 63]) }
        return text
    }

    /// The bytes in a text; nil unless it is exactly what these bytes encode to.
    public static func decoded(_ text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        var decoder = Decoder()
        var bytes: [UInt8] = []
        for letter in text {
            guard decoder.take(letter, { bytes.append($0) }) else { return nil }
        }
        return decoder.isWhole ? bytes : nil
    }

    /// The bytes in lines of locked memory, as a secret.
    static func decoded(_ lines: [SecretBytes]) throws(FormRefusal) -> SecretBytes {
        var (counter, count) = (Decoder(), 0)
        for line in lines {
            for place in 0..<line.count {
                guard counter.take(line[place], { _ in count += 1 }) else { throw .malformed }
            }
        }
        guard counter.isWhole else { throw .malformed }
        do {
            return try SecretBytes.written(count: count) { put in
                var decoder = Decoder()
                for line in lines { for place in 0..<line.count { _ = decoder.take(line[place], put) } }
            }
        } catch {
            throw .noMemory
        }
    }

    private struct Decoder {
        var (bits, count) = (0, 0)

        /// Takes a letter; false if it is none.
        mutating func take(_ letter: UInt8, _ put: (UInt8) -> Void) -> Bool {
            guard let value = letters.firstIndex(of: letter) else { return false }
            (bits, count) = (bits << 6 & 0xFFFF | value, count + 6)
            if count >= 8 {
                count -= 8
                put(UInt8(truncatingIfNeeded: bits >> count))
            }
            return true
        }

        /// Whether no letter is left over, and no bit that isn't zero.
        var isWhole: Bool { count < 6 && bits & (1 << count - 1) == 0 }
    }
}
