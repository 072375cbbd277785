import Testing
import ThumbCrypto
import ThumbSecrets

@Suite("ChaCha20-Poly1305")
struct ChaChaPolyTests {
    private let key = try! SecretBytes(copying: Array(0x80...0x9F) as [UInt8])
    private let nonce: [UInt8] = [7, 0, 0, 0] + Array(0x40...0x47)
    private let data: [UInt8] = Array(0x50...0x53) + Array(0xC0...0xC7)
    private let words =
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."

    @Test("RFC 8439's own example is sealed as it says (section 2.8.2), and opened again")
    func example() throws {
        let sealed = try ChaChaPoly.seal(SecretBytes(copying: words.utf8), key: key, nonce: nonce, associatedData: data)
        #expect(hex(sealed.prefix(16)) == "d31a8d34648e60db7b86afbc53ef7ec2")
        #expect(hex(sealed.suffix(16)) == "1ae10b594f09e26a7e902ecbd0600691")
        #expect(try ChaChaPoly.open(sealed, key: key, nonce: nonce, associatedData: data) == SecretBytes(copying: words.utf8))
    }

    @Test("Nothing is opened if a bit of the message, the nonce or the associated data is another")
    func changed() throws {
        let sealed = try ChaChaPoly.seal(SecretBytes(copying: words.utf8), key: key, nonce: nonce, associatedData: data)
        for place in [0, 20, sealed.count - 1] {
            var other = sealed
            other[place] ^= 1
            #expect(throws: CryptoError.self) { try ChaChaPoly.open(other, key: key, nonce: nonce, associatedData: data) }
        }
        #expect(throws: CryptoError.self) {
            try ChaChaPoly.open(sealed, key: key, nonce: nonce.map { $0 ^ 1 }, associatedData: data)
        }
        #expect(throws: CryptoError.self) { try ChaChaPoly.open(sealed, key: key, nonce: nonce) }
        #expect(throws: CryptoError.self) { try ChaChaPoly.open(Array(sealed.prefix(15)), key: key, nonce: nonce) }
    }

    @Test("An empty message is a tag alone, and a key or a nonce of another length is refused")
    func lengths() throws {
        let empty = try ChaChaPoly.seal(SecretBytes(copying: []), key: key, nonce: nonce)
        #expect(empty.count == ChaChaPoly.tagSize)
        #expect(try ChaChaPoly.open(empty, key: key, nonce: nonce).isEmpty)
        for count in [31, 33] {
            let other = try SecretBytes(copying: [UInt8](repeating: 1, count: count))
            #expect(throws: CryptoError.self) { try ChaChaPoly.seal(other, key: other, nonce: nonce) }
        }
        for count in [11, 13] {
            #expect(throws: CryptoError.self) { try ChaChaPoly.seal(key, key: key, nonce: [UInt8](repeating: 1, count: count)) }
        }
    }

    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
