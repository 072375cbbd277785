import ThumbSecrets

/// The fields of a secret, in the form that docs/STORE.md describes. The values stay where they are, in locked memory, until they are taken.
struct Fields: Sendable {
    /// Why a secret's contents have no fields that could be read.
    enum Problem: Error, Sendable, Hashable {
        /// They aren't of this form, so they are one secret as a whole.
        case none
        /// They are of a later version of the form.
        case newer
        /// This line isn't a field; the first line is 1.
        case line(Int)
        case tooMany
        case noMemory
    }

    /// More than an account at any service has. Each field is a line that somebody has to read.
    static let most = 256

    private struct Field: Sendable {
        let name: String
        /// Where the value's lines are.
        var lines: [Range<Int>]
    }

    private let contents: SecretBytes
    private let all: [Field]

    /// The fields' names, in order.
    var names: [String] { all.map(\.name) }

    init(_ contents: SecretBytes) throws(Problem) {
        var reader = FieldLines(contents)
        guard let first = reader.next(), let version = reader.version(first) else { throw .none }
        guard version == "1" else { throw .newer }
        var (fields, number, emptyLines): ([Field], Int, [Range<Int>]) = ([], 1, [])
        while let line = reader.next() {
            number += 1
            if line.isEmpty {
                emptyLines.append(line)
            } else if contents[line.lowerBound] == FieldLines.space {
                guard !fields.isEmpty else { throw .line(number) }
                fields[fields.count - 1].lines += emptyLines + [line.lowerBound + 1..<line.upperBound]
                emptyLines = []
            } else {
                guard let (name, value) = reader.field(line), !fields.contains(where: { $0.name.utf8.elementsEqual(name.utf8) })
                else { throw .line(number) }
                guard fields.count < Self.most else { throw .tooMany }
                fields.append(Field(name: name, lines: [value]))
                emptyLines = []
            }
        }
        (self.contents, all) = (contents, fields)
    }

    /// A field's value; nil if there is no such field.
    func value(of name: String) throws(Problem) -> SecretBytes? {
        guard let field = all.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        return try value(field)
    }

    private func value(_ field: Field) throws(Problem) -> SecretBytes {
        let count = field.lines.reduce(field.lines.count - 1) { $0 + $1.count }
        let value = try? unsafe SecretBytes(count: count) { room in
            var writer = unsafe SecretWriter(room)
            for (place, line) in field.lines.enumerated() {
                if place > 0 { writer.add(FieldLines.lineFeed) }
                writer.add(contents, line)
            }
        }
        guard let value else { throw .noMemory }
        return value
    }

    /// The contents with these values in place of the fields' of the same names; new names come last.
    func replacing(_ new: [(name: String, value: SecretBytes)]) throws(Problem) -> SecretBytes {
        var whole: [(name: String, value: SecretBytes)] = []
        for field in all {
            if let replacement = new.first(where: { $0.name.utf8.elementsEqual(field.name.utf8) }) {
                whole.append(replacement)
            } else {
                whole.append((field.name, try value(field)))
            }
        }
        for one in new where !names.contains(where: { $0.utf8.elementsEqual(one.name.utf8) }) { whole.append(one) }
        return try Self.contents(whole)
    }

    /// Contents with these fields and no others. Their names are good, and each occurs once.
    static func contents(_ fields: [(name: String, value: SecretBytes)]) throws(Problem) -> SecretBytes {
        guard fields.count <= most else { throw .tooMany }
        let head = Array("\(FieldLines.head)1\n".utf8)
        // A value takes a space for each line feed in it, and `: ` and a line feed around it.
        let count = fields.reduce(head.count) { sum, field in
            sum + field.name.utf8.count + 3 + field.value.count + FieldLines.lineFeeds(in: field.value)
        }
        let whole = try? unsafe SecretBytes(count: count) { room in
            var writer = unsafe SecretWriter(room)
            for byte in head { writer.add(byte) }
            for (name, value) in fields {
                for byte in "\(name): ".utf8 { writer.add(byte) }
                for place in 0..<value.count {
                    writer.add(value, place..<place + 1)
                    if value[place] == FieldLines.lineFeed { writer.add(FieldLines.space) }
                }
                writer.add(FieldLines.lineFeed)
            }
        }
        guard let whole else { throw .noMemory }
        return whole
    }

    /// Whether a field can have that name.
    static func isName(_ name: String) -> Bool { FieldLines.isName(name.utf8) }
}
