import Testing
import ThumbAccess
import ThumbCrypto

@Suite("Keys that stay parsed")
struct VerifyingKeyTests {
    private let digest = [UInt8](repeating: 7, count: 32)

    @Test("A kept key says of a signature what the key itself says")
    func sameAnswer() throws {
        let own = try PrivateKey.generate(.elliptic(.p256))
        let key = try VerifyingKey(own.publicKey)
        for round in 0..<20 {
            let signature = try own.signature(digest: digest, .ecdsa)
            #expect(try key.isSignature(signature, ofSHA256: digest))
            var wrong = signature
            wrong[wrong.count - 1] ^= 1
            for other in [wrong, Array(signature.dropLast()), signature + [0], []] {
                #expect(try !key.isSignature(other, ofSHA256: digest))
                #expect(try !own.publicKey.isSignature(other, of: digest, .ecdsa))
            }
            #expect(try !key.isSignature(signature, ofSHA256: [UInt8](repeating: UInt8(round) + 8, count: 32)))
        }
    }

    @Test("Only P-256 is taken, and only a whole SHA-256")
    func limits() throws {
        for curve in [Curve.p384, .p521] {
            let key = try PrivateKey.generate(.elliptic(curve)).publicKey
            #expect(codeOf(Result { try VerifyingKey(key) }) == .unsupported)
        }
        let own = try PrivateKey.generate(.elliptic(.p256))
        let key = try VerifyingKey(own.publicKey)
        for count in [0, 31, 33] {
            #expect(codeOf(Result { try key.isSignature([], ofSHA256: [UInt8](repeating: 7, count: count)) }) == .invalidInput)
        }
    }

    @Test("One key serves several threads at once")
    func threads() async throws {
        let own = try PrivateKey.generate(.elliptic(.p256))
        let key = try VerifyingKey(own.publicKey)
        let signature = try own.signature(digest: digest, .ecdsa)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { try (0..<200).count { _ in try key.isSignature(signature, ofSHA256: digest) } }
            }
            for try await right in group { #expect(right == 200) }
        }
    }

    @Test("A key is made when it is first asked for, and not again while it is used")
    func kept() throws {
        let key = try VerifyingKey(PrivateKey.generate(.elliptic(.p256)).publicKey)
        let keys = ParsedKeys<Int>(atMost: 8)
        var made: [Int] = []
        func ask(_ name: Int) {
            _ = keys.key(name) {
                made.append(name)
                return key
            }
        }
        ask(0)
        for name in 1...40 {
            ask(name)
            ask(0)
        }
        #expect(made == Array(0...40))
    }

    @Test("No more keys are kept than was said, and those that were used last stay")
    func bounded() throws {
        let key = try VerifyingKey(PrivateKey.generate(.elliptic(.p256)).publicKey)
        let keys = ParsedKeys<Int>(atMost: 8)
        for name in 0..<100 {
            _ = keys.key(name) { key }
            #expect(keys.count <= 8)
        }
        for name in 97..<100 {
            _ = keys.key(name) {
                Issue.record("key \(name) was forgotten")
                return key
            }
        }
    }

    @Test("A key that couldn't be made is asked for again")
    func failure() throws {
        let key = try VerifyingKey(PrivateKey.generate(.elliptic(.p256)).publicKey)
        let keys = ParsedKeys<Int>(atMost: 8)
        #expect(throws: CryptoError.self) {
            try keys.key(1) { try VerifyingKey(PublicKey(p256: [])) }
        }
        #expect(keys.count == 0)
        #expect(keys.key(1) { key } === key)
    }

    @Test("Several threads may ask for the same keys")
    func askedAtOnce() async throws {
        let key = try VerifyingKey(PrivateKey.generate(.elliptic(.p256)).publicKey)
        let keys = ParsedKeys<Int>(atMost: 16)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for round in 0..<5_000 { _ = keys.key(round % 40) { key } } }
            }
        }
        #expect(keys.count <= 16)
    }
}
