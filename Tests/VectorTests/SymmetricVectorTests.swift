import Foundation
import Testing
import ThumbCrypto
import ThumbSecrets

@Suite("AES-GCM's and X9.63's vectors") struct SymmetricVectorTests {
    private struct Group: Decodable {
        struct Test: Decodable {
            let tcId: Int
            let key, iv, aad, msg, ct, tag: String
            let result: Vectors.Expected
        }
        let tests: [Test]
    }

    private func code(_ result: Result<SecretBytes, any Error>) -> CryptoError.Code? {
        if case .failure(let error) = result { (error as? CryptoError)?.code } else { nil }
    }

    @Test("all 316 of Wycheproof's AES-GCM vectors come out as they say")
    func wycheproof() throws {
        let name = "aes_gcm_test.json"
        let file = try Vectors.Wycheproof<Group>.read(name)
        let tests = file.testGroups.flatMap(\.tests)
        #expect(tests.count == 316 && file.numberOfTests == 316)
        #expect(tests.count { hex($0.iv).count > AESGCM.maximumNonce } == 3)
        #expect(tests.count { hex($0.iv).count == 16 } > 0)
        #expect(!tests.contains { $0.result == .acceptable })
        try Vectors.tryFile(name, tests) { test in
            let key = try secret(test.key)
            let (nonce, data, sealed) = (hex(test.iv), hex(test.aad), hex(test.ct) + hex(test.tag))
            let opened = Result { try AESGCM.open(sealed, key: key, nonce: nonce, associatedData: data) }
            // Valid by the standard, beyond libcrypto: refused with a reason, not answered wrongly.
            if nonce.count > AESGCM.maximumNonce { return code(opened) == .limit }
            guard test.result == .valid else { return code(opened) == (nonce.isEmpty ? .invalidInput : .authenticationFailed) }
            return try opened.get().exposed == hex(test.msg)
                && AESGCM.seal(secret(test.msg), key: key, nonce: nonce, associatedData: data) == sealed
                && AESGCM.seal(hex(test.msg), key: key, nonce: nonce, associatedData: data) == sealed
        }
    }

    @Test("X9.63 gives the 20 keys of NIST's file")
    func x963() throws {
        let name = "ansx963_2001_sha256.txt"
        let text = try String(decoding: Vectors.data(name), as: UTF8.self)
        var fields: [Substring: String] = [:]
        var vectors: [[Substring: String]] = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let equals = line.firstIndex(of: "="), line.first != "[", line.first != "#" else { continue }
            let field = line[..<equals].drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
            fields[field] = line[line.index(after: equals)...].filter { !$0.isWhitespace }
            if field == "key_data" { vectors.append(fields) }
        }
        #expect(vectors.count == 20)
        try Vectors.tryFile(name, vectors) { fields in
            let key = try hex(#require(fields["key_data"]))
            return try X963KDF.derive(
                secret: secret(#require(fields["Z"])), sharedInfo: hex(#require(fields["SharedInfo"])), count: key.count,
                hash: .sha256
            ).exposed == key
        }
    }
}
