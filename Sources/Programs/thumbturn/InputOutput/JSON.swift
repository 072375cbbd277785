import ThumbSecrets

/// A value to be printed as JSON. Keys keep their order.
indirect enum JSON: Sendable {
    case null
    case flag(Bool)
    case number(Int64)
    case text(String)
    case secret(SecretBytes, SecretEncoding)
    case list([JSON])
    case object([(String, JSON)])

    static func optional(_ text: String?) -> JSON { text.map { .text($0) } ?? .null }

    /// The whole value, indented, with a newline at the end.
    func printed() -> [Outcome.Piece] {
        var out = Printer()
        out.print(self, depth: 0)
        out.text += "\n"
        return out.finished()
    }

    /// The whole value on one line, with a newline at the end: for protocols of lines, and for other programs' eyes alone.
    func line() -> [Outcome.Piece] {
        var out = Printer(isOneLine: true)
        out.print(self, depth: 0)
        out.text += "\n"
        return out.finished()
    }

    /// A string in JSON. Besides what JSON demands, this escapes everything that could move a cursor or reverse the writing direction,
    /// because the object may be read in a terminal.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default:
                if isPlain(scalar) {
                    quoted.unicodeScalars.append(scalar)
                } else {
                    for unit in Character(scalar).utf16 { quoted += escape(unit) }
                }
            }
        }
        return quoted + "\""
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    private struct Printer {
        var isOneLine = false
        var pieces: [Outcome.Piece] = []
        var text = ""

        mutating func print(_ value: JSON, depth: Int) {
            switch value {
            case .null: text += "null"
            case .flag(let flag): text += flag ? "true" : "false"
            case .number(let number): text += String(number)
            case .text(let string): text += JSON.quoted(string)
            case .secret(let secret, let encoding):
                text += "\""
                pieces.append(.text(text))
                pieces.append(.secret(secret, encoding))
                text = "\""
            case .list(let values):
                block("[", "]", values, depth) { $0.print($1, depth: depth + 1) }
            case .object(let members):
                block("{", "}", members, depth) {
                    $0.text += JSON.quoted($1.0) + ": "
                    $0.print($1.1, depth: depth + 1)
                }
            }
        }

        private mutating func block<Element>(
            _ open: String, _ close: String, _ elements: [Element], _ depth: Int, _ body: (inout Printer, Element) -> Void
        ) {
            text += open
            for (place, element) in elements.enumerated() {
                text += (place == 0 ? "" : isOneLine ? ", " : ",") + newline(depth + 1)
                body(&self, element)
            }
            if !elements.isEmpty { text += newline(depth) }
            text += close
        }

        private func newline(_ depth: Int) -> String { isOneLine ? "" : "\n" + String(repeating: "  ", count: depth) }

        mutating func finished() -> [Outcome.Piece] { pieces + [.text(text)] }
    }
}
