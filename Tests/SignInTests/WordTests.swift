import Testing
import ThumbSignIn

@Suite("Words of signing in")
struct WordTests {
    @Test("An origin is made of its parts as it is read, without the scheme's own port")
    func parts() {
        #expect(Origin(isSecure: true, host: "bank.example", port: 443)?.text == "https://bank.example")
        #expect(Origin(isSecure: true, host: "bank.example", port: 80)?.text == "https://bank.example:80")
        #expect(Origin(isSecure: false, host: "127.0.0.1", port: 8470)?.text == "http://127.0.0.1:8470")
        #expect(Origin(isSecure: false, host: "[::1]", port: 80)?.text == "http://[::1]")
        #expect(Origin(isSecure: false, host: "[::1]", port: 443)?.text == "http://[::1]:443")
    }

    @Test(
        "Parts that make no origin make none",
        arguments: [
            (true, "BANK.example", 443), (true, "", 443), (true, "::1", 443), (true, "a/b", 443), (true, "a:1", 443),
            (true, "a:1", 8443),
            (true, "a", 0),
            (false, "bank.example", 80), (false, "0.0.0.0", 8470), (false, "[::]", 8470),
        ] as [(Bool, String, UInt16)])
    func noParts(isSecure: Bool, host: String, port: UInt16) {
        #expect(Origin(isSecure: isSecure, host: host, port: port) == nil)
    }

    @Test("An account is 1 to 128 visible characters of ASCII")
    func accounts() {
        #expect(AccountName("") == nil)
        #expect(AccountName("a")?.text == "a")
        #expect(AccountName(String(repeating: "a", count: 128)) != nil)
        #expect(AccountName(String(repeating: "a", count: 129)) == nil)
        for byte in UInt8.min...0x7F {
            #expect((AccountName("a\(Character(Unicode.Scalar(byte)))") != nil) == (0x21...0x7E).contains(byte))
        }
        for text in ["é", "e\u{301}", "\u{430}", "\u{200B}", "\u{202E}a", "ａ"] { #expect(AccountName(text) == nil) }
    }

    @Test("A challenge is 32 bytes")
    func challenges() {
        #expect(Challenge([UInt8](repeating: 1, count: 31)) == nil)
        #expect(Challenge([UInt8](repeating: 1, count: 33)) == nil)
        let challenge = Challenge([UInt8](repeating: 0xFB, count: 32))
        #expect(challenge.flatMap { Challenge(text: $0.text) } == challenge)
        #expect(challenge?.text.utf8.count == 43)
    }

    @Test("A device's name is 1 to 64 characters without control characters")
    func names() {
        #expect(!DeviceWords.isName(""))
        #expect(DeviceWords.isName("x"))
        #expect(DeviceWords.isName("Annas Läptop 🙂"))
        #expect(DeviceWords.isName(String(repeating: "ü", count: 64)))
        #expect(!DeviceWords.isName(String(repeating: "ü", count: 65)))
        // Counted as JSON's schema counts: what is drawn as one letter may be many.
        #expect(!DeviceWords.isName("e" + String(repeating: "\u{301}", count: 64)))
        for text in ["a\n", "\0", "a\u{7F}b", "\u{9B}", "\u{1B}[2J", "\t"] { #expect(!DeviceWords.isName(text)) }
    }

    @Test("What is said of a protection is at most 256 bytes without control characters, and may be nothing")
    func protections() {
        #expect(DeviceWords.isProtection(""))
        #expect(DeviceWords.isProtection(String(repeating: "ü", count: 128)))
        #expect(!DeviceWords.isProtection(String(repeating: "ü", count: 128) + "x"))
        #expect(!DeviceWords.isProtection("a\nb"))
    }

    @Test("Every refusal has a code of its own, in the form that clients read")
    func codes() {
        #expect(Set(SignInRefusal.allCases.map(\.rawValue)).count == SignInRefusal.allCases.count)
        for refusal in SignInRefusal.allCases {
            #expect(refusal.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D })
        }
    }
}
