import Foundation
import Testing
import ThumbSecrets

@testable import ThumbCrypto

@Suite("P-256") struct P256Tests {
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

    @Test("all 612 of Wycheproof's ECDH vectors come out as they say", .enabled(if: Vectors.arePresent, Vectors.absence))
    func agreement() throws {
        let file = try Vectors.Wycheproof<AgreementGroup>.read("ecdh_secp256r1_test.json")
        let tests = file.testGroups.flatMap(\.tests)
        #expect(tests.count == 612 && file.numberOfTests == 612)
        var valid = 0
        for test in tests {
            let key = try P256.PrivateKey(scalar: scalar(test.private))
            let shared = Result { try key.sharedSecret(with: P256.PublicKey(der: hex(test.public))) }
            switch test.result {
            case .valid:
                #expect(try shared.get().exposed == hex(test.shared), "vector \(test.tcId)")
                valid += 1
            case .invalid, .acceptable:
                // Acceptable are odd encodings: here only the one encoding is taken.
                #expect(codeOf(shared) == .invalidKey, "vector \(test.tcId)")
            }
        }
        #expect(valid == 330)
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

    @Test("all 471 of Wycheproof's ECDSA vectors come out as they say", .enabled(if: Vectors.arePresent, Vectors.absence))
    func signatures() throws {
        let file = try Vectors.Wycheproof<SignatureGroup>.read("ecdsa_secp256r1_sha256_test.json")
        #expect(file.testGroups.reduce(0) { $0 + $1.tests.count } == 471 && file.numberOfTests == 471)
        for group in file.testGroups {
            let key = try P256.PublicKey(der: hex(group.publicKeyDer))
            #expect(key.x963 == hex(group.publicKey.uncompressed))
            #expect(key.spkiDER == hex(group.publicKeyDer))
            #expect(key.pem == group.publicKeyPem)
            for test in group.tests {
                let holds = try key.isValidSignature(hex(test.sig), digest: SHA256.hash(hex(test.msg)))
                #expect(holds == (test.result == .valid), "vector \(test.tcId)")
            }
        }
    }

    @Test("a scalar of RFC 6979 has that RFC's point")
    func knownPoint() throws {
        let key = try P256.PrivateKey(scalar: secret("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"))
        #expect(
            key.publicKey.x963
                == hex(
                    "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                        + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"))
        // A signature of that RFC, over SHA-256 of "sample".
        let signature =
            hex("3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")
            + hex("022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
        #expect(try key.publicKey.isValidSignature(signature, digest: SHA256.hash(Array("sample".utf8))))
    }

    @Test("a new key signs what its public half verifies, and agrees with another", arguments: HashAlgorithm.allCases)
    func generated(hash: HashAlgorithm) throws {
        let (mine, theirs) = try (P256.PrivateKey.generate(), P256.PrivateKey.generate())
        #expect(mine.publicKey != theirs.publicKey)
        #expect(mine.scalar != theirs.scalar)
        let digest = try hash.hash(Array("message".utf8))
        let signature = try mine.signature(digest: digest)
        #expect(try mine.publicKey.isValidSignature(signature, digest: digest))
        #expect(try !theirs.publicKey.isValidSignature(signature, digest: digest))
        #expect(try !mine.publicKey.isValidSignature(signature, digest: hash.hash(Array("massage".utf8))))
        #expect(try mine.signature(digest: digest) != signature, "a nonce came twice")
        #expect(try mine.sharedSecret(with: theirs.publicKey) == theirs.sharedSecret(with: mine.publicKey))
        let again = try P256.PrivateKey(scalar: mine.scalar)
        #expect(again.publicKey == mine.publicKey)
    }

    @Test("a scalar must lie between 1 and the order less 1")
    func scalars() throws {
        let order = P256.order
        for (scalar, isTaken) in [
            ([UInt8](repeating: 0, count: 32), false), (Array(repeating: 0, count: 31) + [1], true),
            (order, false), (Array(order.dropLast()) + [0x50], true), (Array(order.dropLast()) + [0x52], false),
            ([UInt8](repeating: 0xFF, count: 32), false), ([UInt8](repeating: 1, count: 31), false),
            ([UInt8](repeating: 0, count: 1) + order.dropLast() + [0x50], false), ([], false),
        ] {
            let made = Result { try P256.PrivateKey(scalar: SecretBytes(copying: scalar)) }
            #expect(codeOf(made) == (isTaken ? nil : .invalidKey), "\(scalar)")
        }
    }

    @Test("a point off the curve, or in another form, is refused")
    func points() throws {
        let good = try P256.PrivateKey.generate().publicKey
        #expect(try P256.PublicKey(x963: good.x963) == good)
        #expect(try P256.PublicKey(der: good.spkiDER) == good)
        for index in 1..<65 {
            var point = good.x963
            point[index] ^= 1
            #expect(codeOf(Result { try P256.PublicKey(x963: point) }) == .invalidKey)
        }
        let compressed = [2 + (good.x963[64] & 1)] + good.x963[1..<33]
        let hybrid = [6 + (good.x963[64] & 1)] + good.x963[1...]
        let short = Array(good.x963.dropLast())
        let zero = [4] + [UInt8](repeating: 0, count: 64)
        for point in [[], [0], compressed, hybrid, good.x963 + [0], short, zero] {
            #expect(codeOf(Result { try P256.PublicKey(x963: point) }) == .invalidKey, "\(point.count) bytes")
        }
        #expect(codeOf(Result { try P256.PublicKey(der: good.spkiDER + [0]) }) == .invalidKey)
        #expect(codeOf(Result { try P256.PublicKey(der: good.x963) }) == .invalidKey)
    }

    @Test("a digest of no hash's length is refused", arguments: [0, 19, 65])
    func digests(count: Int) throws {
        let key = try P256.PrivateKey.generate()
        let digest = [UInt8](repeating: 1, count: count)
        #expect(codeOf(Result { try key.signature(digest: digest) }) == .invalidInput)
        #expect(codeOf(Result { try key.publicKey.isValidSignature([], digest: digest) }) == .invalidInput)
    }

    @Test("operations leave no secret memory in use")
    func release() throws {
        let arena = SecretArena()
        var key: P256.PrivateKey? = try P256.PrivateKey(
            scalar: SecretBytes(copying: [UInt8](repeating: 1, count: 32), in: arena))
        #expect(try key?.signature(digest: [UInt8](repeating: 0, count: 32)).isEmpty == false)
        #expect(arena.statistics.secrets == 1)
        key = nil
        #expect(arena.statistics.secrets == 0)
    }
}
