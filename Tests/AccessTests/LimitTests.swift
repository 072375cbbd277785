import Testing
import ThumbAccess

@Suite("Limits of what an app may say")
struct LimitTests {
    @Test("a reason of 4 KiB is kept whole, and one byte more is cut below it")
    func reason() {
        let whole = String(repeating: "a", count: QueryLimit.wordsBytes)
        #expect(PromptWords(reason: whole).reason == whole)
        #expect(PromptWords(reason: whole + "b").reason.utf8.count < QueryLimit.wordsBytes)
    }

    @Test("a cut inside a character leaves valid text within the limit", arguments: ["a", "é", "€", "👍"], 0..<4)
    func cut(text: String, shift: Int) {
        let long = String(repeating: "a", count: shift) + String(repeating: text, count: 1 << 18)
        let words = PromptWords(reason: long, fallbackTitle: long, cancelTitle: long)
        for kept in [words.reason, words.fallbackTitle ?? "", words.cancelTitle ?? ""] {
            #expect(kept.utf8.count <= QueryLimit.wordsBytes)
            #expect(long.hasPrefix(kept.dropLast()))
        }
    }

    @Test("no fallback title and an empty one stay apart: the empty one takes the button away")
    func titles() {
        #expect(PromptWords(reason: "r").fallbackTitle == nil)
        #expect(PromptWords(reason: "r", fallbackTitle: "").fallbackTitle == "")
    }

    @Test("one secret with all its attributes fits a frame", arguments: [2 << 20])
    func frame(bytes: Int) {
        #expect(QueryLimit.secretBytes + QueryLimit.attributesBytes + 2 * QueryLimit.attributesBytes < bytes)
        #expect(QueryLimit.attributeBytes <= QueryLimit.attributesBytes)
        #expect(PasscodeLimit.least < PasscodeLimit.most && PasscodeLimit.most <= CredentialLimit.bytes)
    }

    @Test("an attribute's name is four printable letters", arguments: ["acct", "UUID", "a b~"])
    func names(letters: String) throws {
        #expect(try #require(AttributeName(letters)).letters == letters)
    }

    @Test("anything else is no attribute's name", arguments: ["", "abc", "abcde", "ab\nc", "é12", "ab\u{7f}c"])
    func wrongNames(letters: String) {
        #expect(AttributeName(letters) == nil)
    }

    @Test("11: text and data of the same bytes are the same value to compare, and case isn't folded")
    func comparing() {
        #expect(AttributeValue.text("é").comparable == AttributeValue.data(Array("é".utf8)).comparable)
        #expect(AttributeValue.text("e\u{301}").comparable != AttributeValue.text("é").comparable)
        #expect(AttributeValue.text("A").comparable != AttributeValue.text("a").comparable)
        #expect(AttributeValue.flag(true).comparable == AttributeValue.number(1).comparable)
    }
}
