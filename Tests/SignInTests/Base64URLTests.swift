import Testing
import ThumbSignIn

@Suite("Base64url")
struct Base64URLTests {
    // RFC 4648, section 10, in the alphabet of section 5 and without padding.
    @Test(
        "Bytes and their text are each other's",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func bothWays(bytes: String, text: String) {
        #expect(Base64URL.encoded(Array(bytes.utf8)) == text)
        #expect(Base64URL.decoded(text) == Array(bytes.utf8))
    }

    @Test("Every byte comes back, and the two letters of this alphabet are in use")
    func everyByte() {
        let bytes = (0...255).map { UInt8($0) }
        let text = Base64URL.encoded(bytes)
        #expect(Base64URL.decoded(text) == bytes)
        #expect(text.contains("-") && text.contains("_"))
    }

    @Test(
        "A text that isn't the one form of its bytes is none",
        arguments: [
            "A", "AAAAA", "Zg==", "Zg=", "Zm8=", "Z", "Zm9vY", "Zh", "Zm9", "Zm+v", "Zm/v", "Zm 9v", "Zm9v\n", "Zm9v\r\n", "Zm9é",
            "Zm9v\0",
            "=", " ",
        ])
    func otherForms(text: String) {
        #expect(Base64URL.decoded(text) == nil)
    }

    @Test("32 bytes are 43 characters, of which the last has no bits left over")
    func digests() throws {
        let text = String(repeating: "A", count: 43)
        #expect(Digest32(text: text)?.text == text)
        #expect(Digest32(text: text.dropLast()) == nil)
        #expect(Digest32(text: text + "A") == nil)
        let last = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_").filter {
            Digest32(text: text.dropLast() + String($0)) != nil
        }
        #expect(last == Set("AEIMQUYcgkosw048"))
    }
}
