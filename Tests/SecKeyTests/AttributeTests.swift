import Foundation
import Security
import Testing
import thumbturn_test_support

@Suite("What a key says of itself") struct AttributeTests {
    @Test("131: a key is exported in the form it is read in")
    func export() throws {
        for key in [Shared.curves[256]!, Shared.rsa1024] {
            let type = try #require(key.attributes["type"] as? String)
            #expect(try readKey(key.exported(), type, "1") == key)
            #expect(try readKey(key.publicHalf.exported(), type, "0") == key.publicHalf)
        }
        // A sequence of two numbers: PKCS#1, and not SPKI.
        #expect(try Shared.rsa1024.publicHalf.exported().prefix(4) == Data([0x30, 0x81, 0x89, 0x02]))
    }

    @Test("132: a software key tells class, half, type, sizes, hash, data and Apple's fixed flags, kept or not", .oneDevice)
    func software() async throws {
        let whole = try readKey(TestCertificate.ownKey, "73", "1")
        // The SHA-1 of the point, as the openssl command wrote it into the certificate of this key.
        let hash: [UInt8] = [
            0xEA, 0x9C, 0xBE, 0x79, 0x1E, 0x43, 0xA8, 0xD9, 0x39, 0xBD, 0x15, 0xB1, 0x4F, 0xD2, 0xAD, 0x01, 0x54, 0xF0, 0x98,
            0x4C,
        ]
        let keys = [
            (whole, kSecAttrKeyClassPrivate, TestCertificate.ownKey),
            (whole.publicHalf, kSecAttrKeyClassPublic, Data(TestCertificate.ownKey.prefix(65))),
        ]
        try await withDevice { _ in
            for (key, half, data) in keys {
                try add([kSecValueRef: key])
                let found = try findKey([kSecAttrApplicationLabel: Data(hash), kSecAttrKeyClass: half])
                #expect(found !== key)
                for told in [key.attributes, found.attributes] {
                    for (name, text) in [("class", "keys"), ("kcls", half as String), ("type", "73")] {
                        #expect(told[name] as? String == text, "\(name)")
                    }
                    for name in ["bsiz", "esiz"] { #expect(told[name] as? Int == 256, "\(name)") }
                    #expect(told["klbl"] as? Data == Data(hash) && told["v_Data"] as? Data == data)
                    for name in ["perm", "priv", "modi", "extr"] { #expect(told[name] as? Bool == true, "\(name)") }
                    for name in ["sens", "asen", "next"] { #expect(told[name] as? Bool == false, "\(name)") }
                    for name in ["toid", "tkid", "accc", "pubk", "cust"] { #expect(told[name] == nil, "\(name)") }
                }
            }
        }
        let others = [(Shared.curves[384]!, "73", 384), (Shared.curves[521]!, "73", 521), (Shared.rsa1024, "42", 1024)]
        for (key, type, bits) in others {
            #expect(key.attributes["type"] as? String == type)
            for name in ["bsiz", "esiz"] { #expect(key.attributes[name] as? Int == bits, "\(name)") }
            #expect(key.attributes["klbl"] as? Data != Data(hash))
        }
    }

    @Test("133: what each sort of key says it can do")
    func usage() {
        let all = ["encr", "decr", "drve", "sign", "vrfy", "wrap", "unwp", "snrc", "vyrc"]
        func usage(_ key: SecKey) -> Set<String> { Set(all.filter { key.attributes[$0] as? Bool == true }) }
        #expect(usage(Shared.curves[256]!.publicHalf) == ["encr", "vrfy", "wrap"])
        #expect(usage(Shared.curves[256]!) == ["decr", "sign", "unwp", "drve"])
        #expect(usage(Shared.rsa1024.publicHalf) == ["encr", "vrfy", "wrap", "decr"])
        #expect(usage(Shared.rsa1024) == ["decr", "sign", "unwp"])
    }

    @Test("135: a block is a coordinate, or the modulus")
    func blocks() {
        #expect([256, 384, 521].map { SecKeyGetBlockSize(Shared.curves[$0]!) } == [32, 48, 66])
        #expect(SecKeyGetBlockSize(Shared.rsa1024) == 128 && SecKeyGetBlockSize(Shared.rsa2048.publicHalf) == 256)
    }

    @Test("136: a public key's public key is an equal one")
    func publicHalf() throws {
        let half = Shared.curves[256]!.publicHalf
        #expect(half.publicHalf == half && half.publicHalf !== half)
        #expect(half != Shared.curves[256]!)
    }

    @Test("137: software keys are equal by what they are made of")
    func equality() throws {
        let key = Shared.curves[256]!
        let again = try readKey(key.exported(), "73", "1")
        #expect(CFEqual(key, again) && CFHash(key) == CFHash(again) && key !== again)
        #expect(!CFEqual(key, try newKey(kSecAttrKeyTypeEC, 256)) && !CFEqual(key, key.publicHalf))
        #expect(Set([key, again]).count == 1)
        #expect(CFGetTypeID(key) == SecKeyGetTypeID() && SecKeyGetTypeID() != SecCertificateGetTypeID())
    }
}
