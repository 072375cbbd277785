import Testing
import ThumbSecrets

@testable import ThumbCrypto

/// The numbers come from Python's `cryptography` 48.0.0, run once (November 2026): exponents are SHA-256 of "own", "peer 0" and
/// "peer 538", the prime is RFC 2409's text, the key is its HKDF, the ciphertext its AES-128-CBC with its PKCS #7 padding.
@Suite("Secret Service sessions") struct TransferTests {
    private let exponent = "5b3975651c3cab92d044c096dc30a1c2d9525497457472de48c51ecb363d1f4a"
    private let ours = """
        ced04c6a202083dd61e24067b40fbb0aadd098f7e528c7556b23e01a5c690db8e2680124e71cea14e2f51db782fe38b32accc1a810382f094cbec993
        0b71d7d3eb4377f3a14c653d6739b78486f30772b862632025998ba4b7e108f4b1cd623f7807e267f100911f8274bc053fd0499c29ae7389f9278293
        c213ffd5bb2c96c7
        """
    private let peer = """
        c7bc03355bcd443c82dc6dea25cd981aadde90ff5e767da8424c4bf69ba4fa9420c8815fe583e6b55c8e396ccdf1d2c302dd452b8a78c2aa696857ee
        74074197323c03d934403ef27625d2c454576fa3cac8a03adfb2cdf3fe0c34f0904604c7d3d1d6601c9b5cda6972295b89715bada093984074025
        8f775c87243514397a4
        """
    /// Its shared value begins with a zero byte.
    private let peerOfZero = """
        6df047222e99b17dad524f8a48fdb33115a70e2905b4c97af3084d90b0b2cc778fce2e20365fb2cb0ddccfad940d0659214227217b4b694ce65d49d0
        76f7ea08627a2829851c326b10d7871c37939c022af49c751facbd68624be0d0023983f8146ba7b77b64d7681758e5a999c64fb439aa803a0e799aa3
        228ada74e057eae4
        """
    private let prime = """
        ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6d
        f25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381
        ffffffffffffffff
        """

    private func half() throws -> TransferAgreement { try TransferAgreement(exponent: secret(exponent)) }

    @Test("public value, key and ciphertext are those of another implementation")
    func vector() throws {
        let own = try half()
        #expect(own.publicValue == hex(ours))
        let key = try own.key(with: hex(peer))
        let vector = Array(UInt8(0)..<16)
        let secret = try SecretBytes(copying: Array("correct horse".utf8))
        #expect(try key.seal(secret, vector: vector) == hex("60a5dffc9a6eb59facf320b2f1b120e0"))
        let sealed = try SecretBytes(copying: hex("60a5dffc9a6eb59facf320b2f1b120e0"))
        #expect(try key.open(sealed, vector: vector) == secret)
    }

    @Test("a shared value that begins with zeros is as long as the prime all the same")
    func zeros() throws {
        let key = try half().key(with: hex(peerOfZero))
        let vector = Array(UInt8(16)..<32)
        #expect(try key.seal(SecretBytes(copying: []), vector: vector) == hex("15d6f54499fa747e00b1d3daeadccd40"))
        #expect(try key.open(secret("15d6f54499fa747e00b1d3daeadccd40"), vector: vector).isEmpty)
    }

    @Test("two halves have one key, and each message a vector of its own")
    func both() throws {
        let (one, other) = (try TransferAgreement(), try TransferAgreement())
        #expect(one.publicValue != other.publicValue)
        let (here, there) = (try one.key(with: other.publicValue), try other.key(with: one.publicValue))
        for count in [0, 1, 15, 16, 17, 1 << 20] {
            let secret = try SecretBytes.random(count: count)
            let (vector, ciphertext) = try here.seal(secret)
            #expect(ciphertext.count == (count / 16 + 1) * 16)
            #expect(try there.open(SecretBytes(copying: ciphertext), vector: vector) == secret)
        }
        let secret = try SecretBytes.random(count: 20)
        #expect(try here.seal(secret).ciphertext != here.seal(secret).ciphertext)
    }

    @Test(
        "0, 1, the prime less 1, the prime and what is beyond are refused, and nothing at all; 2 and the prime less 2 are taken")
    func publicValues() throws {
        let own = try half()
        let whole = hex(prime)
        func less(_ number: UInt8) -> [UInt8] { whole.dropLast() + [whole[127] - number] }
        let beyond = [UInt8](repeating: 0xff, count: 128)
        let zeros = [UInt8](repeating: 0, count: 128)
        let refused: [[UInt8]] = [
            [], [0], [1], zeros, zeros.dropLast() + [1], less(1), whole, beyond, [1] + zeros,
        ]
        for value in refused {
            let result = Result { try own.key(with: value) }
            #expect(codeOf(result) == .invalidKey)
        }
        let taken: [[UInt8]] = [[2], less(2), zeros.dropLast() + [2]]
        for value in taken {
            let result = Result { try own.key(with: value) }
            #expect(codeOf(result) == nil)
        }
    }

    @Test("a public value has a longest form: as long as that it is read, one byte longer it isn't")
    func lengths() throws {
        let own = try half()
        let long = [UInt8](repeating: 0, count: TransferAgreement.longestValue - 128) + hex(peer)
        #expect(long.count == TransferAgreement.longestValue)
        let sealed = try secret("60a5dffc9a6eb59facf320b2f1b120e0")
        #expect(try own.key(with: long).open(sealed, vector: Array(0..<16)).count == 13)
        let result = Result { try own.key(with: [0] + long) }
        #expect(codeOf(result) == .invalidKey)
    }

    @Test("padding that isn't padding, half a block, nothing at all, and another key's ciphertext are refused alike")
    func ciphertexts() throws {
        let key = try half().key(with: hex(peer))
        let vector = [UInt8](repeating: 0, count: 16)
        let whole = try key.seal(SecretBytes(copying: [UInt8](repeating: 0, count: 16)), vector: vector)
        // Without the block that is padding alone, the last byte of the secret would be the padding's length.
        let wrong = [Array(whole.prefix(16)), Array(whole.dropLast()), whole + [0], [], Array(whole.suffix(16))]
        for (place, ciphertext) in wrong.enumerated() {
            let result = Result { try key.open(SecretBytes(copying: ciphertext), vector: vector) }
            #expect(codeOf(result) == .authenticationFailed, "\(place)")
        }
        for length in [0, 15, 17] {
            let result = Result { try key.open(SecretBytes(copying: whole), vector: [UInt8](repeating: 0, count: length)) }
            #expect(codeOf(result) == .invalidInput)
        }
    }

    @Test("a secret has a longest length: as long as that it is sealed and opened, one byte longer it isn't")
    func longest() throws {
        let key = try half().key(with: hex(peer))
        let secret = try SecretBytes(count: TransferKey.longest) { _ in }
        let (vector, ciphertext) = try key.seal(secret)
        #expect(try key.open(SecretBytes(copying: ciphertext), vector: vector) == secret)
        #expect(codeOf(Result { try key.seal(SecretBytes(count: TransferKey.longest + 1) { _ in }) }) == .limit)
        let long = try SecretBytes(count: TransferKey.longest + 32) { _ in }
        #expect(codeOf(Result { try key.open(long, vector: vector) }) == .limit)
    }
}
