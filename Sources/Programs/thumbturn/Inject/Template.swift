/// A text with references to secrets in it: `{{ thumbturn://NAME/FIELD }}`. Other double braces are text.
struct Template: Sendable {
    enum Part: Sendable {
        case text(String)
        case reference(SecretReference)
    }

    /// A reference can't be understood.
    struct Problem: Error, Sendable, Hashable {
        /// Its line; the first one is 1.
        let line: Int
        /// What was probably meant.
        let meant: String?
    }

    /// The largest template. People write them by hand.
    static let mostBytes = 1 << 20

    let parts: [Part]

    init(_ text: String) throws(Problem) {
        let bytes = Array(text.utf8)
        var (parts, textStart, place, line): ([Part], Int, Int, Int) = ([], 0, 0, 1)
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "\n") { line += 1 }
            guard let start = Self.reference(in: bytes, at: place) else {
                place += 1
                continue
            }
            guard let end = Self.end(in: bytes, from: start) else { throw Problem(line: line, meant: nil) }
            let written = Self.text(bytes[start..<end])
            guard let reference = SecretReference(written) else {
                throw Problem(line: line, meant: SecretReference.meant(by: written))
            }
            if textStart < place { parts.append(.text(String(decoding: bytes[textStart..<place], as: UTF8.self))) }
            parts.append(.reference(reference))
            place = end + 2
            textStart = place
        }
        if textStart < bytes.count { parts.append(.text(String(decoding: bytes[textStart...], as: UTF8.self))) }
        self.parts = parts
    }

    var references: [SecretReference] {
        parts.compactMap { if case .reference(let reference) = $0 { reference } else { nil } }
    }

    /// Where a reference begins, if double braces with one open here.
    private static func reference(in bytes: [UInt8], at place: Int) -> Int? {
        guard bytes[place...].starts(with: "{{".utf8) else { return nil }
        let start = bytes[(place + 2)...].firstIndex { !isBlank($0) } ?? bytes.endIndex
        return bytes[start...].starts(with: SecretReference.scheme.utf8) ? start : nil
    }

    /// Where the braces close that it stands in, on the same line.
    private static func end(in bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while place + 1 < bytes.count, bytes[place] != UInt8(ascii: "\n") {
            if bytes[place...].starts(with: "}}".utf8) { return place }
            place += 1
        }
        return nil
    }

    /// What stands between the braces, without blanks at the end.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
