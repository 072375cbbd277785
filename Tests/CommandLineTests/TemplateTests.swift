import Testing

@testable import thumbturn

@Suite("Templates")
struct TemplateTests {
    /// The parts of a template, with a reference as its secret, field and account in brackets.
    private static func parts(_ text: String) throws -> [String] {
        try Template(text).parts.map {
            switch $0 {
            case .text(let text): text
            case .reference(let reference):
                "[\(reference.wanted.name)|\(reference.field ?? "")|\(reference.wanted.account ?? "")]"
            }
        }
    }

    @Test(
        "References in double braces are found, and everything else is text, byte for byte",
        arguments: [
            ("", []), ("plain\n", ["plain\n"]), ("{{ thumbturn://mail }}", ["[mail||]"]),
            (
                "a={{thumbturn://mail/pin}}\nb={{\tthumbturn://mail?account=me  }}.",
                ["a=", "[mail|pin|]", "\nb=", "[mail||me]", "."]
            ),
            ("{{ .Values.x }} {{thumbturn}} {{ thumbturn:/x }}", ["{{ .Values.x }} {{thumbturn}} {{ thumbturn:/x }}"]),
            ("{{{ thumbturn://a }}}", ["{", "[a||]", "}"]), ("thumbturn://a {thumbturn://a}", ["thumbturn://a {thumbturn://a}"]),
            ("{{ thumbturn://a }}{{ thumbturn://b/c }}", ["[a||]", "[b|c|]"]), ("{{", ["{{"]), ("{{ ", ["{{ "]), ("}}", ["}}"]),
            ("{{ {{ thumbturn://a }} }}", ["{{ ", "[a||]", " }}"]), ("é{{ thumbturn://a }}ü\r\n", ["é", "[a||]", "ü\r\n"]),
            ("{{\nthumbturn://a }}", ["{{\nthumbturn://a }}"]),
        ] as [(String, [String])])
    func parts(_ text: String, _ parts: [String]) throws { #expect(try Self.parts(text) == parts) }

    @Test(
        "A reference that can't be understood is refused with its line",
        arguments: [
            ("{{ thumbturn://a", 1), ("{{ thumbturn://a }", 1), ("x\n\n{{ thumbturn://a\n}}", 3), ("{{ thumbturn:// }}", 1),
            ("{{ thumbturn://a }}\n{{ thumbturn://a/b/c }}", 2), ("{{ thumbturn://a b }}", 1), ("\n{{ thumbturn://a?b }}", 2),
        ])
    func refused(_ text: String, _ line: Int) {
        do throws(Template.Problem) {
            _ = try Template(text)
            Issue.record("it was understood")
        } catch {
            #expect(error.line == line)
        }
    }

    @Test(
        "Of a reference with bytes that have to be escaped it is said how to write it",
        arguments: [
            ("thumbturn://a b", "thumbturn://a%20b"), ("thumbturn://a b/pin?account=c d", "thumbturn://a%20b/pin?account=c%20d"),
            ("thumbturn://{a}#/pin", "thumbturn://%7Ba%7D%23/pin"), ("thumbturn://a%2Fb c", "thumbturn://a%2Fb%20c"),
            ("thumbturn://a/b/c", nil), ("thumbturn://a?b", nil), ("thumbturn://a%", nil), ("thumbturn://a", nil), ("a b", nil),
        ])
    func meant(_ text: String, _ meant: String?) { #expect(SecretReference.meant(by: text) == meant) }

    @Test("The question names four secrets at most, each once, and says how many more there are")
    func words() throws {
        func words(_ text: String) throws -> String {
            OneQuestion.words(
                try Template(text).references.map { SecretName($0.wanted.name, account: $0.wanted.account ?? "") })
        }
        #expect(try words("{{thumbturn://a}}{{thumbturn://a/b}}") == "secret 'a'")
        #expect(try words("{{thumbturn://a}}{{thumbturn://a?account=me}}") == "secrets 'a', 'a' of 'me'")
        let four = "{{thumbturn://a}}{{thumbturn://b}}{{thumbturn://c}}{{thumbturn://d}}"
        #expect(try words(four) == "secrets 'a', 'b', 'c', 'd'")
        #expect(
            try words(four + "{{thumbturn://e}}{{thumbturn://f}}{{thumbturn://e}}") == "secrets 'a', 'b', 'c', 'd' and 2 more")
    }
}
