import Foundation
import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbCrypto

@Suite("Apple's encryption") struct ECIESVectorTests {
    private struct File: Decodable {
        struct Vector: Decodable {
            let key, algorithm: String
            let privateKey, ciphertext: Data
            let plaintextHex: String
        }
        let vectors: [Vector]
    }

    /// The scheme that an algorithm's name spells.
    private func scheme(_ name: String) throws -> EncryptionScheme {
        let hash: HashFunction
        switch try #require(name.firstMatch(of: /SHA(\d+)/)).1 {
        case "1": hash = .sha1
        case "224": hash = .sha224
        case "256": hash = .sha256
        case "384": hash = .sha384
        default: hash = .sha512
        }
        if name.hasPrefix("RSAEncryptionOAEP") { return .rsaOAEPGCM(hash) }
        try #require(name.lowercased().hasPrefix("ecies"))
        return .ecies(hash, derivesNonce: name.contains("VariableIV"))
    }

    @Test("all 15 ciphertexts that Apple's SecKey made open")
    func apple() throws {
        let name = "apple-ecies.json"
        let vectors = try JSONDecoder().decode(File.self, from: Vectors.data(name)).vectors
        #expect(vectors.count == 15)
        try Vectors.tryFile(name, vectors) { vector in
            let scheme = try scheme(vector.algorithm)
            let external = try SecretBytes(copying: Array(vector.privateKey))
            let key = try PrivateKey(external: external, vector.key.hasPrefix("RSA") ? .rsa : .elliptic)
            let plaintext = hex(vector.plaintextHex)
            // What is encrypted here has the same form.
            let ours = try key.publicKey.encrypt(SecretBytes(copying: plaintext), scheme)
            return try key.decrypt(Array(vector.ciphertext), scheme).exposed == plaintext
                && key.decrypt(ours, scheme).exposed == plaintext && ours.count == vector.ciphertext.count
        }
    }

    struct Step: Sendable {
        let curve: Curve
        let hash: HashFunction
        let derivesNonce: Bool
        let recipient, ephemeral, shared, derived, plaintext, ciphertext: String
    }

    @Test("with a known ephemeral key each step is what it should be, and so is every byte of the ciphertext")
    func steps() {
        Vectors.tryAll("ECIES step by step", Self.known) { step in
            let scheme = EncryptionScheme.ecies(step.hash, derivesNonce: step.derivesNonce)
            let recipient = try PrivateKey(step.curve, scalar: secret(step.recipient))
            let ephemeral = try PrivateKey(step.curve, scalar: secret(step.ephemeral))
            let shared = try ephemeral.agree(with: recipient.publicKey, .raw)
            let derived = hex(step.derived)
            let agreement = AgreementScheme.x963(step.hash, count: derived.count, sharedInfo: ephemeral.publicKey.external)
            let sealed = try ECIES.seal(secret(step.plaintext), to: recipient.publicKey, scheme, ephemeral: ephemeral)
            return try shared.exposed == hex(step.shared)
                && recipient.agree(with: ephemeral.publicKey, agreement).exposed == derived
                && sealed == hex(step.ciphertext) && recipient.decrypt(sealed, scheme).exposed == hex(step.plaintext)
        }
    }

    // Two fixed keys a curve. They were not made by Apple: what they show is where a difference begins.
    static let known: [Step] = [
        Step(
            curve: .p256, hash: .sha256, derivesNonce: false,
            recipient: "665d0698dbc8fb95afc25c3a4d9cf280d87a585b7999243ca6008fd03258975f",
            ephemeral: "0341425cafede9d24b0599aefdfdeff1c1526ed75b07217eb99bf8c0b7498b81",
            shared: "72f55491f687fea49f6438a6fd4fe8399c136545ced64ff7bc22efa03c1a5da3",
            derived: "5c1d2794731f711f676fe8bf8c57b262",
            plaintext: "68656c6c6f",
            ciphertext: "0470c5bb3bbfee691ec55aa53b432f90ed9a0609e10cb8be8994169bc4124df2bf1c067f8fb582a0311837caf4929272"
                + "beded6686116160b2299c274f17f030b8c9633ca4040b007d1a928cd76db4e2618c7301fc111"),
        Step(
            curve: .p256, hash: .sha256, derivesNonce: true,
            recipient: "665d0698dbc8fb95afc25c3a4d9cf280d87a585b7999243ca6008fd03258975f",
            ephemeral: "0341425cafede9d24b0599aefdfdeff1c1526ed75b07217eb99bf8c0b7498b81",
            shared: "72f55491f687fea49f6438a6fd4fe8399c136545ced64ff7bc22efa03c1a5da3",
            derived: "5c1d2794731f711f676fe8bf8c57b26297b7425f28f1ecfa06c676e66fe40246",
            plaintext: "68656c6c6f",
            ciphertext: "0470c5bb3bbfee691ec55aa53b432f90ed9a0609e10cb8be8994169bc4124df2bf1c067f8fb582a0311837caf4929272"
                + "beded6686116160b2299c274f17f030b8c198a6d094a125e6866c048657fb100322321ac3e12"),
        Step(
            curve: .p256, hash: .sha1, derivesNonce: false,
            recipient: "665d0698dbc8fb95afc25c3a4d9cf280d87a585b7999243ca6008fd03258975f",
            ephemeral: "0341425cafede9d24b0599aefdfdeff1c1526ed75b07217eb99bf8c0b7498b81",
            shared: "72f55491f687fea49f6438a6fd4fe8399c136545ced64ff7bc22efa03c1a5da3",
            derived: "8cf3d82b2e8685ed136495ded53dd18f",
            plaintext: "",
            ciphertext: "0470c5bb3bbfee691ec55aa53b432f90ed9a0609e10cb8be8994169bc4124df2bf1c067f8fb582a0311837caf4929272"
                + "beded6686116160b2299c274f17f030b8cb7f11bcd70772caff8d75a559922d303"),
        Step(
            curve: .p256, hash: .sha512, derivesNonce: true,
            recipient: "665d0698dbc8fb95afc25c3a4d9cf280d87a585b7999243ca6008fd03258975f",
            ephemeral: "0341425cafede9d24b0599aefdfdeff1c1526ed75b07217eb99bf8c0b7498b81",
            shared: "72f55491f687fea49f6438a6fd4fe8399c136545ced64ff7bc22efa03c1a5da3",
            derived: "08f63accc7403aa85bbf0930fef0d3271b6bfe20291280f21bf02eb23a522b81",
            plaintext: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627",
            ciphertext: "0470c5bb3bbfee691ec55aa53b432f90ed9a0609e10cb8be8994169bc4124df2bf1c067f8fb582a0311837caf4929272"
                + "beded6686116160b2299c274f17f030b8cd63ab2da64a709c319a5bf55f151d6bffd90a6d79922c055432d0bb4ccef2d"
                + "a2d53c4cb465c86b552823371627a636c0736961d5368f9660"),
        Step(
            curve: .p384, hash: .sha256, derivesNonce: false,
            recipient: "00000000000000000000000000000000665d0698dbc8fb95afc25c3a4d9cf280d87a585b7999243ca6008fd03258975f",
            ephemeral: "000000000000000000000000000000000341425cafede9d24b0599aefdfdeff1c1526ed75b07217eb99bf8c0b7498b81",
            shared: "7154fd4cdfa2779b27d00bc91559a397c1fabfeb2461ed2f40236bf5c7caaf06be6e3f7fa66bcfe23956509921d15276",
            derived: "9a6248b858c407474c6ba6177412449cb2de7e05c93ceb9cd6d90d1d309e1cf3",
            plaintext: "68656c6c6f",
            ciphertext: "043648c0fd19d240d3aea8dd1e46d61c1bb072ff8297e353b9ef7d4e1219a4bcd44bc826d39b6241d3488203b83e6b81"
                + "c4f6bfbcb2c091673aa487b5328b2822f25e2c9d5b10c1a71fb9613d77a948ae9a2b8893d8a33791dcbc7f70c7466756"
                + "414c6d5faa512ba8a866738676d0430447e2c8545a3d"),
        Step(
            curve: .p521, hash: .sha256, derivesNonce: true,
            recipient:
                "00000000000000000000000000000000000000000000000000000000000000000000665d0698dbc8fb95afc25c3a4d9cf280d87a585b7999243ca6008fd03258975f",
            ephemeral:
                "000000000000000000000000000000000000000000000000000000000000000000000341425cafede9d24b0599aefdfdeff1c1526ed75b07217eb99bf8c0b7498b81",
            shared: "00761aa8f78a7355e670dc1b148f37840d80a94fc6c00d413351130798474f455828a01fa3a05bc0acf10d6bd0d1da66"
                + "e435c8cf9c69829ca5497a0a184687716193",
            derived: "bcf52f014318a46c020177d23de7009353defcbdfa3c99df2d76a34b2be240087baa5ff5443e93b6d06d26a679245ba6",
            plaintext: "68656c6c6f",
            ciphertext: "04000da64f9dc050d700a5a08a07a17d33a0453ed3ac9fdd4e35a7bfd0db38f605c00934bf15c8d12d4f31535bc917fb"
                + "95d4cbe8d12318a4dd5253bc870ecb1840f1bc000f94f9b298d7485d568b1c65470b4153ebf6b6f900ce4f26553c1e65"
                + "985d52a07eaf61ff9f7c74adbc083c4a4fb14a14465f743fb7afa2565d9ba65617b58e6799f88e4fa0b8573832ee0df8"
                + "767501a71161e851956c"),
    ]
}
