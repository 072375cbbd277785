import Foundation
import Security
import Testing

@Suite("What a key supports") struct SupportTests {
    static let ecdsa =
        (SignatureTests.x962 + SignatureTests.rfc4754).flatMap { [$0.message, $0.digest] }
        + [.ecdsaSignatureDigestX962, .ecdsaSignatureDigestRFC4754]
    static let ecies = (ECIESTests.fixed + ECIESTests.variable).flatMap { [$0.standard, $0.cofactor] }
    static let ecdh =
        AgreementTests.derived.flatMap { [$0.standard, $0.cofactor] }
        + [.ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactor]
    static let rsaSignatures =
        (SignatureTests.pkcs1 + SignatureTests.pss).flatMap { [$0.message, $0.digest] }
        + [.rsaSignatureRaw, .rsaSignatureDigestPKCS1v15Raw]
    static let rsaEncryption = EncryptionTests.oaep.map(\.0) + EncryptionTests.hybrids + [.rsaEncryptionRaw, .rsaEncryptionPKCS1]
    static let all = ecdsa + ecies + ecdh + rsaSignatures + rsaEncryption

    private func supported(_ key: SecKey, _ operation: SecKeyOperationType) -> Set<SecKeyAlgorithm> {
        Set(Self.all.filter { key.can(operation, $0) })
    }

    @Test("172: all 86 algorithms have a name of their own and a key that takes them; what one says is what its calls do")
    func names() {
        #expect(Set(Self.all).count == 86 && Self.all.count == 86)
        #expect(Set(Self.all.map { $0.rawValue as String }).allSatisfy { $0.hasPrefix("algid:") })
        let keys = [Shared.curves[256]!, Shared.rsa2048]
        for algorithm in Self.all {
            #expect(keys.contains { $0.can(.sign, algorithm) || $0.can(.decrypt, algorithm) || $0.can(.keyExchange, algorithm) })
        }
        for key in keys + keys.map(\.publicHalf) {
            for algorithm in Self.all {
                let data = Data(repeating: 1, count: 20)
                let refusals: [Bool] = [
                    key.can(.sign, algorithm) || (try? key.sign(data, algorithm)) == nil,
                    key.can(.encrypt, algorithm) || (try? key.encrypt(data, algorithm)) == nil,
                    key.can(.keyExchange, algorithm)
                        || (try? key.agree(with: key.publicHalf, algorithm, ["requestedSize": 8])) == nil,
                ]
                #expect(refusals == [true, true, true], "\(algorithm.rawValue)")
            }
        }
    }

    @Test("173: an elliptic public key verifies and encrypts; a private one signs, decrypts and agrees")
    func elliptic() {
        for key in Shared.curves.values {
            let half = key.publicHalf
            #expect(supported(half, .verify) == Set(Self.ecdsa) && supported(half, .encrypt) == Set(Self.ecies))
            #expect(supported(key, .sign) == Set(Self.ecdsa) && supported(key, .decrypt) == Set(Self.ecies))
            #expect(supported(key, .keyExchange) == Set(Self.ecdh))
            for operation in [SecKeyOperationType.sign, .decrypt, .keyExchange] { #expect(supported(half, operation).isEmpty) }
            for operation in [SecKeyOperationType.verify, .encrypt] { #expect(supported(key, operation).isEmpty) }
        }
    }

    @Test("174: an RSA public key encrypts and verifies, and says that it decrypts; a private one verifies as well")
    func rsa() {
        let (key, half) = (Shared.rsa2048, Shared.rsa2048.publicHalf)
        #expect(supported(half, .encrypt) == Set(Self.rsaEncryption) && supported(half, .verify) == Set(Self.rsaSignatures))
        #expect(supported(half, .decrypt) == [.rsaEncryptionRaw, .rsaEncryptionPKCS1])
        #expect(supported(key, .sign) == Set(Self.rsaSignatures) && supported(key, .verify) == Set(Self.rsaSignatures))
        #expect(supported(key, .decrypt) == Set(Self.rsaEncryption) && supported(key, .encrypt).isEmpty)
        #expect(supported(key, .keyExchange).isEmpty && supported(half, .sign).isEmpty)
    }

    @Test("175: what needs room in the modulus isn't there for a small one")
    func sizes() {
        let lacking = Set(Self.rsaSignatures + Self.rsaEncryption)
            .subtracting(supported(Shared.rsa1024, .sign)).subtracting(supported(Shared.rsa1024, .decrypt))
        #expect(
            lacking == [
                .rsaSignatureMessagePSSSHA512, .rsaSignatureDigestPSSSHA512, .rsaEncryptionOAEPSHA512,
                .rsaEncryptionOAEPSHA512AESGCM,
            ])
    }

    @Test("each constant has Apple's string")
    func strings() {
        let some: [(SecKeyAlgorithm, String)] = [
            (.rsaSignatureRaw, "algid:sign:RSA:raw"), (.rsaSignatureDigestPKCS1v15Raw, "algid:sign:RSA:digest-PKCS1v15"),
            (.rsaSignatureMessagePKCS1v15SHA384, "algid:sign:RSA:message-PKCS1v15:SHA384"),
            (.rsaSignatureDigestPSSSHA256, "algid:sign:RSA:digest-PSS:SHA256:SHA256:32"),
            (.ecdsaSignatureMessageX962SHA256, "algid:sign:ECDSA:message-X962:SHA256"),
            (.ecdsaSignatureDigestRFC4754, "algid:sign:ECDSA:digest-RFC4754"), (.rsaEncryptionPKCS1, "algid:encrypt:RSA:PKCS1"),
            (.rsaEncryptionOAEPSHA512AESGCM, "algid:encrypt:RSA:OAEP:SHA512:AESGCM"),
            (.eciesEncryptionStandardX963SHA1AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"),
            (
                .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
                "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
            ),
            (.ecdhKeyExchangeStandard, "algid:keyexchange:ECDH"),
            (.ecdhKeyExchangeCofactorX963SHA512, "algid:keyexchange:ECDHC:KDFX963:SHA512"),
        ]
        for (algorithm, raw) in some {
            #expect(algorithm.rawValue as String == raw && SecKeyAlgorithm(rawValue: raw as NSString) == algorithm)
        }
        #expect([SecKeyOperationType.sign, .verify, .encrypt, .decrypt, .keyExchange].map(\.rawValue) == [0, 1, 2, 3, 4])
    }
}
