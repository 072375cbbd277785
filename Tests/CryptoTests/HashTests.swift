import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

@Suite("Hashes and HMAC") struct HashTests {
    @Test("the hashes of abc are FIPS 180's")
    func hashes() throws {
        let abc = Array("abc".utf8)
        #expect(try HashFunction.sha1.hash(abc) == hex("a9993e364706816aba3e25717850c26c9cd0d89d"))
        let sha256 = hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(try HashFunction.sha256.hash(abc) == sha256)
        #expect(try HashFunction.sha256.hash(SecretBytes(copying: abc)) == sha256)
        #expect(
            try HashFunction.sha384.hash(abc)
                == hex(
                    "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"))
        #expect(
            try HashFunction.sha512.hash(abc)
                == hex(
                    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
                        + "454d4423643ce80e2a9ac94fa54ca49f"))
        #expect(try HashFunction.sha256.hash([]) == hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
        #expect(try HashFunction.sha224.hash(abc) == hex("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"))
        for function in HashFunction.allCases { #expect(try function.hash(abc).count == function.byteCount) }
    }

    @Test("a message may come in pieces, and be longer than memory should hold", arguments: HashFunction.allCases)
    func pieces(function: HashFunction) throws {
        let piece = [UInt8](repeating: 0x61, count: 1000)
        var digest = try Digest(function)
        for _ in 0..<1000 { try digest.add(piece) }
        try digest.add([])
        #expect(try digest.finish() == function.hash([UInt8](repeating: 0x61, count: 1_000_000)))
        #expect(try Digest(function).finish() == function.hash([]))
    }

    private static let rfc4231: [(key: String, message: String, code: String)] = [
        (
            String(repeating: "0b", count: 20), "4869205468657265",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819", String(repeating: "cd", count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            String(repeating: "aa", count: 131),
            "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            String(repeating: "aa", count: 131),
            "5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d73697a65206b657920616e6420"
                + "61206c6172676572207468616e20626c6f636b2d73697a6520646174612e20546865206b6579206e6565647320746f206265206861736865"
                + "64206265666f7265206265696e6720757365642062792074686520484d414320616c676f726974686d2e",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test("HMAC-SHA-256 gives RFC 4231's codes, whole or in parts", arguments: 0..<6)
    func hmac(index: Int) throws {
        let vector = Self.rfc4231[index]
        let key = try secret(vector.key)
        let message = hex(vector.message)
        let code = hex(vector.code)
        #expect(try HMAC256.authenticate(message, key: key) == code)
        #expect(try HMAC256.authenticate(SecretBytes(copying: message), key: key) == code)
        let parts = [Array(message.prefix(3)), [], Array(message.dropFirst(3))]
        #expect(try HMAC256.authenticate(parts, key: key) == code)
        #expect(try HMAC256.verify(code, message: message, key: key))
        #expect(try HMAC256.verify(code, parts: parts, key: key))
        var wrong = code
        wrong[31] ^= 1
        #expect(try !HMAC256.verify(wrong, message: message, key: key))
        #expect(try !HMAC256.verify(Array(code.dropLast()), message: message, key: key))
    }

    @Test("an empty key and a key of one block are keys like others")
    func keyLengths() throws {
        let empty = try HMAC256.authenticate([UInt8](), key: SecretBytes(copying: []))
        #expect(empty == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
        // A key is padded with zeros to a block: these two are the same key, a longer one isn't.
        let long = try SecretBytes(copying: [UInt8](repeating: 7, count: 63) + [0])
        let short = try SecretBytes(copying: [UInt8](repeating: 7, count: 63))
        let longer = try SecretBytes(copying: [UInt8](repeating: 7, count: 63) + [0, 0])
        let code = try HMAC256.authenticate([1, 2], key: short)
        #expect(try HMAC256.authenticate([1, 2], key: long) == code)
        #expect(try HMAC256.authenticate([1, 2], key: longer) != code)
    }

    @Test("random bytes come in the asked count and don't repeat")
    func random() throws {
        #expect(try Random.bytes(count: 0).isEmpty)
        #expect(try Random.bytes(count: 1000).count == 1000)
        #expect(try Random.bytes(count: 32) != Random.bytes(count: 32))
        #expect(codeOf(Result { try Random.bytes(count: -1) }) == .invalidInput)
    }
}
