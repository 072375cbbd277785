/// Bech32 (BIP 173) without its limit of length, as age writes recipients and identities with it.
public enum Bech32 {
    /// The longest text: several times what any recipient has.
    public static let mostBytes = 1024

    private static let letters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let checkLetters = 6
    private static let separator = UInt8(ascii: "1")

    /// The bytes in a text, whose first part says what they are; nil if it isn't such a text, or another first part. Letters are all small or
    /// all capital.
    public static func decoded(_ text: String, prefix: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.count <= mostBytes, text == text.lowercased() || text == text.uppercased() else { return nil }
        let small = Array(text.lowercased().utf8)
        guard small.count == bytes.count, let place = small.lastIndex(of: separator), small.count - place > checkLetters,
            small[..<place].elementsEqual(prefix.utf8)
        else { return nil }
        let digits = small[(place + 1)...].compactMap { letter in letters.firstIndex(of: letter).map { UInt8($0) } }
        guard digits.count == small.count - place - 1, sum(Array(prefix.utf8), digits) == 1 else { return nil }
        return regrouped(Array(digits.dropLast(checkLetters)), from: 5, to: 8, isPadded: false)
    }

    /// The text for these bytes, in small letters.
    public static func encoded(_ bytes: [UInt8], prefix: String) -> String {
        // Padding makes this one never fail.
        let digits = regrouped(bytes, from: 8, to: 5, isPadded: true) ?? []
        let sum = sum(Array(prefix.utf8), digits + [UInt8](repeating: 0, count: checkLetters)) ^ 1
        let check = (0..<checkLetters).map { UInt8(sum >> UInt32(5 * (checkLetters - 1 - $0)) & 31) }
        return prefix + "1" + String(decoding: (digits + check).map { letters[Int($0)] }, as: UTF8.self)
    }

    private static func sum(_ prefix: [UInt8], _ digits: [UInt8]) -> UInt32 {
        let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
        var sum: UInt32 = 1
        for value in prefix.map({ $0 >> 5 }) + [0] + prefix.map({ $0 & 31 }) + digits {
            let top = sum >> 25
            sum = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
            for bit in 0..<5 where top >> UInt32(bit) & 1 == 1 { sum ^= generator[bit] }
        }
        return sum
    }

    /// The same bits in groups of another size. What is left over is padded with zeros, or must be fewer than a group of zeros.
    private static func regrouped(_ groups: [UInt8], from old: Int, to new: Int, isPadded: Bool) -> [UInt8]? {
        var (bits, count, regrouped): (Int, Int, [UInt8]) = (0, 0, [])
        for group in groups {
            (bits, count) = (bits << old & 0xfff | Int(group), count + old)
            while count >= new {
                count -= new
                regrouped.append(UInt8(bits >> count & (1 << new - 1)))
            }
        }
        let rest = bits & (1 << count - 1)
        if isPadded {
            if count > 0 { regrouped.append(UInt8(rest << (new - count))) }
        } else if count >= old || rest != 0 {
            return nil
        }
        return regrouped
    }
}
