import Testing
import ThumbAccess

@Suite("Base64")
struct Base64Tests {
    // RFC 4648, section 10; in the alphabet of section 5 without padding.
    private static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test("Bytes and their text are each other's, with padding and without")
    func bothWays() {
        #expect(Self.vectors.count == 7)
        for (bytes, text) in Self.vectors {
            #expect(Base64.padded.encoded(Array(bytes.utf8)) == text)
            #expect(Base64.padded.decoded(text) == Array(bytes.utf8))
            let bare = text.filter { $0 != "=" }
            #expect(Base64.url.encoded(Array(bytes.utf8)) == bare)
            #expect(Base64.url.decoded(bare) == Array(bytes.utf8))
        }
    }

    @Test("Every byte comes back, at every place of a group", arguments: [Base64.padded, .url], 0..<3)
    func everyByte(form: Base64, offset: Int) {
        let bytes = [UInt8](repeating: 0, count: offset) + (0...255).map { UInt8($0) }
        let text = form.encoded(bytes)
        #expect(form.decoded(text) == bytes)
        #expect(form.decoded(Array(text.utf8)) == bytes)
    }

    @Test("The two alphabets differ in two letters, and neither reads the other's")
    func alphabets() {
        #expect(Base64.padded.encoded([0xfb, 0xff, 0xbf]) == "+/+/")
        #expect(Base64.url.encoded([0xfb, 0xff, 0xbf]) == "-_-_")
        #expect(Base64.padded.decoded("-_-_") == nil)
        #expect(Base64.url.decoded("+/+/") == nil)
    }

    @Test(
        "A text that isn't the one form of its bytes is none",
        arguments: [
            "A", "AAAAA", "Zg", "Zg=", "Zm8", "Z===", "====", "=", "Zh==", "Zm9=", "Zm9v=g==", "Zm9*", "Zm9vYg===", "Zg==Zg==",
            "Zm 9v", "Zm9v\n", "Zm9é", "Zm9v\0", " ",
        ])
    func otherForms(text: String) {
        #expect(Base64.padded.decoded(text) == nil)
    }
}
