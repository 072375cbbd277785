/// DER as text between two lines.
internal enum PEM {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ der: [UInt8], _ what: String) -> String {
        let lines = stride(from: 0, to: der.count, by: 48).map { start in
            base64(der[start..<min(start + 48, der.count)])
        }
        return (["-----BEGIN \(what)-----"] + lines + ["-----END \(what)-----", ""]).joined(separator: "\n")
    }

    private static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = bytes
        while !rest.isEmpty {
            let group = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let bits = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            for index in 0..<4 {
                text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of one such text; nil for anything else, and if anything surrounds it. Lines may end in any of the usual ways.
    static func decode(_ text: String, _ what: String) -> [UInt8]? {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count > 2, lines[0].elementsEqual("-----BEGIN \(what)-----".utf8),
            lines[lines.count - 1].elementsEqual("-----END \(what)-----".utf8)
        else { return nil }
        return bytes(base64: Array(lines[1..<lines.count - 1].joined()))
    }

    private static func bytes(base64 characters: [UInt8]) -> [UInt8]? {
        let digits = characters.prefix { $0 != UInt8(ascii: "=") }
        let padding = characters[digits.count...]
        guard characters.count.isMultiple(of: 4), padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") }) else {
            return nil
        }
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for digit in digits {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            (bits, count) = (bits << 6 & 0xFFFF | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bits & (1 << count - 1) == 0 ? bytes : nil
    }
}
