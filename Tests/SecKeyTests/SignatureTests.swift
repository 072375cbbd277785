import Foundation
import Security
import Testing
import thumbturn_test_support

@Suite("Signatures") struct SignatureTests {
    typealias Pair = (message: SecKeyAlgorithm, digest: SecKeyAlgorithm, bytes: Int)

    static let x962: [Pair] = [
        (.ecdsaSignatureMessageX962SHA1, .ecdsaSignatureDigestX962SHA1, 20),
        (.ecdsaSignatureMessageX962SHA224, .ecdsaSignatureDigestX962SHA224, 28),
        (.ecdsaSignatureMessageX962SHA256, .ecdsaSignatureDigestX962SHA256, 32),
        (.ecdsaSignatureMessageX962SHA384, .ecdsaSignatureDigestX962SHA384, 48),
        (.ecdsaSignatureMessageX962SHA512, .ecdsaSignatureDigestX962SHA512, 64),
    ]
    static let rfc4754: [Pair] = [
        (.ecdsaSignatureMessageRFC4754SHA1, .ecdsaSignatureDigestRFC4754SHA1, 20),
        (.ecdsaSignatureMessageRFC4754SHA224, .ecdsaSignatureDigestRFC4754SHA224, 28),
        (.ecdsaSignatureMessageRFC4754SHA256, .ecdsaSignatureDigestRFC4754SHA256, 32),
        (.ecdsaSignatureMessageRFC4754SHA384, .ecdsaSignatureDigestRFC4754SHA384, 48),
        (.ecdsaSignatureMessageRFC4754SHA512, .ecdsaSignatureDigestRFC4754SHA512, 64),
    ]
    static let pkcs1: [Pair] = [
        (.rsaSignatureMessagePKCS1v15SHA1, .rsaSignatureDigestPKCS1v15SHA1, 20),
        (.rsaSignatureMessagePKCS1v15SHA224, .rsaSignatureDigestPKCS1v15SHA224, 28),
        (.rsaSignatureMessagePKCS1v15SHA256, .rsaSignatureDigestPKCS1v15SHA256, 32),
        (.rsaSignatureMessagePKCS1v15SHA384, .rsaSignatureDigestPKCS1v15SHA384, 48),
        (.rsaSignatureMessagePKCS1v15SHA512, .rsaSignatureDigestPKCS1v15SHA512, 64),
    ]
    static let pss: [Pair] = [
        (.rsaSignatureMessagePSSSHA1, .rsaSignatureDigestPSSSHA1, 20),
        (.rsaSignatureMessagePSSSHA224, .rsaSignatureDigestPSSSHA224, 28),
        (.rsaSignatureMessagePSSSHA256, .rsaSignatureDigestPSSSHA256, 32),
        (.rsaSignatureMessagePSSSHA384, .rsaSignatureDigestPSSSHA384, 48),
        (.rsaSignatureMessagePSSSHA512, .rsaSignatureDigestPSSSHA512, 64),
    ]

    private func check(_ key: SecKey, _ pair: Pair) throws {
        let signature = try key.sign(message, pair.message)
        #expect(try key.publicHalf.verifies(signature, of: message, pair.message))
        #expect(try !key.publicHalf.verifies(signature, of: message + [0], pair.message))
        let digest = Data(repeating: 7, count: pair.bytes)
        #expect(try key.publicHalf.verifies(key.sign(digest, pair.digest), of: digest, pair.digest))
        for wrong in [digest.dropLast(), digest + [0], Data()] {
            #expect(throws: Refusal.status(errSecParam)) { try key.sign(Data(wrong), pair.digest) }
            #expect(throws: Refusal.status(errSecParam)) {
                try key.publicHalf.verifies(signature, of: Data(wrong), pair.digest)
            }
        }
    }

    @Test("138: messages are hashed and digests have their hash's length, on each curve", arguments: [256, 384, 521])
    func elliptic(bits: Int) throws {
        for pair in Self.x962 + Self.rfc4754 { try check(Shared.curves[bits]!, pair) }
    }

    @Test("138: a digest without a hash has any length, and its leftmost bits count")
    func bareDigest() throws {
        let key = Shared.curves[256]!
        for algorithm in [SecKeyAlgorithm.ecdsaSignatureDigestX962, .ecdsaSignatureDigestRFC4754] {
            for count in [0, 1, 20, 32, 33, 100] {
                let digest = Data((0..<count).map { UInt8($0 + 1) })
                let signature = try key.sign(digest, algorithm)
                #expect(try key.publicHalf.verifies(signature, of: digest, algorithm))
                #expect(try key.publicHalf.verifies(signature, of: digest + [9], algorithm) == (count >= 32))
            }
        }
    }

    @Test("139: one form is DER, the other two numbers as long as the field", arguments: [256: 64, 384: 96, 521: 132])
    func forms(bits: Int, length: Int) throws {
        let key = Shared.curves[bits]!
        #expect(try key.sign(message, .ecdsaSignatureMessageX962SHA256).first == 0x30)
        for _ in 1...20 { #expect(try key.sign(message, .ecdsaSignatureMessageRFC4754SHA256).count == length) }
    }

    @Test("140: the old name for two numbers side by side means what the new one does")
    func oldName() throws {
        let (key, digest) = (Shared.curves[256]!, Data(repeating: 3, count: 32))
        let signature = try key.sign(digest, .ecdsaSignatureRFC4754)
        #expect(try key.publicHalf.verifies(signature, of: digest, .ecdsaSignatureDigestRFC4754))
    }

    @Test("141: what isn't the signature, or none at all, is -67808 and false; all forms are one underneath")
    func mismatch() throws {
        let key = Shared.curves[256]!
        let (der, flat) = (
            try key.sign(message, .ecdsaSignatureMessageX962SHA256), try key.sign(message, .ecdsaSignatureMessageRFC4754SHA256)
        )
        for wrong in [Data(), Data([0x30]), der.dropLast(), der + [0], flat] {
            #expect(try !key.publicHalf.verifies(Data(wrong), of: message, .ecdsaSignatureMessageX962SHA256))
        }
        for wrong in [Data(), flat.dropLast(), flat + [0], der] {
            #expect(try !key.publicHalf.verifies(Data(wrong), of: message, .ecdsaSignatureMessageRFC4754SHA256))
        }
        for wrong in [Data(), Data(count: 128), Data(repeating: 255, count: 128), Data(count: 129)] {
            #expect(try !Shared.rsa1024.publicHalf.verifies(wrong, of: message, .rsaSignatureMessagePKCS1v15SHA256))
        }
    }

    @Test("142: an algorithm that isn't the key's is refused, and the error names it")
    func unsupported() throws {
        let key = Shared.curves[256]!
        let calls: [(SecKeyAlgorithm, () throws -> Any)] = [
            (.rsaSignatureMessagePSSSHA256, { try key.sign(message, .rsaSignatureMessagePSSSHA256) }),
            (.ecdsaSignatureMessageX962SHA256, { try key.publicHalf.sign(message, .ecdsaSignatureMessageX962SHA256) }),
            (.ecdsaSignatureMessageX962SHA256, { try key.verifies(Data(), of: message, .ecdsaSignatureMessageX962SHA256) }),
            (.rsaEncryptionPKCS1, { try key.publicHalf.encrypt(message, .rsaEncryptionPKCS1) }),
            (.ecdhKeyExchangeStandard, { try key.decrypt(message, .ecdhKeyExchangeStandard) }),
            (SecKeyAlgorithm(rawValue: "algid:of:mine"), { try key.sign(message, SecKeyAlgorithm(rawValue: "algid:of:mine")) }),
        ]
        for (algorithm, call) in calls {
            #expect {
                _ = try call()
            } throws: { error in
                guard let refusal = error as? Refusal else { return false }
                return refusal == .status(errSecParam) && refusal.text.contains(algorithm.rawValue as String)
                    && refusal.text.hasPrefix("The operation couldn’t be completed. (OSStatus error -50 - ")
            }
        }
    }

    @Test("143: PKCS#1 names its hash; the raw form doesn't, and the bare power pads with zeros and takes no more than a block")
    func rsa() throws {
        let key = Shared.rsa1024
        for pair in Self.pkcs1 { try check(key, pair) }
        let digest = Data(repeating: 7, count: 32)
        let info: [UInt8] = [0x30, 0x31, 0x30, 0x0D, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 0x20]
        let named = try key.sign(digest, .rsaSignatureDigestPKCS1v15SHA256)
        #expect(try key.sign(Data(info) + digest, .rsaSignatureDigestPKCS1v15Raw) == named)
        let block = Data([0, 1] + [UInt8](repeating: 255, count: 128 - 3 - 51) + [0] + info) + digest
        #expect(try key.sign(block, .rsaSignatureRaw) == named)
        #expect(try key.sign(Data([5]), .rsaSignatureRaw) == key.sign(Data(count: 127) + [5], .rsaSignatureRaw))
        #expect(throws: Refusal.status(errSecParam)) { try key.sign(Data(count: 129), .rsaSignatureRaw) }
        #expect(throws: Refusal.status(errSecParam)) { try key.sign(Data(count: 118), .rsaSignatureDigestPKCS1v15Raw) }
    }

    @Test("144: PSS needs room for hash and salt: a 1024-bit key can't with SHA-512")
    func padded() throws {
        for pair in Self.pss { try check(Shared.rsa2048, pair) }
        #expect(Shared.rsa1024.can(.sign, .rsaSignatureMessagePSSSHA384))
        #expect(!Shared.rsa1024.can(.sign, .rsaSignatureMessagePSSSHA512))
        #expect(throws: Refusal.status(errSecParam)) { try Shared.rsa1024.sign(message, .rsaSignatureMessagePSSSHA512) }
        #expect(SecKeyAlgorithm.rsaSignatureMessagePSSSHA224.rawValue.hasSuffix(":24"))
    }

    @Test("145: MD5 isn't among the algorithms")
    func md5() {
        for name in ["algid:sign:RSA:digest-PKCS1v15:MD5", "algid:sign:RSA:message-PKCS1v15:MD5"] {
            #expect(!Shared.rsa1024.can(.sign, SecKeyAlgorithm(rawValue: NSString(string: name))))
        }
    }

    @Test(
        "146: what Apple's calls raise an exception for, a missing argument, Swift's types don't let through; room may be missing",
        .oneDevice)
    func missing() async throws {
        // Each of these is a call's whole type: nothing in it may be nil but the room for an error.
        let make: (CFDictionary, ErrorRoom?) -> SecKey? = SecKeyCreateRandomKey
        let read: (CFData, CFDictionary, ErrorRoom?) -> SecKey? = SecKeyCreateWithData
        let export: (SecKey, ErrorRoom?) -> CFData? = SecKeyCopyExternalRepresentation
        let sign: (SecKey, SecKeyAlgorithm, CFData, ErrorRoom?) -> CFData? = SecKeyCreateSignature
        let verify: (SecKey, SecKeyAlgorithm, CFData, CFData, ErrorRoom?) -> Bool = SecKeyVerifySignature
        let seal: (SecKey, SecKeyAlgorithm, CFData, ErrorRoom?) -> CFData? = SecKeyCreateEncryptedData
        let open: (SecKey, SecKeyAlgorithm, CFData, ErrorRoom?) -> CFData? = SecKeyCreateDecryptedData
        let agree: (SecKey, SecKeyAlgorithm, SecKey, CFDictionary, ErrorRoom?) -> CFData? = SecKeyCopyKeyExchangeResult

        let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let sealing = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
        let (data, empty, nothing) = (message as CFData, Data() as CFData, [:] as Fields as CFDictionary)
        try await withDevice { _ in
            let kind: Fields = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
            let enclave = kind.merging([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) { $1 }
            for fields in [kind, enclave] {
                let key = try #require(make(fields as CFDictionary, nil))
                let signature = try #require(sign(key, signing, data, nil))
                #expect(verify(key.publicHalf, signing, data, signature, nil))
                let sealed = try #require(seal(key.publicHalf, sealing, data, nil))
                #expect(open(key, sealing, sealed, nil) == data)
                #expect(agree(key, .ecdhKeyExchangeStandard, key.publicHalf, nothing, nil)?.length == 32)
                #expect(export(key.publicHalf, nil)?.length == 65)

                // The nearest to a missing argument that can be written, without room for the reason.
                #expect(sign(key, .rsaSignatureRaw, data, nil) == nil && sign(key, signing, empty, nil) != nil)
                #expect(!verify(key.publicHalf, signing, data, empty, nil))
                #expect(seal(key.publicHalf, signing, data, nil) == nil && open(key, sealing, empty, nil) == nil)
                #expect(agree(key, .ecdhKeyExchangeStandardX963SHA256, key.publicHalf, nothing, nil) == nil)
            }
            #expect(make(nothing, nil) == nil)
            for fields in [nothing, kind as CFDictionary] { #expect(read(empty, fields, nil) == nil) }
        }
    }
}
