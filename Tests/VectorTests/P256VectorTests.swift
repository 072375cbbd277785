import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

@Suite("P-256's vectors") struct P256VectorTests {
    private struct AgreementGroup: Decodable {
        struct Test: Decodable {
            let tcId: Int
            let `public`, `private`, shared: String
            let result: Vectors.Expected
        }
        let tests: [Test]
    }

    /// A scalar as the file writes it, a signed number of any length, in 32 bytes.
    private func scalar(_ text: String) throws -> SecretBytes {
        let bytes = hex(text.count % 2 == 0 ? text : "0" + text).drop { $0 == 0 }
        return try SecretBytes(copying: [UInt8](repeating: 0, count: 32 - bytes.count) + bytes)
    }

    @Test("all 612 of Wycheproof's ECDH vectors come out as they say", arguments: custodians)
    func agreement(custodian: any Custodian) throws {
        let custodian = try custodian.ready()
        let name = "ecdh_secp256r1_test.json"
        let file = try Vectors.Wycheproof<AgreementGroup>.read(name)
        let tests = file.testGroups.flatMap(\.tests)
        #expect(tests.count == 612 && file.numberOfTests == 612)
        #expect(tests.count { $0.result == .valid } == 330)
        try Vectors.tryFile(name + custodian.suffix, tests) { test in
            let shared = Result {
                try custodian.shared(scalar(test.private), with: PublicKey(spki: hex(test.public))).exposed
            }
            // Acceptable are odd encodings: here only the one encoding is taken. Some invalid ones are keys of other curves.
            return try test.result == .valid ? shared.get() == hex(test.shared) : shared.isRefused
        }
    }

    private struct SignatureGroup: Decodable {
        struct Key: Decodable { let uncompressed: String }
        struct Test: Decodable {
            let tcId: Int
            let msg, sig: String
            let result: Vectors.Expected
        }
        let publicKey: Key
        let publicKeyDer, publicKeyPem: String
        let tests: [Test]
    }

    @Test("all 471 of Wycheproof's ECDSA vectors come out as they say", arguments: custodians)
    func signatures(custodian: any Custodian) throws {
        let custodian = try custodian.ready()
        let name = "ecdsa_secp256r1_sha256_test.json"
        let file = try Vectors.Wycheproof<SignatureGroup>.read(name)
        let tests = file.testGroups.flatMap { group in group.tests.map { (group, $0) } }
        #expect(tests.count == 471 && file.numberOfTests == 471)
        for group in file.testGroups {
            let key = try PublicKey(spki: hex(group.publicKeyDer))
            #expect(key.external == hex(group.publicKey.uncompressed))
            #expect(key.spki == hex(group.publicKeyDer))
            #expect(key.pem == group.publicKeyPem)
        }
        try Vectors.tryFile(name + custodian.suffix, tests) { group, test in
            let key = try PublicKey(external: hex(group.publicKey.uncompressed), .elliptic)
            let digest = try HashFunction.sha256.hash(hex(test.msg))
            let signature = hex(test.sig)
            let holds = try custodian.isSignature(signature, of: digest, by: key)
            // What holds has one form of each kind, which lead to one another.
            if holds,
                ECDSASignature.rfc4754(der: signature, .p256).flatMap({ ECDSASignature.der(rfc4754: $0, .p256) }) != signature
            {
                return false
            }
            return holds == (test.result == .valid)
        }
    }
}

extension Result {
    /// Whether the key was refused, rather than the machine having failed.
    fileprivate var isRefused: Bool {
        guard case .failure(let error as CryptoError) = self else { return false }
        return error.code == .invalidKey || error.code == .invalidInput
    }
}
