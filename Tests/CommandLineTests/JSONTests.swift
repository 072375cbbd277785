import Foundation
import Testing
import ThumbSecrets

@testable import thumbturn

@Suite("JSON")
struct JSONTests {
    @Test("Values come out as another reader understands them")
    func values() throws {
        let json = JSON.object([
            ("a", .list([.number(-9_007_199_254_740_991), .flag(true), .flag(false), .null])), ("b", .object([])),
            ("c", .list([])),
            ("d", .optional(nil)), ("é\"\\", .text("x")),
        ])
        let text = try written(json.printed())
        #expect(text.hasSuffix("}\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(Set(object.keys) == ["a", "b", "c", "d", "é\"\\"])
        let list = try #require(object["a"] as? [Any])
        #expect((list[0] as? NSNumber)?.int64Value == -9_007_199_254_740_991)
        #expect(list[1] as? Bool == true)
        #expect(list[3] is NSNull)
    }

    static let texts = [
        "", "plain", "\"\\/", "\n\t\r\u{0}\u{1f}\u{7f}", "\u{85}\u{9b}31m", "é ü 漢 😀 𝕏", "\u{202e}kcab\u{2066}",
        "\u{2028}\u{2029}",
        "\u{fffd}\u{feff}\u{e000}", String(repeating: "long ☃ ", count: 3000),
    ]

    @Test("Every text is read back as it was", arguments: texts)
    func roundTrip(_ text: String) throws {
        for value in [JSON.text(text), .secret(try SecretBytes(copying: text.utf8), .jsonText)] {
            let line = try written(JSON.object([("t", value)]).printed())
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
            #expect(object["t"].map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test("Nothing printed moves a cursor or turns the writing round", arguments: texts)
    func harmless(_ text: String) throws {
        for value in [JSON.text(text), .secret(try SecretBytes(copying: text.utf8), .jsonText)] {
            for scalar in try written(value.printed()).unicodeScalars where scalar != "\n" {
                #expect(![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory))
            }
        }
    }

    @Test("Base64 is what others read", arguments: [0, 1, 2, 3, 4, 3070, 3071, 3072, 3073, 10_000])
    func base64(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 250) }
        let text = try written([.secret(SecretBytes(copying: bytes), .base64)])
        #expect(text == Data(bytes).base64EncodedString())
    }

    @Test("A secret is text only if it is valid UTF-8")
    func validity() throws {
        for text in Self.texts { #expect(UTF8Scalars.areValid(try SecretBytes(copying: text.utf8))) }
        for bytes: [UInt8] in [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0x61, 0x80]] {
            #expect(!UTF8Scalars.areValid(try SecretBytes(copying: bytes)))
        }
    }

    @Test("A terminal is shown plain text alone")
    func showable() throws {
        for text in ["", "two\nlines\twith ☃"] { #expect(UTF8Scalars.areShowable(try SecretBytes(copying: text.utf8))) }
        for text in ["\u{1b}[31m", "\u{9b}31m", "a\0", "\r", "\u{202e}", "\u{7f}"] {
            #expect(!UTF8Scalars.areShowable(try SecretBytes(copying: text.utf8)))
        }
        #expect(!UTF8Scalars.areShowable(try SecretBytes(copying: [0xff])))
    }
}
