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
