import Testing
import ThumbAccess

@Suite("What a kind of key can do") struct KeyAbilityTests {
    @Test("an RSA block must have room for hash and salt, or hash and seed")
    func rooms() {
        let small = KeyKind.rsa(bits: 1024)
        for hash in HashFunction.allCases {
            #expect(small.supports(.rsaPKCS1(hash)))
            #expect(small.supports(SignatureScheme.rsaPSS(hash)) == (hash != .sha512))
            #expect(small.supports(.rsaOAEP(hash)) == (hash != .sha512))
            #expect(small.supports(.rsaOAEPGCM(hash)) == (hash != .sha512))
        }
        // RFC 8017's least: an encoded message of twice the hash and two bytes, from one bit less than the modulus.
        #expect(!KeyKind.rsa(bits: 1033).supports(SignatureScheme.rsaPSS(.sha512)))
        #expect(KeyKind.rsa(bits: 1034).supports(SignatureScheme.rsaPSS(.sha512)))
        #expect(KeyKind.rsa(bits: 1040).longestPlaintext(.rsaOAEP(.sha512)) == 0)
        #expect(!KeyKind.rsa(bits: 1160).supports(.rsaOAEPGCM(.sha512)) && KeyKind.rsa(bits: 1168).supports(.rsaOAEPGCM(.sha512)))
    }

    @Test("each family has its own schemes")
    func families() {
        for curve in Curve.allCases {
            let kind = KeyKind.elliptic(curve)
            #expect(kind.supports(.ecdsa) && kind.supports(.raw) && kind.supports(.x963(.sha1, count: 1, sharedInfo: [])))
            #expect(!kind.supports(.rsaPKCS1Raw) && !kind.supports(SignatureScheme.rsaRaw))
            #expect(!kind.supports(.rsaPKCS1) && !kind.supports(EncryptionScheme.rsaRaw) && !kind.supports(.rsaOAEP(.sha1)))
            for hash in HashFunction.allCases {
                #expect(kind.supports(.ecies(hash, derivesNonce: false)))
                #expect(kind.supports(.ecies(hash, derivesNonce: true)) == (hash != .sha1))
            }
        }
        let rsa = KeyKind.rsa(bits: 2048)
        #expect(!rsa.supports(.ecdsa) && !rsa.supports(.raw) && !rsa.supports(.ecies(.sha256, derivesNonce: false)))
        #expect(rsa.family == .rsa && KeyKind.elliptic(.p256).family == .elliptic)
    }

    @Test("a key's kind is read from its attributes: a curve of the three, or RSA from 1,024 bits to 8,192")
    func kinds() {
        func kind(_ type: Int64, _ bits: Int64) -> KeyKind? {
            KeyKind([.type: .number(type), .keySize: .number(bits)])
        }
        for curve in Curve.allCases { #expect(kind(KeyKind.ellipticType, Int64(curve.rawValue)) == .elliptic(curve)) }
        for bits: Int64 in [1024, 2049, 8192] { #expect(kind(KeyKind.rsaType, bits) == .rsa(bits: Int(bits))) }
        for bits: Int64 in [0, 1023, 8193, -2048, .max] { #expect(kind(KeyKind.rsaType, bits) == nil) }
        for bits: Int64 in [0, 255, 512, 2048, 65_536 + 256] { #expect(kind(KeyKind.ellipticType, bits) == nil) }
        #expect(kind(0, 256) == nil && KeyKind([.type: .number(73)]) == nil && KeyKind([.keySize: .number(256)]) == nil)
        #expect(KeyKind([.type: .text("73"), .keySize: .number(256)]) == nil)
    }

    @Test("who holds a key is read from its attributes: a custodian that is known, and nobody else")
    func custodians() {
        for custodian in Custodian.allCases {
            let attributes: Attributes = [.custodian: .number(Int64(custodian.rawValue))]
            #expect(attributes.custodian == custodian)
        }
        for value: AttributeValue in [.number(0), .number(3), .number(257), .number(-1), .text("1"), .flag(true), .data([1])] {
            let attributes: Attributes = [.custodian: value]
            #expect(attributes.custodian == nil)
        }
        #expect(Attributes().custodian == nil)
    }

    @Test("the longest plaintexts and the sizes of session keys")
    func sizes() {
        let rsa = KeyKind.rsa(bits: 2048)
        #expect(rsa.longestPlaintext(.rsaRaw) == 256 && rsa.longestPlaintext(.rsaPKCS1) == 245)
        #expect(rsa.longestPlaintext(.rsaOAEP(.sha1)) == 214 && rsa.longestPlaintext(.rsaOAEP(.sha256)) == 190)
        #expect(rsa.longestPlaintext(.rsaOAEPGCM(.sha256)) == nil)
        #expect(KeyKind.rsa(bits: 4095).sessionKeyBytes == 16 && KeyKind.rsa(bits: 4096).sessionKeyBytes == 32)
        #expect(KeyKind.elliptic(.p256).sessionKeyBytes == 16)
        #expect(KeyKind.elliptic(.p384).sessionKeyBytes == 32 && KeyKind.elliptic(.p521).sessionKeyBytes == 32)
    }
}
