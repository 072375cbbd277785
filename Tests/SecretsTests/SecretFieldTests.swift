import Testing
import ThumbSecrets

@Suite("A field that is typed into")
struct SecretFieldTests {
    private static func revealed(_ field: SecretField) -> [Unicode.Scalar] {
        var shown: [Unicode.Scalar] = []
        field.reveal { shown.append($0) }
        return shown
    }

    @Test("its owner sees each character that was typed, in order, and none that was removed")
    func reveal() throws {
        let field = try SecretField(capacity: 12)
        #expect(Self.revealed(field).isEmpty)
        // One, two, three and four bytes long.
        for character in "aé€𝄞".unicodeScalars { #expect(field.append(character)) }
        #expect(Self.revealed(field) == Array("aé€𝄞".unicodeScalars))
        #expect(!field.append("€"), "there is room for twelve bytes, and ten are taken")
        #expect(Self.revealed(field) == Array("aé€𝄞".unicodeScalars))
        field.removeLast()
        #expect(Self.revealed(field) == Array("aé€".unicodeScalars))
        let taken = try field.take()
        #expect(taken.count == 6 && Self.revealed(field).isEmpty)
    }
}
