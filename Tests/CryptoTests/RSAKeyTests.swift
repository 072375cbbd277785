import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbCrypto

@Suite("RSA keys") struct RSAKeyTests {
    @Test("a new key has the asked size and 65537 as its exponent; other sizes aren't made", arguments: [1024, 1031, 2048])
    func generated(bits: Int) throws {
        let key = try PrivateKey.generate(.rsa(bits: bits))
        #expect(key.kind == .rsa(bits: bits))
        #expect(key.publicKey.external.suffix(5) == [2, 3, 1, 0, 1])
        #expect(try key.publicKey.label() == HashFunction.sha1.hash(key.publicKey.external))
        let again = try PrivateKey(external: key.external, .rsa)
        #expect(again.publicKey == key.publicKey && again.external == key.external)
        let digest = [UInt8](repeating: 7, count: 32)
        let signature = try key.signature(digest: digest, .rsaPSS(.sha256))
        #expect(signature.count == key.kind.blockBytes)
        #expect(try again.publicKey.isSignature(signature, of: digest, .rsaPSS(.sha256)))
    }

    @Test("sizes outside 1024 to 8192 bits are neither made nor read", arguments: [0, 512, 1023, 8193, -1])
    func sizes(bits: Int) {
        #expect(codeOf(Result { try PrivateKey.generate(.rsa(bits: bits)) }) == .unsupported)
    }

    @Test("a key's limits: modulus and exponent")
    func limits() {
        func key(_ bits: Int, _ exponent: [UInt8], last: UInt8 = 1) -> Result<PublicKey, any Error> {
            var modulus = [UInt8](repeating: 0, count: (bits + 7) / 8)
            modulus[0] = 1 << UInt8((bits - 1) % 8)
            modulus[modulus.count - 1] |= last
            return Result {
                try PublicKey(external: DER.sequence(DER.number(modulus) + DER.number(exponent)), .rsa)
            }
        }
        for bits in [1024, 1025, 4097, 8192] { #expect((try? key(bits, [3]).get())?.kind == .rsa(bits: bits)) }
        for bits in [1, 512, 1023, 8193] { #expect(codeOf(key(bits, [3])) == .invalidKey, "\(bits) bits") }
        #expect(codeOf(key(1024, [3], last: 0)) == .invalidKey, "an even modulus")
        for exponent: [UInt8] in [[], [1], [2], [4], [1, 0], [1] + [UInt8](repeating: 1, count: 8)] {
            #expect(codeOf(key(1024, exponent)) == .invalidKey, "\(exponent)")
        }
        #expect((try? key(1024, [UInt8](repeating: 1, count: 8)).get()) != nil)
    }

    @Test("long keys are read and used", arguments: [4096, 8192])
    func long(bits: Int) throws {
        let key = try PrivateKey(external: FixedKeys.rsa(bits: bits), .rsa)
        #expect(key.kind == .rsa(bits: bits))
        let digest = try HashFunction.sha512.hash(Array("message".utf8))
        let signature = try key.signature(digest: digest, .rsaPKCS1(.sha512))
        #expect(try key.publicKey.isSignature(signature, of: digest, .rsaPKCS1(.sha512)))
        let plaintext = try SecretBytes(copying: Array("secret".utf8))
        let sealed = try key.publicKey.encrypt(plaintext, .rsaOAEPGCM(.sha256))
        #expect(sealed.count == bits / 8 + plaintext.count + 16)
        #expect(try key.decrypt(sealed, .rsaOAEPGCM(.sha256)) == plaintext)
    }

    @Test("each plaintext up to the longest comes back; one byte more is refused")
    func plaintexts() throws {
        let key = try PrivateKey.generate(.rsa(bits: 1024))
        var schemes: [EncryptionScheme] = [.rsaRaw, .rsaPKCS1]
        for hash in HashFunction.allCases { schemes += [.rsaOAEP(hash), .rsaOAEPGCM(hash)] }
        for scheme in schemes where key.kind.supports(scheme) {
            let longest = key.kind.longestPlaintext(scheme)
            for count in [0, 1, longest ?? 100_000] {
                let plaintext = [UInt8](repeating: 0x35, count: count)
                let sealed = try key.publicKey.encrypt(SecretBytes(copying: plaintext), scheme)
                let opened = try key.decrypt(sealed, scheme).exposed
                // A bare power fills its block from the right.
                let padding = scheme == .rsaRaw ? [UInt8](repeating: 0, count: 128 - count) : []
                #expect(opened == padding + plaintext, "\(scheme), \(count) bytes")
            }
            guard let longest else { continue }
            let over = try SecretBytes(copying: [UInt8](repeating: 0, count: longest + 1))
            #expect(codeOf(Result { try key.publicKey.encrypt(over, scheme) }) == .invalidInput, "\(scheme)")
        }
    }

    @Test("each message has a session key of its own")
    func sessionKeys() throws {
        let key = try PrivateKey.generate(.rsa(bits: 1024))
        let plaintext = try SecretBytes(copying: [UInt8](repeating: 9, count: 64))
        // Behind the wrapped key: the nonce is always the same, so under one key both would be sealed to the same bytes.
        let sealed = try (0..<2).map { _ in try key.publicKey.encrypt(plaintext, .rsaOAEPGCM(.sha256)).dropFirst(128) }
        #expect(sealed[0] != sealed[1])
    }

    @Test("a bare block must be smaller than the modulus, and a shorter one is padded on the left")
    func bare() throws {
        let key = try PrivateKey.generate(.rsa(bits: 1024))
        let above = [UInt8](repeating: 0xFF, count: 128)
        #expect(codeOf(Result { try key.signature(digest: above, .rsaRaw) }) == .invalidInput)
        #expect(codeOf(Result { try key.publicKey.encrypt(SecretBytes(copying: above), .rsaRaw) }) == .invalidInput)
        #expect(codeOf(Result { try key.decrypt(above, .rsaRaw) }) == .authenticationFailed)
        // Nothing fits before a longer one.
        for count in [129, 1000] {
            let longer = [UInt8](repeating: 0, count: count)
            #expect(codeOf(Result { try key.decrypt(longer, .rsaRaw) }) == .authenticationFailed, "\(count) bytes")
        }
        #expect(codeOf(Result { try key.signature(digest: above + [0], .rsaRaw) }) == .invalidInput)
        #expect(codeOf(Result { try key.signature(digest: Array(above.prefix(118)), .rsaPKCS1Raw) }) == .invalidInput)
        for digest: [UInt8] in [[], [1], Array(above.prefix(117))] {
            for scheme in [SignatureScheme.rsaRaw, .rsaPKCS1Raw] {
                let signature = try key.signature(digest: digest, scheme)
                #expect(try key.publicKey.isSignature(signature, of: digest, scheme))
                #expect(try !key.publicKey.isSignature(above, of: digest, scheme))
                #expect(try !key.publicKey.isSignature(Array(signature.dropFirst()), of: digest, scheme))
            }
            let padded = [UInt8](repeating: 0, count: 128 - digest.count) + digest
            #expect(try key.publicKey.power(key.signature(digest: digest, .rsaRaw)) == padded)
        }
    }

    @Test("a digest of another length than its hash's is refused")
    func digests() throws {
        let key = try PrivateKey.generate(.rsa(bits: 2048))
        for hash in HashFunction.allCases {
            for (scheme, count) in [-hash.byteCount, -1, 1].flatMap({
                [
                    (SignatureScheme.rsaPKCS1(hash), hash.byteCount + $0), (.rsaPSS(hash), hash.byteCount + $0),
                ]
            }) {
                let digest = [UInt8](repeating: 1, count: count)
                #expect(codeOf(Result { try key.signature(digest: digest, scheme) }) == .invalidInput)
                #expect(codeOf(Result { try key.publicKey.isSignature([], of: digest, scheme) }) == .invalidInput)
            }
        }
    }

    @Test("what an RSA key can't do is unsupported, each way round")
    func unsupported() throws {
        let key = try PrivateKey.generate(.rsa(bits: 1024))
        let nothing = try SecretBytes(copying: [])
        for scheme in [EncryptionScheme.rsaOAEP(.sha512), .rsaOAEPGCM(.sha512), .ecies(.sha256, derivesNonce: true)] {
            #expect(codeOf(Result { try key.publicKey.encrypt(nothing, scheme) }) == .unsupported)
            #expect(codeOf(Result { try key.decrypt([], scheme) }) == .unsupported)
        }
        let digest = [UInt8](repeating: 1, count: 64)
        for scheme in [SignatureScheme.rsaPSS(.sha512), .ecdsa] {
            #expect(codeOf(Result { try key.signature(digest: digest, scheme) }) == .unsupported)
            #expect(codeOf(Result { try key.publicKey.isSignature([], of: digest, scheme) }) == .unsupported)
        }
        #expect(codeOf(Result { try key.agree(with: key.publicKey, .raw) }) == .unsupported)
    }

    @Test("whatever is wrong with a ciphertext, the answer is the same", arguments: [EncryptionScheme.rsaPKCS1, .rsaOAEP(.sha1)])
    func uniform(scheme: EncryptionScheme) throws {
        let key = try PrivateKey.generate(.rsa(bits: 1024))
        // What the private half makes of these: no padding at all, a wrong kind of it, nothing but padding, no end of it.
        let blocks: [[UInt8]] = [
            [UInt8](repeating: 0, count: 128), [0, 1] + [UInt8](repeating: 0xFF, count: 125) + [0],
            [0, 3] + [UInt8](repeating: 0xFF, count: 126), [0, 2] + [UInt8](repeating: 0xFF, count: 126),
            [0, 2, 1, 0] + [UInt8](repeating: 0xFF, count: 124), [1] + [UInt8](repeating: 1, count: 127),
        ]
        for block in blocks.map({ key.publicKey.isBelowModulus($0) ? $0 : [0] + $0.dropLast() }) {
            let ciphertext = try key.publicKey.power(block)
            #expect(codeOf(Result { try key.decrypt(ciphertext, scheme) }) == .authenticationFailed, "\(block.prefix(4))")
        }
        for wrong in [[], [1], [UInt8](repeating: 0xFF, count: 128), [UInt8](repeating: 0, count: 129)] {
            #expect(codeOf(Result { try key.decrypt(wrong, scheme) }) == .authenticationFailed, "\(wrong.count) bytes")
        }
    }

    @Test("a private key whose numbers don't belong together is refused")
    func halves() throws {
        let (mine, theirs) = try (PrivateKey.generate(.rsa(bits: 1024)), PrivateKey.generate(.rsa(bits: 1024)))
        func numbers(_ key: PrivateKey) throws -> [[UInt8]] {
            let bytes = key.external.exposed
            let form = try #require(bytes.withUnsafeBytes { RSAPrivateForm($0) })
            return form.numbers.map { Array(bytes[$0]) }
        }
        func made(_ numbers: [[UInt8]], version: [UInt8] = []) -> Result<PrivateKey, any Error> {
            Result {
                let der = DER.sequence(DER.number(version) + numbers.flatMap { DER.number($0) })
                return try PrivateKey(external: SecretBytes(copying: der), .rsa)
            }
        }
        let good = try numbers(mine)
        let others = try numbers(theirs)
        #expect(codeOf(made(good)) == nil)
        #expect(codeOf(made(good, version: [1])) == .invalidKey)
        #expect(codeOf(made(good + [[3]])) == .invalidKey)
        #expect(codeOf(made(good.dropLast())) == .invalidKey)
        for index in good.indices where index != 1 {
            for wrong in [others[index], [], [1], [2]] {
                var numbers = good
                numbers[index] = wrong
                #expect(codeOf(made(numbers)) == .invalidKey, "number \(index)")
            }
        }
        var numbers = good
        numbers[1] = [3]
        #expect(codeOf(made(numbers)) == .invalidKey, "another exponent")
        // The same key with its factors the other way round is missing its coefficient.
        numbers = good
        numbers.swapAt(3, 4)
        numbers.swapAt(5, 6)
        #expect(codeOf(made(numbers)) == .invalidKey)
    }
}
