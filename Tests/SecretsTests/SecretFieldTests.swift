import CThumbLinux
import Testing
import thumbturn_test_programs

@testable import ThumbSecrets

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

    /// The field's own memory, which only a mirror shows.
    private static func memory(of field: SecretField) throws -> SecretBytes {
        try #require(Mirror(reflecting: field).children.first { $0.label == "memory" }?.value as? SecretBytes)
    }

    @Test("nothing of what was removed, cleared or taken is left in its memory")
    func erased() throws {
        let field = try SecretField(capacity: 12)
        let memory = try Self.memory(of: field)
        func fill() { for character in "aé€𝄞".unicodeScalars { #expect(field.append(character)) } }
        func isEmpty(from place: Int) -> Bool { memory.withUnsafeBytes { $0[place...].allSatisfy { $0 == 0 } } }
        fill()
        #expect(memory.withUnsafeBytes { $0.starts(with: "aé€𝄞".utf8) })
        for left in [6, 3, 1, 0] {
            field.removeLast()
            #expect(field.count == left && isEmpty(from: left))
        }
        fill()
        field.clear()
        #expect(field.count == 0 && isEmpty(from: 0))
        fill()
        let taken = try field.take()
        #expect(taken.count == 10 && isEmpty(from: 0))
    }

    @Test("a key that is typed into a full field isn't kept, and lands in no memory but the field's")
    func full() throws {
        // Whole pages, and more than share pages with others: a byte behind so many would lie where nobody can write.
        let capacity = 5 * GuardedMapping.pageSize
        try #require(capacity > Slab.longest)
        let field = try SecretField(capacity: capacity)
        #expect((0..<capacity).allSatisfy { _ in field.append("a") } && !field.append("a"))
        let memory = try Self.memory(of: field)
        try #require(memory.count == capacity + 1)
        let keys = try makePipe()
        defer { for end in [keys.reading, keys.writing] { close(end) } }
        try #require(write(keys.writing, "b\rbb", 4) == 4)
        for key: SecretField.Key in [.full, .control(0x0d)] {
            #expect(field.readKey(from: keys.reading) == key)
            #expect(memory.withUnsafeBytes { $0.last } == 0)
        }
        field.removeLast()
        #expect(field.readKey(from: keys.reading) == .text && field.readKey(from: keys.reading) == .full)
        #expect(field.count == capacity && memory.withUnsafeBytes { $0.suffix(3).elementsEqual("ab\0".utf8) })
    }
}
