import Foundation
import Security
import Testing

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

    @Test("132: a software key tells class, half, type, sizes, hash and data, and Apple's fixed flags")
    func software() throws {
        for (key, half) in [(Shared.curves[384]!, "1"), (Shared.curves[384]!.publicHalf, "0")] {
            let told = key.attributes
            #expect(told["class"] as? String == "keys" && told["kcls"] as? String == half && told["type"] as? String == "73")
            #expect(told["bsiz"] as? Int == 384 && told["esiz"] as? Int == 384)
            #expect(told["klbl"] as? Data == key.publicHalf.attributes["klbl"] as? Data && (told["klbl"] as? Data)?.count == 20)
            #expect(try told["v_Data"] as? Data == key.exported())
            for name in ["perm", "priv", "modi", "extr"] { #expect(told[name] as? Bool == true, "\(name)") }
            for name in ["sens", "asen", "next"] { #expect(told[name] as? Bool == false, "\(name)") }
            for name in ["toid", "tkid", "pubk", "cust"] { #expect(told[name] == nil, "\(name)") }
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
