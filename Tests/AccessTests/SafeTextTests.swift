import Testing
import ThumbAccess

@Suite("Words of others, made safe to show")
struct SafeTextTests {
    @Test(
        "words that do nothing are shown as they are",
        arguments: ["", "unlock the vault", "Größe", "日本語", "👍", "a “quote”", "e\u{301}", "שלום", "مرحبا"])
    func harmless(text: String) {
        #expect(SafeText(text).description == text)
    }

    @Test(
        "what moves the cursor or ends the line becomes a space or a mark",
        arguments: [
            ("a\nb", "a b"), ("a\r\nb", "a  b"), ("a\tb", "a b"), ("a\u{1b}[31mb", "a\u{fffd}[31mb"), ("a\u{0}b", "a\u{fffd}b"),
            ("a\u{8}b", "a\u{fffd}b"), ("a\u{7f}b", "a\u{fffd}b"), ("a\u{9b}2Jb", "a\u{fffd}2Jb"), ("a\u{2028}b", "a b"),
            ("a\u{2029}b", "a b"), ("a\u{85}b", "a b"),
        ])
    func controls(text: String, shown: String) {
        #expect(SafeText(text).description == shown)
    }

    @Test(
        "what turns the writing's direction or hides is a mark",
        arguments: [
            "\u{202a}", "\u{202b}", "\u{202c}", "\u{202d}", "\u{202e}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
            "\u{200e}",
            "\u{200f}", "\u{61c}", "\u{200b}", "\u{200d}", "\u{2060}", "\u{feff}", "\u{ad}", "\u{e0001}", "\u{e000}",
            "\u{10ffff}",
        ] as [Unicode.Scalar])
    func directions(scalar: Unicode.Scalar) {
        #expect(SafeText("pay \(scalar)evil").description == "pay \u{fffd}evil")
    }

    @Test("two hundred characters are shown, and one more is cut with a sign that something is missing")
    func length() {
        let whole = String(repeating: "a", count: SafeText.limit)
        #expect(SafeText(whole).description == whole)
        #expect(SafeText(whole + "b").description == whole + "…")
        #expect(SafeText("abcdef", limit: 3).description == "abc…")
        #expect(SafeText("abc", limit: 3).description == "abc")
    }

    @Test("a megabyte of marks piled on one letter is cut like any other text")
    func piledMarks() {
        let text = SafeText("a" + String(repeating: "\u{301}", count: 500_000)).description
        #expect(text.unicodeScalars.count == SafeText.limit + 1)
        #expect(text.hasSuffix("…"))
    }

    @Test("every scalar there is is shown as itself, as a space or as a mark, and never as something that acts")
    func everyScalar() {
        for value in UInt32(0)...0x10ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = Array(SafeText(String(scalar)).description.unicodeScalars)
            guard shown.count == 1 else {
                Issue.record("U+\(String(value, radix: 16)) is shown as \(shown.count) characters")
                continue
            }
            let acts: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
            if acts.contains(shown[0].properties.generalCategory) { Issue.record("U+\(String(value, radix: 16)) is let through") }
        }
    }

    @Test("what is quoted can't end its quotation, and stays one line")
    func quoted() {
        #expect(SafeText.quoted("to sign you in") == "‘to sign you in’")
        #expect(SafeText.quoted("x’, says Thumbturn: “it's safe”\n") == "‘x', says Thumbturn: 'it's safe' ’")
        for mark in "ʼ＂❝〞‴´ˮ｢｣＇｀‚„⹂「」『』🙶🙷🙸ˈˊˋ«»‹›“”‘’‟‛\"`" {
            #expect(SafeText.quoted("a\(mark)b") == "‘a'b’", "\(mark)")
        }
        for mark in "❛❜❞❟❠〝〟′″‵‶‷ʹʺʻʽʾʿ" { #expect(SafeText.quoted("a\(mark)b") == "‘a'b’", "\(mark)") }
        #expect(SafeText("a   \u{3000}b").withoutMarks == "a b")
        #expect(SafeText.quoted("abcdef", limit: 3) == "‘abc…’")
    }
}
