/// Reading base64 as others write it: in lines or not.
enum Base64 {
    /// nil for anything that isn't whole base64.
    static func bytes(_ text: [UInt8]) -> [UInt8]? {
        let letters = text.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        guard letters.count % 4 == 0 else { return nil }
        let padding = letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        var group: UInt32 = 0
        for (place, letter) in letters.dropLast(padding).enumerated() {
            guard let value = value(letter) else { return nil }
            group = group << 6 | value
            switch place % 4 {
            case 0: break
            // The bits that make up a byte; what is left over stays for the next one.
            case 1: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
            case 2: bytes.append(UInt8(truncatingIfNeeded: group >> 2))
            default: bytes.append(UInt8(truncatingIfNeeded: group))
            }
        }
        return bytes
    }

    private static func value(_ letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
