import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

@testable import thumbturn

@Suite("Secrets that are made up")
struct GeneratedSecretTests {
    /// Every value of two bytes once, in order, and then nothing.
    private final class Everything {
        struct Exhausted: Error {}
        private var next = 0

        func bytes(_ count: Int) throws -> SecretBytes {
            guard next < 2 * EvenDraw.values else { throw Exhausted() }
            defer { next += count }
            return try SecretBytes(
                copying: (next..<next + count).map { UInt8(truncatingIfNeeded: $0.isMultiple(of: 2) ? $0 >> 9 : $0 >> 1) })
        }
    }

    @Test(
        "Each number is as likely as every other, whatever it is drawn of",
        arguments: [1, 2, 10, 16, 52, 57, 62, 94, 100, 255, 256, 257, 2047, 2048, 40_000, EvenDraw.values])
    func even(_ count: Int) {
        let source = Everything()
        var draw = EvenDraw(from: source.bytes)
        var drawn = [Int](repeating: 0, count: count)
        do { while true { drawn[try draw.below(count)] += 1 } } catch { #expect(error is Everything.Exhausted) }
        #expect(Set(drawn) == [EvenDraw.values / count])
    }

    @Test("The alphabets have the characters that their names say, each once")
    func alphabets() {
        let counts = GeneratedSecret.Alphabet.allCases.map { ($0.rawValue, $0.characters.count) }
        let expected = [("all", 94), ("alphanumeric", 62), ("readable", 57), ("letters", 52), ("digits", 10), ("hex", 16)]
        #expect(counts.elementsEqual(expected, by: ==))
        for alphabet in GeneratedSecret.Alphabet.allCases {
            #expect(Set(alphabet.characters).count == alphabet.characters.count)
            #expect(alphabet.characters.allSatisfy { (0x21...0x7e).contains($0) })
        }
    }

    @Test("The words are those of the list, byte for byte")
    func list() throws {
        #expect(WordList.words.count == 2048)
        // As the list's own file has them: one a line.
        let file: [UInt8] = WordList.words.flatMap { $0 + [0x0a] }
        let digest = try HashFunction.sha256.hash(file).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(digest == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda")
        #expect(Set(WordList.words.map { $0.prefix(4) }).count == 2048)
    }

    @Test("A secret has as many characters or words as were asked for, and which ones the source alone decides")
    func made() throws {
        func text(_ form: GeneratedSecret) throws -> String {
            let secret = try form.make(EvenDraw(from: Everything().bytes))
            return secret.plainText(in: 0..<secret.count) ?? ""
        }
        #expect(try text(.characters(.digits, 12)) == "012345678901")
        #expect(try text(.characters(.hex, 17)) == "0123456789abcdef0")
        #expect(try text(.characters(.all, 1)) == "!")
        #expect(try text(.words(3)) == "abandon-ability-able")
        #expect(try text(.words(64)).split(separator: "-").count == 64)
        for _ in 0..<20 {
            #expect(try GeneratedSecret.characters(.all, 1024).make().count == 1024)
            let words = try GeneratedSecret.words(7).make()
            #expect(words.plainText(in: 0..<words.count)?.split(separator: "-").count == 7)
        }
    }

    @Test("Where there is no randomness there is no secret")
    func refused() {
        struct Dry: Error {}
        let dry = EvenDraw { _ in throw Dry() }
        #expect(throws: Dry.self) { try GeneratedSecret.characters(.all, 24).make(dry) }
        #expect(throws: Dry.self) { try GeneratedSecret.words(6).make(dry) }
    }
}
