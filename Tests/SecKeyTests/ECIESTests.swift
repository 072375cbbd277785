import Foundation
import Security
import Testing
import ThumbCrypto
import ThumbSecrets

@Suite("ECIES") struct ECIESTests {
    typealias Twins = (standard: SecKeyAlgorithm, cofactor: SecKeyAlgorithm)

    static let fixed: [Twins] = [
        (.eciesEncryptionStandardX963SHA1AESGCM, .eciesEncryptionCofactorX963SHA1AESGCM),
        (.eciesEncryptionStandardX963SHA224AESGCM, .eciesEncryptionCofactorX963SHA224AESGCM),
        (.eciesEncryptionStandardX963SHA256AESGCM, .eciesEncryptionCofactorX963SHA256AESGCM),
        (.eciesEncryptionStandardX963SHA384AESGCM, .eciesEncryptionCofactorX963SHA384AESGCM),
        (.eciesEncryptionStandardX963SHA512AESGCM, .eciesEncryptionCofactorX963SHA512AESGCM),
    ]
    static let variable: [Twins] = [
        (.eciesEncryptionStandardVariableIVX963SHA224AESGCM, .eciesEncryptionCofactorVariableIVX963SHA224AESGCM),
        (.eciesEncryptionStandardVariableIVX963SHA256AESGCM, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM),
        (.eciesEncryptionStandardVariableIVX963SHA384AESGCM, .eciesEncryptionCofactorVariableIVX963SHA384AESGCM),
        (.eciesEncryptionStandardVariableIVX963SHA512AESGCM, .eciesEncryptionCofactorVariableIVX963SHA512AESGCM),
    ]

    @Test(
        "152, 160: a point, as many bytes as the plaintext, a tag; either twin opens what the other sealed",
        arguments: [256, 384, 521])
    func form(bits: Int) throws {
        let key = Shared.curves[bits]!
        let pointBytes = try key.publicHalf.exported().count
        for (one, other) in Self.fixed + Self.variable {
            for plaintext in [Data(), message] {
                let sealed = try key.publicHalf.encrypt(plaintext, one)
                #expect(sealed.count == pointBytes + plaintext.count + 16 && sealed.first == 4)
                #expect(try key.decrypt(sealed, other) == plaintext)
                #expect(try key.decrypt(key.publicHalf.encrypt(plaintext, other), one) == plaintext)
            }
        }
    }

    @Test("161: the derived nonce isn't there with SHA-1, and is another ciphertext than the fixed one")
    func variableNonce() throws {
        let key = Shared.curves[256]!
        for family in ["ECDH", "ECDHC"] {
            let name = SecKeyAlgorithm(rawValue: "algid:encrypt:ECIES:\(family):KDFX963:SHA1:AESGCM-KDFIV" as NSString)
            #expect(!key.publicHalf.can(.encrypt, name))
        }
        let sealed = try key.publicHalf.encrypt(message, .eciesEncryptionStandardX963SHA256AESGCM)
        #expect(throws: Refusal.status(errSecParam)) {
            try key.decrypt(sealed, .eciesEncryptionStandardVariableIVX963SHA256AESGCM)
        }
    }

    @Test("162: only a public key encrypts, only a private one decrypts")
    func halves() throws {
        let (key, algorithm) = (Shared.curves[256]!, SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM)
        #expect(throws: Refusal.status(errSecParam)) { try key.encrypt(message, algorithm) }
        let sealed = try key.publicHalf.encrypt(message, algorithm)
        #expect(throws: Refusal.status(errSecParam)) { try key.publicHalf.decrypt(sealed, algorithm) }
    }

    @Test("163: too short, a point that is none, a changed byte: one answer")
    func tampered() throws {
        let (key, algorithm) = (Shared.curves[256]!, SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM)
        let sealed = try key.publicHalf.encrypt(message, algorithm)
        for count in [0, 1, 64, 65, 80] {
            #expect(throws: Refusal.status(errSecParam)) { try key.decrypt(sealed.prefix(count), algorithm) }
        }
        for place in [0, 1, 40, 64, 65, sealed.count - 17, sealed.count - 1] {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: Refusal.status(errSecParam)) { try key.decrypt(changed, algorithm) }
        }
        #expect(throws: Refusal.status(errSecParam)) { try key.decrypt(sealed.dropLast(16), algorithm) }
    }

    @Test("164: what was sealed with shared info, a key's size or further data of one's own isn't opened; no name asks for it")
    func parameters() throws {
        let key = Shared.curves[256]!
        let size = SecKeyKeyExchangeParameter.requestedSize.rawValue as String
        let info = SecKeyKeyExchangeParameter.sharedInfo.rawValue as String
        /// ECIES by hand, as other programs can do it.
        func seal(_ ownInfo: [UInt8] = [], keyBytes: Int = 16, furtherData: [UInt8] = []) throws -> Data {
            let ephemeral = try newKey(kSecAttrKeyTypeEC, 256)
            let point = try ephemeral.publicHalf.exported()
            let derived = try ephemeral.agree(
                with: key.publicHalf, .ecdhKeyExchangeStandardX963SHA256, [size: keyBytes, info: point + Data(ownInfo)])
            let sealed = try AESGCM.seal(
                [UInt8](message), key: SecretBytes(copying: [UInt8](derived)), nonce: [UInt8](repeating: 0, count: 16),
                associatedData: furtherData)
            return point + Data(sealed)
        }
        #expect(try key.decrypt(seal(), .eciesEncryptionStandardX963SHA256AESGCM) == message)
        let others = [try seal([1]), try seal(keyBytes: 24), try seal(keyBytes: 32), try seal(furtherData: [1])]
        for name in (Self.fixed + Self.variable).flatMap({ [$0.standard, $0.cofactor] }) {
            for sealed in others { #expect(throws: Refusal.status(errSecParam)) { try key.decrypt(sealed, name) } }
            let longer = SecKeyAlgorithm(rawValue: (name.rawValue as String + ":parameters") as NSString)
            #expect(!key.publicHalf.can(.encrypt, longer) && !key.can(.decrypt, longer))
            #expect(throws: Refusal.status(errSecParam)) { try key.publicHalf.encrypt(message, longer) }
        }
    }

    private struct File: Decodable {
        struct Vector: Decodable {
            let key, algorithm, plaintextHex: String
            let privateKey, ciphertext: Data
        }
        let vectors: [Vector]
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "VectorTests/Vectors/apple-ecies.json")

    @Test("153 to 159: all 15 ciphertexts that Apple's SecKey made open under their names here")
    func apple() throws {
        let vectors = try JSONDecoder().decode(File.self, from: Data(contentsOf: Self.file)).vectors
        #expect(vectors.count == 15)
        for vector in vectors {
            let key = try readKey(vector.privateKey, vector.key.hasPrefix("RSA") ? "42" : "73", "1")
            let opened = try key.decrypt(vector.ciphertext, try Self.algorithm(vector.algorithm))
            #expect(opened.map { String(format: "%02x", $0) }.joined() == vector.plaintextHex, "\(vector.algorithm)")
        }
    }

    /// The algorithm that the file names as Apple's constants are named.
    private static func algorithm(_ name: String) throws -> SecKeyAlgorithm {
        let hash = try #require(name.firstMatch(of: /SHA\d+/)).output
        if name.hasPrefix("RSA") { return SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:OAEP:\(hash):AESGCM" as NSString) }
        let (family, nonce) = (name.contains("Cofactor") ? "ECDHC" : "ECDH", name.contains("VariableIV") ? "-KDFIV" : "")
        return SecKeyAlgorithm(rawValue: "algid:encrypt:ECIES:\(family):KDFX963:\(hash):AESGCM\(nonce)" as NSString)
    }
}
