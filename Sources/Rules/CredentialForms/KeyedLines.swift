public import ThumbSecrets

/// Lines of the form `key=value` of which one has a secret. They stay in locked memory; only the values of known keys are taken out as text.
struct KeyedLines: Sendable {
    private var texts: [(key: String, value: String)] = []
    /// The value of the key that has a secret.
    private(set) var secret: SecretBytes?

    /// Reads up to an empty line or the end. Values of keys that aren't known are never looked at: they may be secrets too.
    init(_ input: SecretBytes, known: [String], secret: String, longest: Int) throws(FormRefusal) {
        var place = 0
        while place < input.count {
            let line = input.line(from: place)
            place = line.upperBound + 1
            if line.isEmpty { break }
            guard let equals = line.first(where: { input[$0] == UInt8(ascii: "=") }), equals > line.lowerBound else {
                throw .malformed
            }
            let (key, value) = (line.lowerBound..<equals, equals + 1..<line.upperBound)
            guard !value.contains(where: { input[$0] == 0 }) else { throw .malformed }
            if input.holds(secret, in: key) {
                self.secret = try input.part(value)
            } else if let name = known.first(where: { input.holds($0, in: key) }) {
                guard value.count <= longest else { throw .tooLong }
                texts.append((name, try input.text(value)))
            }
        }
    }

    /// The last value of a key.
    func text(_ key: String) -> String? { texts.last { $0.key == key }?.value }

    /// All values of a key.
    func all(_ key: String) -> [String] { texts.filter { $0.key == key }.map(\.value) }
}

extension SecretBytes {
    /// The line that begins there, without its end.
    func line(from start: Int) -> Range<Int> {
        start..<((start..<count).first { self[$0] == UInt8(ascii: "\n") } ?? count)
    }

    /// Whether these bytes are exactly that text.
    func holds(_ text: String, in range: Range<Int>) -> Bool {
        range.count == text.utf8.count && zip(range, text.utf8).allSatisfy { self[$0] == $1 }
    }

    /// These bytes, which aren't secret.
    func text(_ range: Range<Int>) throws(FormRefusal) -> String {
        guard let text = plainText(in: range) else { throw .unspeakable }
        return text
    }

    /// These bytes as a secret of its own.
    func part(_ range: Range<Int>) throws(FormRefusal) -> SecretBytes {
        do { return try slice(range) } catch { throw .noMemory }
    }

    /// The whole as one line: what is kept in a file often ends with a newline that isn't meant. Fails with `unspeakable` if there are more
    /// lines, or a zero byte.
    public func oneLine() throws(FormRefusal) -> SecretBytes {
        var end = count
        if end > 0, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > 0, end < count, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        guard !(0..<end).contains(where: { [0, UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(self[$0]) }) else {
            throw .unspeakable
        }
        return end == count ? self : try part(0..<end)
    }
}
