import ThumbSecrets

/// A secret that is made up, character by character or word by word.
enum GeneratedSecret: Sendable {
    case characters(Alphabet, Int)
    case words(Int)

    /// What the characters are drawn from.
    enum Alphabet: String, Sendable, CaseIterable {
        case all, alphanumeric, readable, letters, digits, hex

        var characters: [UInt8] {
            switch self {
            // All of ASCII that can be seen: 94 characters.
            case .all: Array(0x21...0x7e)
            case .alphanumeric: Self.letters.characters + Self.digits.characters
            // Without those that are easily taken for another.
            case .readable: Self.alphanumeric.characters.filter { !"0O1Il".utf8.contains($0) }
            case .letters: Array(UInt8(ascii: "A")...UInt8(ascii: "Z")) + Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
            case .digits: Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
            case .hex: Self.digits.characters + Array(UInt8(ascii: "a")...UInt8(ascii: "f"))
            }
        }
    }

    private static let hyphen = UInt8(ascii: "-")

    /// Makes one, in locked memory. Fails as `EvenDraw` and locking memory do.
    func make(_ draw: EvenDraw = EvenDraw()) throws -> SecretBytes {
        var draw = draw
        switch self {
        case .characters(let alphabet, let count):
            let characters = alphabet.characters
            return try unsafe SecretBytes(count: count) { room in
                for place in 0..<count { try unsafe room[place] = characters[draw.below(characters.count)] }
            }
        case .words(let count):
            let words = WordList.words
            // Each with a hyphen; the last hyphen isn't used.
            return try unsafe SecretBytes(filling: count * ((words.map(\.count).max() ?? 0) + 1)) { room in
                var place = 0
                for number in 0..<count {
                    for byte in try (number == 0 ? [] : [Self.hyphen]) + words[draw.below(words.count)] {
                        unsafe room[place] = byte
                        place += 1
                    }
                }
                return place
            }
        }
    }
}
