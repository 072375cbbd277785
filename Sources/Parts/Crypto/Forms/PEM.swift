import ThumbAccess

/// DER as text between two lines.
internal enum PEM {
    static func encode(_ der: [UInt8], _ what: String) -> String {
        let lines = stride(from: 0, to: der.count, by: 48).map { start in
            Base64.padded.encoded(Array(der[start..<min(start + 48, der.count)]))
        }
        return (["-----BEGIN \(what)-----"] + lines + ["-----END \(what)-----", ""]).joined(separator: "\n")
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
        return Base64.padded.decoded(Array(lines[1..<lines.count - 1].joined()))
    }
}
