import Testing
import ThumbAccess

@Suite("Names that look alike") struct ExactNameTests {
    /// The same letter twice: composed, and as a letter with an accent after it.
    static let alike: [ExactName] = ["caf\u{E9}", "cafe\u{301}"]
    /// KELVIN SIGN and K, OHM SIGN and omega, ANGSTROM SIGN and Å: each is one letter to Swift's texts.
    static let pairs: [(ExactName, ExactName)] = [
        ("org.example.Ke\u{301}y", "org.example.K\u{E9}y"), ("\u{212A}eys", "Keys"), ("\u{2126}", "\u{3A9}"),
        ("\u{212B}", "\u{C5}"),
    ]

    @Test("Texts that look alike are equal to Swift, and two names here")
    func alike() {
        for (one, other) in Self.pairs {
            #expect(one.text == other.text)
            #expect(one != other && one == ExactName(one.text))
        }
        #expect(ExactName("a") != "ab" && ExactName("") == "" && ExactName("") != "\0")
    }

    @Test("A set, a dictionary and a search tell names apart that look alike")
    func collections() {
        for (one, other) in Self.pairs {
            #expect(Set([one, other, one]).count == 2)
            #expect(![one].contains(other) && [one: 1][other] == nil && [one: 1][one] == 1)
        }
    }

    @Test("Equal names have equal hashes at every length, and a zero byte at the end makes another")
    func hashes() {
        for length in 0...40 {
            let name = String(repeating: "x", count: length)
            #expect(ExactName(name).hashValue == ExactName(String(Array(name))).hashValue)
            #expect(ExactName(name).hashValue != ExactName(name + "\0").hashValue)
        }
    }

    @Test("What is built of names tells them apart: callers, wishes, items, words of signing in, attributes")
    func composites() throws {
        for (one, other) in Self.pairs {
            #expect(AppWish.group(one) != .group(other))
            #expect(
                SignInWords(origin: one, account: "a", purpose: .signIn)
                    != SignInWords(origin: other, account: "a", purpose: .signIn))
            #expect(
                SignInWords(origin: "o", account: one, purpose: .signIn)
                    != SignInWords(origin: "o", account: other, purpose: .signIn))
            #expect(AttributeValue.text(one.text) != .text(other.text))
            #expect(Set([AttributeValue.text(one.text), .text(other.text)]).count == 2)
            let callers = [one, other].map { Caller(uid: 1, pid: 1, kind: .consented, name: "x", groups: [$0]) }
            #expect(callers[0] != callers[1] && callers[0].own != callers[1].own)
        }
    }

    @Test("A text is no data of the same bytes, and a number no date")
    func forms() {
        let values: [AttributeValue] = [
            .text("\0\0\0\0\0\0\0\0"), .data([0, 0, 0, 0, 0, 0, 0, 0]), .number(0), .flag(false), .date(0),
        ]
        #expect(Set(values).count == 5)
    }

    @Test("Of many names each stays once, in order, and those that look alike stay both")
    func distinct() {
        let names: [ExactName] = ["b", Self.alike[1], "b", Self.alike[0], "a", Self.alike[1]]
        #expect(names.distinct == ["b", Self.alike[1], Self.alike[0], "a"])
    }

    @Test("A path that root protected isn't another that looks like it")
    func protectedPaths() throws {
        let one = try #require(ProtectedProgram(gid: 900, name: "one", path: "/opt/\u{212B}/vault"))
        let other = try #require(ProtectedProgram(gid: 901, name: "two", path: "/opt/\u{C5}/vault"))
        var programs = ProtectedPrograms()
        let isFirst = programs.add(one)
        let isSecond = programs.add(other)
        #expect(isFirst && isSecond)
        programs.remove(one)
        #expect(programs.programs.map(\.name) == ["two"])
    }
}
