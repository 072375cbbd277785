import Testing
import ThumbSecrets
import thumbturn_test_programs

@testable import thumbturn

@Suite("Secrets with fields")
struct FieldsTests {
    private static func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: text.utf8) }

    private static func values(_ contents: SecretBytes) throws -> [String: [UInt8]] {
        let fields = try Fields(contents)
        var values: [String: [UInt8]] = [:]
        for name in fields.names {
            let value = try #require(try fields.value(of: name))
            values[name] = value.plainBytes(in: 0..<value.count)
        }
        return values
    }

    @Test("The form is the one that is written down")
    func form() throws {
        let contents = try Fields.contents([
            ("username", Self.secret("anna")), ("password", Self.secret("hunter2")),
            ("note", Self.secret("the first line\nthe second")),
            ("empty", Self.secret("")), ("spaced", Self.secret(" a: b\n\n c\n")),
        ])
        #expect(
            contents.plainText(in: 0..<contents.count) == """
                thumbturn fields 1
                username: anna
                password: hunter2
                note: the first line
                 the second
                empty:\u{20}
                spaced:  a: b
                \u{20}
                  c
                \u{20}

                """)
        let fields = try Fields(contents)
        #expect(fields.names == ["username", "password", "note", "empty", "spaced"])
        #expect(try fields.value(of: "spaced") == Self.secret(" a: b\n\n c\n"))
        #expect(try fields.value(of: "empty")?.isEmpty == true)
        #expect(try fields.value(of: "Username") == nil)
    }

    @Test(
        "What an editor leaves of it is read as it is meant",
        arguments: [
            ("thumbturn fields 1\na: b", ["a": "b"]), ("thumbturn fields 1\na:b\n\n\n", ["a": "b"]),
            ("thumbturn fields 1\n\na: b\n\nc:\n", ["a": "b", "c": ""]), ("thumbturn fields 1\na: b\n\n c\n\n", ["a": "b\n\nc"]),
            ("thumbturn fields 1", [:]), ("thumbturn fields 1\n", [:]), ("thumbturn fields 1\na:  b\n", ["a": " b"]),
            ("thumbturn fields 1\na: b\r\n", ["a": "b\r"]), ("thumbturn fields 1\na: b: c\n", ["a": "b: c"]),
        ])
    func lenient(_ text: String, _ expected: [String: String]) throws {
        #expect(try Self.values(Self.secret(text)) == expected.mapValues { Array($0.utf8) })
    }

    @Test(
        "What isn't of this form is refused, and it is said which line it is",
        arguments: [
            ("", .none), ("hunter2", .none), ("thumbturn fields", .none), ("thumbturn fields \na: b", .none),
            ("thumbturn fields 1 \na: b", .none), ("\nthumbturn fields 1\n", .none), (" thumbturn fields 1\n", .none),
            ("thumbturn fields x\na: b", .none), ("thumbturn fields 12345\n", .none), ("thumbturn fields 2\na: b", .newer),
            ("thumbturn fields 1234\n", .newer), ("thumbturn fields 1\nhunter2\n", .line(2)),
            ("thumbturn fields 1\n: b\n", .line(2)),
            ("thumbturn fields 1\na b: c\n", .line(2)), ("thumbturn fields 1\n b\n", .line(2)),
            ("thumbturn fields 1\na: b\nä: c\n", .line(3)), ("thumbturn fields 1\na: b\n\nc: d\na: e\n", .line(5)),
        ] as [(String, Fields.Problem)])
    func refused(_ text: String, _ problem: Fields.Problem) throws {
        let contents = try Self.secret(text)
        #expect(throws: problem) { try Fields(contents) }
    }

    @Test("A name has at most 64 characters, and a secret at most 256 fields")
    func limits() throws {
        let long = String(repeating: "n", count: 64)
        #expect(Fields.isName(long) && !Fields.isName(long + "n") && !Fields.isName("") && Fields.isName("a.b_c-D9"))
        for name in ["a b", "a:", "a/b", "ä", "a\n", "{", "a?"] { #expect(!Fields.isName(name)) }
        #expect(try Self.values(Self.secret("thumbturn fields 1\n\(long): b")) == [long: [0x62]])
        #expect(throws: Fields.Problem.line(2)) { try Fields(Self.secret("thumbturn fields 1\n\(long)n: b")) }
        let most = try (0..<Fields.most).map { (name: "f\($0)", value: try Self.secret("\($0)")) }
        let contents = try Fields.contents(most)
        #expect(try Self.values(contents).count == Fields.most)
        let more = try most + [(name: "more", value: Self.secret("x"))]
        #expect(throws: Fields.Problem.tooMany) { try Fields.contents(more) }
        #expect(throws: Fields.Problem.tooMany) { try Fields(contents).replacing([(name: "more", value: Self.secret("x"))]) }
        let text = try #require(contents.plainText(in: 0..<contents.count))
        #expect(throws: Fields.Problem.tooMany) { try Fields(Self.secret(text + "more: x\n")) }
    }

    @Test("A field is replaced where it stands, a new one comes last, and the others keep every byte")
    func replacing() throws {
        let old = try Fields(Self.secret("thumbturn fields 1\na: one\n two\nb: three\nc:  four\n"))
        let new = try old.replacing([("d", Self.secret("five\n")), ("b", Self.secret("x\ny"))])
        #expect(new.plainText(in: 0..<new.count) == "thumbturn fields 1\na: one\n two\nb: x\n y\nc:  four\nd: five\n \n")
    }

    @Test("Whatever bytes the values are, they are read as they were written")
    func roundTrip() throws {
        var dice = Dice(for: "bytes as values of fields")
        var tried = 0
        for _ in 0..<300 {
            // Mostly bytes that mean something.
            let bytes = Array("\n\n\n  ::\r\u{0}ab".utf8) + [0xff]
            let fields = try (0..<dice.roll(6)).map { number in
                let value = (0..<dice.roll(20)).map { _ in bytes[dice.roll(bytes.count)] }
                return (name: "f\(number)", value: try SecretBytes(copying: value))
            }
            let read = try Self.values(Fields.contents(fields))
            for (name, value) in fields {
                #expect(read[name] == value.plainBytes(in: 0..<value.count))
                tried += 1
            }
            #expect(read.count == fields.count)
        }
        #expect(tried > 300)
    }

    @Test("Any bytes at all are fields or a refusal")
    func anything() throws {
        var dice = Dice(for: "bytes as secrets with fields")
        let bytes = Array("\n\n  ::ab.9\u{0}".utf8) + [0xff]
        var (good, bad) = (0, 0)
        for _ in 0..<2000 {
            let rest = (0..<dice.roll(24)).map { _ in bytes[dice.roll(bytes.count)] }
            do {
                let fields = try Fields(SecretBytes(copying: Array("thumbturn fields 1\n".utf8) + rest))
                for name in fields.names { _ = try #require(try fields.value(of: name)) }
                // What was read is written so that it is read alike.
                let again = try Fields(fields.replacing([]))
                #expect(again.names == fields.names)
                for name in fields.names { #expect(try again.value(of: name) == fields.value(of: name)) }
                good += 1
            } catch is Fields.Problem {
                bad += 1
            }
        }
        #expect(good > 0 && bad > 0)
    }
}

@Suite("References to secrets")
struct SecretReferenceTests {
    @Test(
        "A reference names a secret, its field and its account",
        arguments: [
            ("thumbturn://mail", "mail", nil, nil), ("thumbturn://mail/username", "mail", "username", nil),
            ("thumbturn://mail?account=anna", "mail", nil, "anna"),
            ("thumbturn://mail/a.b_c-9?account=a%20b", "mail", "a.b_c-9", "a b"),
            ("thumbturn://https:%2F%2Fexample.org%2fa/password", "https://example.org/a", "password", nil),
            ("thumbturn://caf%C3%A9%3f%23%25%7B%7d", "café?#%{}", nil, nil),
            ("thumbturn://me@example.org=b&c", "me@example.org=b&c", nil, nil),
            ("thumbturn://café", "café", nil, nil),
        ] as [(String, String, String?, String?)])
    func understood(_ text: String, _ name: String, _ field: String?, _ account: String?) throws {
        let reference = try #require(SecretReference(text))
        #expect(reference.wanted.name == name && reference.wanted.account == account && reference.field == field)
    }

    @Test(
        "What isn't a reference is none",
        arguments: [
            "", "mail", "thumbturn:/mail", "thumbturn://", "thumbturn:///username", "thumbturn://mail/", "thumbturn://mail/a/b",
            "thumbturn://mail/us er", "thumbturn://ma il", "thumbturn://mail?account=", "thumbturn://mail?",
            "thumbturn://mail?user=a", "thumbturn://mail?account=a?b", "thumbturn://mail#x", "thumbturn://ma%2",
            "thumbturn://ma%zz",
            "thumbturn://%ff", "thumbturn://ma}il", "thumbturn://mail?account=a/b", "THUMBTURN://mail", "thumbturn://mail\n",
        ])
    func refused(_ text: String) { #expect(SecretReference(text) == nil) }
}
