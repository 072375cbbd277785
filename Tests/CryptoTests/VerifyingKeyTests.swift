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
        #expect(key.spki == own.publicKey.spki)
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

    @Test("A key that is used stays, and the others are forgotten in their turn")
    func kept() throws {
        let key = try VerifyingKey(PrivateKey.generate(.elliptic(.p256)).publicKey)
        let keys = ParsedKeys<Int>(atMost: 8)
        #expect(keys.kept(0) == nil)
        keys.keep(key, as: 0)
        for name in 1...40 {
            keys.keep(key, as: name)
            #expect(keys.kept(0) === key)
            #expect(keys.count <= 8)
        }
        #expect(keys.kept(1) == nil)
        #expect(keys.kept(40) === key)
    }

    @Test("As many keys are kept as was said, and no more, and those that were kept last stay", arguments: [2, 8, 9, 64])
    func bounded(most: Int) throws {
        let key = try VerifyingKey(PrivateKey.generate(.elliptic(.p256)).publicKey)
        let keys = ParsedKeys<Int>(atMost: most)
        var largest = 0
        for name in 0..<200 {
            keys.keep(key, as: name)
            largest = max(largest, keys.count)
        }
        #expect(largest == most / 2 * 2)
        for name in (200 - most / 2)..<200 { #expect(keys.kept(name) === key) }
    }

    @Test("Keeping a key again by its name takes no more room, and the new one stands")
    func again() throws {
        let made = try (0..<2).map { _ in try VerifyingKey(PrivateKey.generate(.elliptic(.p256)).publicKey) }
        let keys = ParsedKeys<Int>(atMost: 4)
        keys.keep(made[0], as: 1)
        keys.keep(made[0], as: 2)
        keys.keep(made[1], as: 1)
        #expect(keys.count == 2)
        #expect(keys.kept(1) === made[1])
        #expect(keys.kept(2) === made[0])
    }

    @Test("Several threads may ask for the same keys")
    func askedAtOnce() async throws {
        let key = try VerifyingKey(PrivateKey.generate(.elliptic(.p256)).publicKey)
        let keys = ParsedKeys<Int>(atMost: 16)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for round in 0..<5_000 where keys.kept(round % 40) == nil { keys.keep(key, as: round % 40) }
                }
            }
        }
        #expect(keys.count <= 16)
    }
}
