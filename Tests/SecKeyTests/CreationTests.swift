import Foundation
import Security
import Testing

@Suite("Making keys and reading them") struct CreationTests {
    @Test("118: the type is one of the constants; a number, another word or nothing is refused")
    func types() throws {
        #expect(try newKey(kSecAttrKeyTypeEC, 256).attributes["type"] as? String == "73")
        #expect(Shared.rsa1024.attributes["type"] as? String == "42")
        for wrong: Any? in [73, "74", "EC", kSecAttrKeyTypeAES, nil] {
            var fields: Fields = [kSecAttrKeySizeInBits: 256]
            fields[kSecAttrKeyType] = wrong
            #expect(throws: Refusal.status(errSecParam)) { try newKey(fields) }
        }
    }

    @Test("119: three curves and RSA from 1024 bits; every other size is refused, and so is none")
    func sizes() throws {
        for bits in [256, 384, 521] { #expect(try newKey(kSecAttrKeyTypeEC, bits).attributes["bsiz"] as? Int == bits) }
        for wrong: Any in [192, 224, 528, 0, -1, "many", 255] {
            #expect(throws: Refusal.status(errSecParam)) {
                try newKey([kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: wrong])
            }
        }
        for wrong in [512, 1023, 8193] {
            #expect(throws: Refusal.status(errSecParam)) { try newKey(kSecAttrKeyTypeRSA, wrong) }
        }
        #expect(throws: Refusal.status(errSecParam)) { try newKey([kSecAttrKeyType: kSecAttrKeyTypeEC]) }
        // 65537, at the end of PKCS#1's public key.
        #expect(try Shared.rsa1024.publicHalf.exported().suffix(5) == Data([2, 3, 1, 0, 1]))
    }

    @Test("120: an error has the status as its code, its domain, and words")
    func errors() {
        #expect {
            try newKey(kSecAttrKeyTypeEC, 192)
        } throws: { error in
            guard let refusal = error as? Refusal else { return false }
            return refusal == .status(errSecParam) && !refusal.text.isEmpty
        }
        #expect(SecKeyCreateRandomKey([:] as CFDictionary, nil) == nil)
    }

    @Test("124: the older call makes the same pair, and either half may be left out")
    func pair() throws {
        var publicKey: SecKey?
        var privateKey: SecKey?
        let fields: Fields = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256]
        #expect(SecKeyGeneratePair(fields as CFDictionary, &publicKey, &privateKey) == errSecSuccess)
        #expect(try #require(privateKey).publicHalf == #require(publicKey))
        #expect(SecKeyGeneratePair(fields as CFDictionary, nil, &privateKey) == errSecSuccess)
        #expect(SecKeyGeneratePair(fields as CFDictionary, &publicKey, nil) == errSecSuccess)
        #expect(SecKeyGeneratePair([:] as CFDictionary, &publicKey, &privateKey) == errSecParam)
    }

    @Test("125: type and class are strings or numbers; one missing, unknown or symmetric, and bytes that are no key, are refused")
    func reading() throws {
        let key = try newKey(kSecAttrKeyTypeEC, 256)
        let data = try key.exported()
        for type: Any in [kSecAttrKeyTypeEC, 73] {
            for half: Any in [kSecAttrKeyClassPrivate, 1] { #expect(try readKey(data, type, half) == key) }
        }
        for (type, half) in [(kSecAttrKeyTypeEC, "3"), ("74", "1"), ("42", "1"), ("73", "0")] as [(CFString, CFString)] {
            #expect(throws: Refusal.status(errSecParam)) { try readKey(data, type, half) }
        }
        #expect(throws: Refusal.status(errSecUnimplemented)) { try readKey(data, "73", kSecAttrKeyClassSymmetric) }
        for lacking: Fields in [[:], [kSecAttrKeyType: "73"], [kSecAttrKeyClass: "1"]] {
            #expect(throws: Refusal.status(errSecParam)) {
                try call { SecKeyCreateWithData(data as CFData, lacking as CFDictionary, $0) } as SecKey
            }
        }
        for bytes in [Data(), Data([4]), data.dropLast(), data + [0]] {
            #expect(throws: Refusal.status(errSecParam)) { try readKey(Data(bytes), "73", "1") }
        }
    }

    @Test("127: a curve is known by the length, of the public half and of the private", arguments: [256: 65, 384: 97, 521: 133])
    func curves(bits: Int, length: Int) throws {
        let key = try #require(Shared.curves[bits])
        let (whole, point) = (try key.exported(), try key.publicHalf.exported())
        #expect(point.count == length && whole.count == length + (length - 1) / 2)
        #expect(whole.prefix(length) == point && point.first == 4)
        #expect(try readKey(whole, "73", "1") == key)
        #expect(try readKey(point, "73", "0") == key.publicHalf)
        #expect(throws: Refusal.status(errSecParam)) {
            // The same point, compressed.
            try readKey(Data([point.last! & 1 == 0 ? 2 : 3]) + point[1...((length - 1) / 2)], "73", "0")
        }
    }

    @Test("128: a point that isn't on its curve is refused; so are halves that don't belong together, which Apple takes")
    func mismatch() throws {
        let (one, other) = (try newKey(kSecAttrKeyTypeEC, 256).exported(), try newKey(kSecAttrKeyTypeEC, 256).exported())
        #expect(throws: Refusal.status(errSecParam)) { try readKey(one.prefix(65) + other.suffix(32), "73", "1") }
        var point = one.prefix(65)
        point[point.endIndex - 1] ^= 1
        #expect(throws: Refusal.status(errSecParam)) { try readKey(point, "73", "0") }
    }

    @Test("129: an RSA key is PKCS#1, a public one SPKI too; PKCS#8 isn't taken")
    func rsa() throws {
        let (whole, half) = (try Shared.rsa1024.exported(), try Shared.rsa1024.publicHalf.exported())
        #expect(try readKey(whole, kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate) == Shared.rsa1024)
        #expect(try readKey(half, kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic) == Shared.rsa1024.publicHalf)
        let name: [UInt8] = [0x30, 13, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 5, 0]
        func head(_ tag: UInt8, _ count: Int) -> [UInt8] {
            count < 256 ? [tag, 0x81, UInt8(count)] : [tag, 0x82, UInt8(count >> 8), UInt8(count & 255)]
        }
        let bits = Data(head(3, half.count + 1) + [0]) + half
        let spki = Data(head(0x30, name.count + bits.count) + name) + bits
        #expect(try readKey(spki, kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic) == Shared.rsa1024.publicHalf)
        let octets = Data(head(4, whole.count)) + whole
        let pkcs8 = Data(head(0x30, 3 + name.count + octets.count) + [2, 1, 0] + name) + octets
        #expect(throws: Refusal.status(errSecParam)) { try readKey(pkcs8, kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate) }
    }
}
