/// A text with references to secrets in it: `{{ thumbturn://NAME/FIELD }}`. Other double braces are text.
struct Template: Sendable {
    enum Part: Sendable {
        case text(String)
        case reference(SecretReference)
    }

    /// A reference on this line can't be understood; the first line is 1.
    struct Problem: Error, Sendable, Hashable { let line: Int }

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
            guard let end = Self.end(in: bytes, from: start), let reference = Self.reference(bytes[start..<end]) else {
                throw Problem(line: line)
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

    private static func reference(_ bytes: ArraySlice<UInt8>) -> SecretReference? {
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
        return SecretReference(String(decoding: bytes[..<end], as: UTF8.self))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
