import Foundation
import Testing
import ThumbJSON
import ThumbSignIn

@testable import ThumbSignInServer

@Suite("JSON, read strictly")
struct JSONTests {
    /// What was read, or nil where it was refused.
    private func read(_ bytes: [UInt8]) -> [[UInt8]: [UInt8]?]? {
        guard let object = try? JSONObject(bytes.span) else { return nil }
        return Dictionary(
            uniqueKeysWithValues: object.members.map { name, value in
                guard case .text(let range, let hasEscapes) = value else { return (name, nil) }
                return (name, JSONText.decoded(bytes.span, range, hasEscapes: hasEscapes))
            })
    }

    private func read(_ text: String) -> [[UInt8]: [UInt8]?]? { read(Array(text.utf8)) }

    @Test(
        "An object is read",
        arguments: [
            "{}", " {\t}\r\n", #"{"a":"b"}"#, #"{"":""}"#, #"{"a":"b","c":"d"}"#, #"{"a":null,"b":true,"c":false}"#,
            #"{"a":0,"b":-0,"c":10.25,"d":1e5,"e":1E-5,"f":-1.5e+20,"g":123456789012345678901234567890}"#,
            #"{"a":[],"b":{},"c":[1,[2,[3]]]}"#, #"{"a":"\"\\\/\b\f\n\r\té😀"}"#, #"{"ä":"é 😀"}"#, #"{"a":"\u0000"}"#,
        ])
    func right(text: String) { #expect(read(text) != nil) }

    @Test(
        "What isn't one object is refused",
        arguments: [
            "", " ", "{", "}", "[]", "null", "1", "\"a\"", "{}{}", "{} x", #"{"a"}"#, #"{"a":}"#, #"{"a":"b",}"#, #"{,}"#,
            #"{a:"b"}"#,
            #"{'a':"b"}"#, #"{"a":"b" "c":"d"}"#, #"{"a":"b"#, #"{"a":"b}"#, "{\"a\":\"\n\"}", "{\"a\":\"\t\"}", "\u{FEFF}{}",
            #"{"a":01}"#, #"{"a":+1}"#, #"{"a":.5}"#, #"{"a":1.}"#, #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":-}"#, #"{"a":0x1}"#,
            #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":tru}"#, #"{"a":True}"#, #"{"a":nulll}"#, #"{"a":[1,]}"#, #"{"a":[1 2]}"#,
            #"{"a":[}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12G4"}"#, #"{"a":"\uD800"}"#, #"{"a":"\uDC00"}"#,
            #"{"a":"\uD800A"}"#, #"{"a":"\uD800\uD800"}"#, #"{"a":"\"}"#, #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#,
            #"{"b":{"a":1,"a":2}}"#, "{\"a\":\"b\"}\0", #"/**/{}"#, #"{"a":"b"//"#,
        ])
    func wrong(text: String) { #expect(read(text) == nil) }

    @Test("Escapes mean what they mean")
    func escapes() {
        let read = read(#"{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\u0000"}"#)
        #expect(read?[Array("a".utf8)] == Array("\"\\/\u{8}\u{C}\n\r\t\u{e9}\u{1F600}\0".utf8))
    }

    @Test("Four objects and arrays within one another are read, five are refused")
    func nesting() {
        #expect(read(#"{"a":[[[]]]}"#) != nil)
        #expect(read(#"{"a":[[[[]]]]}"#) == nil)
        #expect(read(#"{"a":{"a":{"a":{}}}}"#) != nil)
        #expect(read(#"{"a":{"a":{"a":{"a":{}}}}}"#) == nil)
    }

    @Test(
        "Text that isn't UTF-8 in its shortest form is refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func encoding(bytes: [UInt8]) {
        #expect(read(Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)) == nil)
        #expect(read(Array("{\"".utf8) + bytes + Array("\":\"\"}".utf8)) == nil)
        // Between values no letter beyond ASCII may stand at all.
        #expect(read(Array("{".utf8) + bytes + Array("}".utf8)) == nil)
    }

    @Test("Every change of one byte, every loss and every doubling of one is refused, or read as another reader reads it")
    func mutations() throws {
        let seed = Array(#"{"account":"a\u00e9é\n","n":[-1.5e3,{"x":null}], "purpose":"😀","t":true}"#.utf8)
        var (same, refused) = (0, 0)
        func look(_ bytes: [UInt8]) throws {
            guard let ours = read(bytes) else {
                refused += 1
                return
            }
            // What we take, Foundation takes, and understands the same.
            let theirs = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            let texts = try #require(theirs)
            #expect(texts.count == ours.count)
            for (name, value) in ours {
                let other = texts[String(decoding: name, as: UTF8.self)]
                #expect(value == (other as? String).map { Array($0.utf8) })
            }
            same += 1
        }
        for index in seed.indices {
            for value in UInt8.min...UInt8.max where value != seed[index] {
                var bytes = seed
                bytes[index] = value
                try look(bytes)
            }
            var bytes = seed
            bytes.remove(at: index)
            try look(bytes)
            bytes = seed
            bytes.insert(seed[index], at: index)
            try look(bytes)
            try look(Array(seed[..<index]))
        }
        try look(seed)
        // Neither is nearly all: then it would have tried nothing.
        #expect(same > 1000)
        #expect(refused > 1000)
    }

    @Test("What is written is read back", arguments: ["", "a", "\"\\\n\u{1}\u{7F}é😀"])
    func written(text: String) {
        var json = JSONWriter()
        json.add("name", text)
        json.add("number", Int64.min)
        json.add("is", false)
        json.add("list", [Array("{}".utf8), Array("{}".utf8)])
        let read = read(json.ended())
        #expect(read?.count == 4)
        #expect(read?[Array("name".utf8)] == Array(text.utf8))
    }
}
