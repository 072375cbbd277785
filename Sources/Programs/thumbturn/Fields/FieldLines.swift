import ThumbSecrets

/// The lines of a secret with fields. Only names leave the locked memory.
struct FieldLines {
    /// How the first line begins, before the number of the form's version.
    static let head = "thumbturn fields "
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    private static let colon = UInt8(ascii: ":")
    private static let longestName = 64
    /// A version has one digit so far. A line with more is no head of ours.
    private static let longestVersion = 4

    private let contents: SecretBytes
    private var place = 0

    init(_ contents: SecretBytes) { self.contents = contents }

    /// Where the next line is, without its line feed; nil at the end.
    mutating func next() -> Range<Int>? {
        guard place < contents.count else { return nil }
        let start = place
        while place < contents.count, contents[place] != Self.lineFeed { place += 1 }
        defer { place += 1 }
        return start..<place
    }

    /// The version that a first line names; nil if the line is another.
    func version(_ line: Range<Int>) -> String? {
        let head = Array(Self.head.utf8)
        let digits = line.count - head.count
        guard (1...Self.longestVersion).contains(digits),
            head.indices.allSatisfy({ contents[line.lowerBound + $0] == head[$0] })
        else { return nil }
        let version = contents.plainBytes(in: line.upperBound - digits..<line.upperBound)
        guard version.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return String(decoding: version, as: UTF8.self)
    }

    /// The name in a line, and where the first line of its value is; nil if the line isn't a field.
    func field(_ line: Range<Int>) -> (name: String, value: Range<Int>)? {
        guard let colon = line.prefix(Self.longestName + 1).first(where: { contents[$0] == Self.colon }) else { return nil }
        // Names aren't secret; nothing else is copied, because a wrong line may be a secret.
        guard (line.lowerBound..<colon).allSatisfy({ Self.isNameByte(contents[$0]) }), colon > line.lowerBound else { return nil }
        let name = contents.plainBytes(in: line.lowerBound..<colon)
        var start = colon + 1
        if start < line.upperBound, contents[start] == Self.space { start += 1 }
        return (String(decoding: name, as: UTF8.self), start..<line.upperBound)
    }

    static func isName(_ name: some Collection<UInt8>) -> Bool {
        (1...longestName).contains(name.count) && name.allSatisfy(isNameByte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    static func lineFeeds(in value: SecretBytes) -> Int {
        (0..<value.count).count { value[$0] == lineFeed }
    }
}

/// Writes secrets one after the other into locked memory that has room for them. It must not outlive that memory.
@safe struct SecretWriter {
    private let room: UnsafeMutableRawBufferPointer
    private var place = 0

    @unsafe init(_ room: UnsafeMutableRawBufferPointer) { unsafe self.room = room }

    mutating func add(_ byte: UInt8) {
        unsafe room[place] = byte
        place += 1
    }

    mutating func add(_ secret: SecretBytes, _ range: Range<Int>) {
        unsafe secret.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(rebasing: room[place..<place + range.count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range]))
        }
        place += range.count
    }
}
