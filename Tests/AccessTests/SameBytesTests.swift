import Testing
import ThumbAccess

@Suite("Names that look alike") struct SameBytesTests {
    /// The same letter: composed, and as a letter with an accent after it.
    private static let alike = ["caf\u{E9}", "cafe\u{301}"]

    @Test("Texts that look alike are equal to Swift, and two names here")
    func alike() {
        #expect(Self.alike[0] == Self.alike[1])
        #expect(!Self.alike[0].hasSameBytes(as: Self.alike[1]) && Self.alike[0].hasSameBytes(as: "caf\u{E9}"))
        #expect(!"a".hasSameBytes(as: "ab") && "".hasSameBytes(as: ""))
    }

    @Test("Of many names each stays once, in order, and those that look alike stay both")
    func distinct() {
        let names = ["b", Self.alike[1], "b", Self.alike[0], "a", Self.alike[1]].distinctByBytes
        #expect(names.map { Array($0.utf8) } == ["b", Self.alike[1], Self.alike[0], "a"].map { Array($0.utf8) })
    }
}
