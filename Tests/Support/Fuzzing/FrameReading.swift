import ThumbAccess
import ThumbConversation
import ThumbSecrets

/// How a role takes its word from a frame.
typealias Taking = @Sendable (Frame) throws(Refusal) -> any Word

/// A role's set of words as a function to its word.
func taking<Words>(_ take: @escaping @Sendable (Frame) throws(Refusal) -> Words) -> Taking {
    { (frame: Frame) throws(Refusal) -> any Word in
        // Every case of a set has its word, and nothing else.
        Mirror(reflecting: try take(frame)).children.first!.value as! any Word
    }
}

/// Reads a frame in some roles, and writes and reads again what was taken.
struct FrameReading: Sendable {
    /// The sets of words of the roles.
    let roles: [Taking]
    /// The types of words that no role's set has.
    let alone: @Sendable (WordKind) -> (any Word.Type)?
    /// The field of a word that the planted bug looks at.
    let field: @Sendable (any Word) -> [UInt8]?

    func read(_ bytes: [UInt8]) throws(Wrong) -> [UInt8]? {
        let body = secret(bytes)
        let frame = try accepted { () throws(Refusal) -> Frame in
            try Frame(body)
        } or: {
            $0 == .malformed || $0 == .unknownKind
        }
        guard let frame else { return nil }
        try must(frame.count == bytes.count, "a frame of \(bytes.count) bytes says that it has \(frame.count)")
        var found: [UInt8]?
        for word in try words(of: frame) {
            try check(word, frame.call, bytes.count)
            found = field(word) ?? found
        }
        return found
    }

    /// The frame's word as each role takes it, and as its kind has it.
    private func words(of frame: Frame) throws(Wrong) -> [any Word] {
        var words: [any Word] = []
        for take in roles {
            let word = try accepted { () throws(Refusal) -> any Word in
                try take(frame)
            } or: {
                $0 == .malformed || $0 == .unknownKind || $0 == .notAllowedInThisRole
            }
            if let word { words.append(word) }
        }
        if let type = alone(frame.kind) {
            let word = try accepted { () throws(Refusal) -> any Word in
                try Self.word(type, frame)
            } or: {
                $0 == .malformed
            }
            if let word { words.append(word) }
        }
        return words
    }

    /// A word must be said again in as many bytes, and be read from these as the same word.
    private func check(_ word: any Word, _ call: UInt32, _ count: Int) throws(Wrong) {
        let said = word.frame(call: call).body
        try must(said.count == count, "\(word) was read from \(count) bytes and is said in \(said.count)")
        let again = try accepted { () throws(Refusal) -> any Word in
            try Self.word(type(of: word), Frame(secret(said)))
        } or: { _ in
            false
        }
        try must(again?.frame(call: call).body == said, "\(word) isn't read again as it was said")
        try must(again?.isLast == word.isLast, "\(word) is the last word only sometimes")
    }

    private static func word(_ type: any Word.Type, _ frame: Frame) throws(Refusal) -> any Word { try frame.word(type) }
}

extension EncodedFrame {
    /// The frame without its length, as a reader gets it.
    var body: [UInt8] {
        var bytes: [UInt8] = []
        var start = 0
        for (place, secret) in secrets {
            bytes += plain[start..<place]
            bytes += secret.plain
            start = place
        }
        bytes += plain[start...]
        return Array(bytes.dropFirst(4))
    }
}

extension [any Word] {
    /// Each word's frame, as a seed.
    var seeds: [[UInt8]] { map { $0.frame(call: 7).body } }
}
