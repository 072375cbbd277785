import Foundation
import Security
import Testing

@Suite("RSA's encryption") struct EncryptionTests {
    static let oaep: [(SecKeyAlgorithm, hash: Int)] = [
        (.rsaEncryptionOAEPSHA1, 20), (.rsaEncryptionOAEPSHA224, 28), (.rsaEncryptionOAEPSHA256, 32),
        (.rsaEncryptionOAEPSHA384, 48), (.rsaEncryptionOAEPSHA512, 64),
    ]
    static let hybrids: [SecKeyAlgorithm] = [
        .rsaEncryptionOAEPSHA1AESGCM, .rsaEncryptionOAEPSHA224AESGCM, .rsaEncryptionOAEPSHA256AESGCM,
        .rsaEncryptionOAEPSHA384AESGCM, .rsaEncryptionOAEPSHA512AESGCM,
    ]

    @Test("148: OAEP takes the block less two hashes and two bytes; a key too small for the hash can't do it at all")
    func padded() throws {
        let key = Shared.rsa2048
        for (algorithm, hash) in Self.oaep {
            let longest = Data(repeating: 9, count: 256 - 2 * hash - 2)
            #expect(try key.decrypt(key.publicHalf.encrypt(longest, algorithm), algorithm) == longest)
            #expect(try key.decrypt(key.publicHalf.encrypt(Data(), algorithm), algorithm) == Data())
            #expect(throws: Refusal.status(errSecParam)) { try key.publicHalf.encrypt(longest + [0], algorithm) }
        }
        #expect(!Shared.rsa1024.publicHalf.can(.encrypt, .rsaEncryptionOAEPSHA512))
        #expect(throws: Refusal.status(errSecParam)) {
            try Shared.rsa1024.publicHalf.encrypt(Data(), .rsaEncryptionOAEPSHA512)
        }
    }

    @Test("149: PKCS#1 takes the block less eleven bytes; the bare power gives a whole block, there and back")
    func plain() throws {
        let (key, half) = (Shared.rsa1024, Shared.rsa1024.publicHalf)
        let longest = Data(repeating: 9, count: 117)
        #expect(try key.decrypt(half.encrypt(longest, .rsaEncryptionPKCS1), .rsaEncryptionPKCS1) == longest)
        #expect(throws: Refusal.status(errSecParam)) { try half.encrypt(longest + [0], .rsaEncryptionPKCS1) }
        let sealed = try half.encrypt(Data([5]), .rsaEncryptionRaw)
        #expect(sealed.count == 128)
        #expect(try key.decrypt(sealed, .rsaEncryptionRaw) == Data(count: 127) + [5])
    }

    @Test("150: with AES-GCM any length is taken: a wrapped key, the ciphertext, a tag", arguments: hybrids)
    func hybrid(algorithm: SecKeyAlgorithm) throws {
        let key = Shared.rsa2048
        for count in [0, 1, 10_000] {
            let plaintext = Data(repeating: 9, count: count)
            let sealed = try key.publicHalf.encrypt(plaintext, algorithm)
            #expect(sealed.count == 256 + count + 16)
            #expect(try key.decrypt(sealed, algorithm) == plaintext)
        }
    }

    @Test("151: too short, tampered, or with a session key of another size: one answer")
    func tampered() throws {
        let key = Shared.rsa2048
        let algorithm = SecKeyAlgorithm.rsaEncryptionOAEPSHA256AESGCM
        let sealed = try key.publicHalf.encrypt(message, algorithm)
        var wrong = [Data(), sealed.prefix(255), sealed.prefix(271), sealed.dropLast(), sealed + [0]]
        for place in [0, 255, 256, sealed.count - 1] {
            var changed = sealed
            changed[place] ^= 1
            wrong.append(changed)
        }
        // A key of AES-256 where AES-128 is due.
        wrong.append(try key.publicHalf.encrypt(Data(count: 32), .rsaEncryptionOAEPSHA256) + sealed.suffix(80))
        for wrong in wrong {
            #expect(throws: Refusal.status(errSecParam)) { try key.decrypt(Data(wrong), algorithm) }
        }
    }

    @Test("174: a public RSA key that is told to decrypt takes the same power, as Apple's does")
    func publicPower() throws {
        let (key, half) = (Shared.rsa1024, Shared.rsa1024.publicHalf)
        let block = Data([0, 2] + [UInt8](repeating: 7, count: 120) + [0]) + Data("short".utf8)
        let signature = try key.sign(block, .rsaSignatureRaw)
        #expect(try half.decrypt(signature, .rsaEncryptionRaw) == block)
        #expect(try half.decrypt(signature, .rsaEncryptionPKCS1) == Data("short".utf8))
        #expect(throws: Refusal.status(errSecParam)) { try half.decrypt(Data(count: 128), .rsaEncryptionPKCS1) }
    }

    @Test("174: the padding that a public RSA key takes off has eight bytes at least, as PKCS#1 says")
    func shortPadding() throws {
        let (key, half) = (Shared.rsa1024, Shared.rsa1024.publicHalf)
        func opened(padding count: Int) throws -> Data {
            let block = Data([0, 2] + [UInt8](repeating: 7, count: count) + [0]) + Data(repeating: 9, count: 125 - count)
            return try half.decrypt(key.sign(block, .rsaSignatureRaw), .rsaEncryptionPKCS1)
        }
        #expect(try opened(padding: 8) == Data(repeating: 9, count: 117))
        #expect(throws: Refusal.status(errSecParam)) { try opened(padding: 7) }
    }
}
