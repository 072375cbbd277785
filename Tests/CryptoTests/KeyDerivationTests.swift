import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

@Suite("Key derivation") struct KeyDerivationTests {
    @Test("HKDF gives RFC 5869's keys")
    func rfc5869() throws {
        let first = try secret(String(repeating: "0b", count: 22))
        let salt = hex("000102030405060708090a0b0c")
        let info = hex("f0f1f2f3f4f5f6f7f8f9")
        let key = hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        #expect(
            try HKDF.extract(secret: first, salt: salt).exposed
                == hex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"))
        #expect(try HKDF.derive(secret: first, salt: salt, info: info, count: 42).exposed == key)
        #expect(try HKDF.expand(key: HKDF.extract(secret: first, salt: salt), info: info, count: 42).exposed == key)

        let long = try HKDF.derive(
            secret: SecretBytes(copying: 0x00...0x4F), salt: Array(0x60...0xAF), info: Array(0xB0...0xFF), count: 82)
        #expect(
            long.exposed
                == hex(
                    "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                        + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"))

        #expect(
            try HKDF.derive(secret: first, info: [], count: 42).exposed
                == hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    @Test("HKDF and X9.63 take their longest output, one byte more and none are refused")
    func limits() throws {
        let key = try SecretBytes.random(count: 32)
        #expect(try HKDF.derive(secret: key, info: [], count: HKDF.maximumCount).count == HKDF.maximumCount)
        #expect(try X963KDF.derive(secret: key, sharedInfo: [], count: X963KDF.maximumCount).count == X963KDF.maximumCount)
        for count in [0, -1, HKDF.maximumCount + 1] {
            #expect(codeOf(Result { try HKDF.derive(secret: key, info: [], count: count) }) == .limit)
        }
        for count in [0, -1, X963KDF.maximumCount + 1] {
            #expect(codeOf(Result { try X963KDF.derive(secret: key, sharedInfo: [], count: count) }) == .limit)
        }
    }

    @Test("X9.63 with another hash is that hash of secret, counter and info")
    func x963Hashes() throws {
        let shared = try SecretBytes(copying: Array("shared".utf8))
        for hash in HashFunction.allCases {
            let blocks = try (UInt8(1)...2).map { try hash.hash(Array("shared".utf8) + [0, 0, 0, $0] + Array("info".utf8)) }
            let derived = try X963KDF.derive(
                secret: shared, sharedInfo: Array("info".utf8), count: hash.byteCount + 5, hash: hash)
            #expect(derived.exposed == Array(blocks.joined().prefix(hash.byteCount + 5)))
        }
    }

    @Test("Argon2id gives RFC 9106's tag")
    func rfc9106() throws {
        let tag = try Argon2id.derive(
            passcode: secret(String(repeating: "01", count: 32)), salt: [UInt8](repeating: 2, count: 16), memoryKiB: 32,
            iterations: 3, lanes: 4, count: 32, secret: secret(String(repeating: "03", count: 8)),
            associatedData: [UInt8](repeating: 4, count: 12))
        #expect(tag.exposed == hex("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"))
    }

    @Test("Argon2id gives the reference implementation's keys")
    func reference() throws {
        let salt = Array("somesalt".utf8)
        let password = try SecretBytes(copying: Array("password".utf8))
        #expect(
            try Argon2id.derive(passcode: password, salt: salt, memoryKiB: 256, iterations: 2, lanes: 1, count: 32).exposed
                == hex("9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"))
        #expect(
            try Argon2id.derive(passcode: password, salt: salt, memoryKiB: 256, iterations: 2, lanes: 2, count: 32).exposed
                == hex("6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037"))
    }

    private struct Parameters: Sendable {
        var memory = 64
        var iterations = 1
        var lanes = 1
        var salt = 16
        var count = 32
        var passcode = 8

        func run() throws -> SecretBytes {
            try Argon2id.derive(
                passcode: SecretBytes(count: passcode) { _ in }, salt: [UInt8](repeating: 0, count: salt), memoryKiB: memory,
                iterations: iterations, lanes: lanes, count: count)
        }
    }

    @Test("Argon2id takes its limits and refuses what is beyond them")
    func argonLimits() throws {
        let taken: [Parameters] = [
            .init(memory: 8), .init(iterations: 64), .init(memory: 128, lanes: 16), .init(salt: 8), .init(salt: 64),
            .init(count: 4), .init(count: 1024), .init(passcode: 0), .init(passcode: 4096),
        ]
        for parameters in taken { #expect(try parameters.run().count == parameters.count, "\(parameters)") }
        let refused: [Parameters] = [
            .init(memory: 7), .init(memory: 1_048_577), .init(memory: 127, lanes: 16), .init(iterations: 0),
            .init(iterations: 65), .init(memory: 1024, lanes: 17), .init(lanes: 0), .init(salt: 7), .init(salt: 65),
            .init(count: 3), .init(count: 1025), .init(passcode: 4097), .init(memory: -1),
        ]
        for parameters in refused { #expect(codeOf(Result { try parameters.run() }) == .limit, "\(parameters)") }
    }
}
