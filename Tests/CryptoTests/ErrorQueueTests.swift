import CThumbOpenSSL
import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbCrypto

/// libcrypto's queue of errors is the thread's. An app that uses libcrypto itself reads it too, and takes an error that stays there for one
/// of its own calls.
@Suite("libcrypto's queue of errors") struct ErrorQueueTests {
    private let key: SecretBytes
    private let elliptic: PrivateKey
    private let rsa: PrivateKey
    private let digest = [UInt8](repeating: 7, count: 32)

    init() throws {
        key = try SecretBytes.random(count: 32)
        elliptic = try PrivateKey.generate(.elliptic(.p256))
        rsa = try PrivateKey.generate(.rsa(bits: 1024))
    }

    /// What libcrypto refuses, and says why in its queue.
    private func refusals() throws -> [(name: String, isRefused: () throws -> Bool)] {
        let (elliptic, rsa, digest) = (elliptic, rsa, digest)
        // Its first number is 0.
        let signature: [UInt8] = [0x30, 6, 2, 1, 0, 2, 1, 1]
        let kept = try VerifyingKey(elliptic.publicKey)
        let off = [4] + [UInt8](repeating: 1, count: 64)
        let block = [UInt8](repeating: 0, count: 127) + [5]
        return [
            ("an ECDSA signature", { try !elliptic.publicKey.isSignature(signature, of: digest, .ecdsa) }),
            ("an ECDSA signature for a kept key", { try !kept.isSignature(signature, ofSHA256: digest) }),
            ("an RSA signature", { try !rsa.publicKey.isSignature(block, of: digest, .rsaPSS(.sha256)) }),
            ("an RSA ciphertext", { codeOf(Result { try rsa.decrypt(block, .rsaOAEP(.sha256)) }) == .authenticationFailed }),
            ("a point", { codeOf(Result { try PublicKey(external: off, .elliptic) }) == .invalidKey }),
            ("a certificate", { codeOf(Result { try Certificate(der: [0x30, 3, 2, 1, 1]) }) == .invalidInput }),
        ]
    }

    @Test("whatever is refused or wrong leaves none of its errors there")
    func empty() throws {
        let refusals = try refusals()
        ERR_clear_error()
        for (name, isRefused) in refusals {
            #expect(try isRefused(), "\(name)")
            #expect(ERR_peek_error() == 0, "\(name)")
            ERR_clear_error()
        }
    }

    @Test("what was sealed with another key is told from a failure of the library's, whatever others left there")
    func foreign() throws {
        let box = try SealedBox.seal([1, 2, 3], key: key, associatedData: [])
        let other = try SecretBytes.random(count: 32)
        let context = try OpenSSL.shared().context
        #expect(EVP_CIPHER_fetch(context, "no cipher of this name", nil) == nil)
        try #require(ERR_peek_error() != 0)
        #expect(codeOf(Result { try SealedBox.open(box, key: other, associatedData: []) }) == .authenticationFailed)
        ERR_clear_error()
    }
}

@Suite("Secret numbers") struct NumberTests {
    @Test("libcrypto is told of each that it is secret: it calculates in a time that tells nothing, and clears its memory")
    func flags() throws {
        let secret = BN_FLG_CONSTTIME | BN_FLG_SECURE
        let none = try Number()
        let noFlags = BN_get_flags(none.pointer, secret)
        #expect(noFlags == secret)
        let bytes = try SecretBytes.random(count: 32)
        let read = try bytes.withUnsafeBytes { try Number($0) }
        let readFlags = BN_get_flags(read.pointer, secret)
        #expect(readFlags == secret)
    }
}
