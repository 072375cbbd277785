/// Lines of a log, until they are written. Both daemons write theirs with this.
///
/// Whatever a value is, it ends neither its line nor its field: a quotation mark, a control character and everything that could change
/// how other characters are shown are escaped, in both forms as JSON escapes them.
public struct LogText: Sendable {
    /// What was added since the last `taken`.
    public private(set) var bytes: [UInt8] = []
    private let form: LogForm
    private let marksLevels: Bool
    private var isFirst = true
    /// The last time that was written, since many lines have the same.
    private var stamp: (seconds: Int64, text: String)?

    /// - Parameter marksLevels: whether a line begins with its level in the way of the journal: `<6>`.
    public init(_ form: LogForm, marksLevels: Bool = false) { (self.form, self.marksLevels) = (form, marksLevels) }

    /// Begins a line. Times are seconds since 1970.
    public mutating func begin(_ level: LogLevel, at seconds: Int64) {
        if marksLevels { bytes += "<\(level.rawValue)>".utf8 }
        if form == .json { bytes.append(UInt8(ascii: "{")) }
        isFirst = true
        if stamp?.seconds != seconds { stamp = (seconds, CalendarTime.written(seconds)) }
        add(.time, stamp?.text ?? "")
        add(.level, level.word)
    }

    public mutating func add(_ field: LogField, _ text: String) {
        name(field)
        // A value without blanks and marks needs no quotation in logfmt.
        if form == .logfmt, !text.isEmpty, text.utf8.allSatisfy({ Self.isPlain($0) && $0 != UInt8(ascii: "=") }) {
            bytes += text.utf8
        } else {
            quote(text)
        }
    }

    public mutating func add(_ field: LogField, _ number: Int64) {
        name(field)
        bytes += String(number).utf8
    }

    /// The client and its call, as far as they are known.
    public mutating func add(_ client: LogClient) {
        add(.client, Int64(client.pid))
        add(.uid, Int64(client.uid))
        if let call = client.call { add(.request, Int64(call)) }
    }

    public mutating func end() {
        if form == .json { bytes.append(UInt8(ascii: "}")) }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// What was added since the last time, which is forgotten here.
    public mutating func taken() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func name(_ field: LogField) {
        switch form {
        case .logfmt:
            if !isFirst { bytes.append(UInt8(ascii: " ")) }
            bytes += field.rawValue.utf8
            bytes.append(UInt8(ascii: "="))
        case .json:
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\""))
            bytes += field.rawValue.utf8
            bytes += "\":".utf8
        }
        isFirst = false
    }

    // MARK: Quotations

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ Self.isPlain($0) || $0 == 0x20 }) {
            bytes += text.utf8
        } else {
            for scalar in text.unicodeScalars { quote(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func quote(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": bytes += "\\\"".utf8
        case "\\": bytes += "\\\\".utf8
        case "\n": bytes += "\\n".utf8
        case "\r": bytes += "\\r".utf8
        case "\t": bytes += "\\t".utf8
        default:
            if Self.isShown(scalar) {
                bytes += String(scalar).utf8
            } else {
                // JSON names a character beyond the first 65,536 by two halves.
                for unit in String(scalar).utf16 { bytes += ("\\u" + Self.digits(unit)).utf8 }
            }
        }
    }

    /// Whether a terminal shows it as itself and as nothing else.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    private static func digits(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
