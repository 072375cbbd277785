public import ThumbSecrets

/// A stanza of age's: words, and a body in base64. The header of a file has them, and so does the conversation with a plugin.
public struct AgeStanza: Sendable {
    /// The words after the arrow: at least one.
    public let words: [String]
    /// What follows. It may be a file's key, so it stays secret.
    public let body: SecretBytes

    /// How a stanza begins.
    static let arrow = "-> "
    /// How many letters a full line of a body has. The last line has fewer.
    static let lineLetters = 64

    /// The lines of a stanza whose body is no secret.
    public static func lines(_ words: [String], _ body: [UInt8] = []) -> String {
        var text = arrow + words.joined(separator: " ") + "\n"
        var rest = BareBase64.encoded(body)[...]
        while rest.count >= lineLetters {
            text += String(decoding: rest.prefix(lineLetters), as: UTF8.self) + "\n"
            rest = rest.dropFirst(lineLetters)
        }
        return text + String(decoding: rest, as: UTF8.self) + "\n"
    }

    /// The first line of a stanza whose body is written apart.
    public static func head(_ words: [String]) -> String { arrow + words.joined(separator: " ") + "\n" }
}

/// Reads stanzas line by line.
public struct AgeStanzaReader: Sendable {
    /// The longest body in lines. A file's key takes one, and the longest stanza that is known, for a post-quantum key, some thirty.
    public static let mostLines = 128
    /// The most words. A stanza in a header has a handful, and two more on its way to a plugin.
    public static let mostWords = 64

    private var words: [String]?
    private var lines: [SecretBytes] = []

    /// A reader at the beginning of a stanza.
    public init() {}

    /// Whether the last stanza has ended.
    public var isBetween: Bool { words == nil }

    /// Takes a line without its newline. Returns the stanza that it ends, or nil.
    ///
    /// Fails with `malformed` if it isn't a line of a stanza, with `tooLong`, and with `noMemory`.
    public mutating func take(_ line: SecretBytes) throws(FormRefusal) -> AgeStanza? {
        guard let words else {
            self.words = try Self.words(of: line)
            return nil
        }
        guard line.count <= AgeStanza.lineLetters else { throw .malformed }
        guard lines.count < Self.mostLines else { throw .tooLong }
        lines.append(line)
        if line.count == AgeStanza.lineLetters { return nil }
        let stanza = AgeStanza(words: words, body: try BareBase64.decoded(lines))
        self = AgeStanzaReader()
        return stanza
    }

    private static func words(of line: SecretBytes) throws(FormRefusal) -> [String] {
        let head = AgeStanza.arrow.utf8.count
        guard line.count > head, line.holds(AgeStanza.arrow, in: 0..<head) else { throw .malformed }
        guard line.count <= FormLimit.textBytes else { throw .tooLong }
        let text = try line.text(head..<line.count)
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) else { throw .malformed }
        guard words.count <= mostWords else { throw .tooLong }
        return words
    }
}
