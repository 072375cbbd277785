import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbCrypto

@Suite("Elliptic keys") struct EllipticKeyTests {
    @Test("a scalar of RFC 6979 has that RFC's point")
    func knownPoint() throws {
        let scalar = try secret("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
        let key = try PrivateKey(.p256, scalar: scalar)
        #expect(
            key.publicKey.external
                == hex(
                    "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                        + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"))
        #expect(key.external.exposed == key.publicKey.external + scalar.exposed)
        // A signature of that RFC, over SHA-256 of "sample".
        let signature =
            hex("3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")
            + hex("022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
        #expect(try key.publicKey.isSignature(signature, of: HashFunction.sha256.hash(Array("sample".utf8)), .ecdsa))
        #expect(try key.publicKey.label() == HashFunction.sha1.hash(key.publicKey.external))
    }

    @Test("a new key signs what its public half verifies, and agrees with another", arguments: Curve.allCases)
    func generated(curve: Curve) throws {
        let (mine, theirs) = try (PrivateKey.generate(.elliptic(curve)), PrivateKey.generate(.elliptic(curve)))
        #expect(mine.kind == .elliptic(curve) && mine.publicKey != theirs.publicKey && mine.external != theirs.external)
        #expect(mine.external.count == curve.pointBytes + curve.fieldBytes)
        for hash in HashFunction.allCases {
            let digest = try hash.hash(Array("message".utf8))
            let signature = try mine.signature(digest: digest, .ecdsa)
            #expect(try mine.publicKey.isSignature(signature, of: digest, .ecdsa))
            #expect(try !theirs.publicKey.isSignature(signature, of: digest, .ecdsa))
            #expect(try !mine.publicKey.isSignature(signature, of: hash.hash(Array("massage".utf8)), .ecdsa))
            #expect(try mine.signature(digest: digest, .ecdsa) != signature, "a nonce came twice")
        }
        let shared = try mine.agree(with: theirs.publicKey, .raw)
        #expect(try shared == theirs.agree(with: mine.publicKey, .raw) && shared.count == curve.fieldBytes)
        let derived = AgreementScheme.x963(.sha384, count: 100, sharedInfo: [1, 2])
        let both = try (mine.agree(with: theirs.publicKey, derived), theirs.agree(with: mine.publicKey, derived))
        #expect(both.0 == both.1 && both.0.count == 100)
        let again = try PrivateKey(external: mine.external, .elliptic)
        #expect(again.publicKey == mine.publicKey)
    }

    @Test("a digest may have any length: the leftmost bits count", arguments: Curve.allCases)
    func digests(curve: Curve) throws {
        let key = try PrivateKey.generate(.elliptic(curve))
        for count in [0, 1, 20, curve.fieldBytes - 1, curve.fieldBytes, curve.fieldBytes + 1, 1000] {
            let digest = [UInt8](repeating: 0xA5, count: count)
            let signature = try key.signature(digest: digest, .ecdsa)
            #expect(try key.publicKey.isSignature(signature, of: digest, .ecdsa), "\(count) bytes")
            let isLong = count >= curve.fieldBytes
            #expect(try key.publicKey.isSignature(signature, of: digest + [1], .ecdsa) == isLong, "\(count) bytes")
        }
    }

    @Test("a scalar must lie between 1 and the order less 1", arguments: Curve.allCases)
    func scalars(curve: Curve) throws {
        let size = curve.fieldBytes
        // The last 32 bytes of P-256's and P-384's orders, all after the ones of P-521's.
        let order: [UInt8] =
            switch curve {
            case .p256: hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
            case .p384: hex("ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973")
            case .p521:
                hex("01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa")
                    + hex("51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409")
            }
        let last = Array(order.dropLast()) + [order[size - 1] - 1]
        let next = Array(order.dropLast()) + [order[size - 1] + 1]
        for (scalar, isTaken) in [
            ([UInt8](repeating: 0, count: size), false), ([UInt8](repeating: 0, count: size - 1) + [1], true),
            (order, false), (last, true), (next, false), ([UInt8](repeating: 0xFF, count: size), false),
            ([UInt8](repeating: 1, count: size - 1), false), ([0] + last, false), ([], false),
        ] {
            let made = Result { try PrivateKey(curve, scalar: SecretBytes(copying: scalar)) }
            #expect(codeOf(made) == (isTaken ? nil : .invalidKey), "\(scalar)")
        }
    }

    @Test("a point off the curve, or in another form, is refused", arguments: Curve.allCases)
    func points(curve: Curve) throws {
        let good = try PrivateKey.generate(.elliptic(curve)).publicKey
        #expect(try PublicKey(external: good.external, .elliptic) == good)
        #expect(try PublicKey(spki: good.spki) == good)
        for index in good.external.indices {
            var point = good.external
            point[index] ^= 1
            #expect(codeOf(Result { try PublicKey(external: point, .elliptic) }) == .invalidKey, "byte \(index)")
        }
        let parity = good.external.last.map { $0 & 1 } ?? 0
        let compressed = [2 + parity] + good.external[1...curve.fieldBytes]
        let hybrid = [6 + parity] + good.external[1...]
        let short = Array(good.external.dropLast())
        let zero = [4] + [UInt8](repeating: 0, count: curve.pointBytes - 1)
        for point in [[], [0], compressed, hybrid, good.external + [0], short, zero, good.spki] {
            #expect(codeOf(Result { try PublicKey(external: point, .elliptic) }) == .invalidKey, "\(point.count) bytes")
        }
        #expect(codeOf(Result { try PublicKey(spki: good.spki + [0]) }) == .invalidKey)
        #expect(codeOf(Result { try PublicKey(spki: good.external) }) == .invalidKey)
        #expect(codeOf(Result { try PublicKey(external: good.external, .rsa) }) == .invalidKey)
        #expect(codeOf(Result { try PublicKey(external: good.spki, .rsa) }) == .invalidKey)
    }

    @Test("a private key whose halves are of two keys is refused", arguments: Curve.allCases)
    func halves(curve: Curve) throws {
        let (mine, theirs) = try (PrivateKey.generate(.elliptic(curve)), PrivateKey.generate(.elliptic(curve)))
        let mixed = try SecretBytes(copying: mine.publicKey.external + theirs.external.exposed.suffix(curve.fieldBytes))
        #expect(codeOf(Result { try PrivateKey(external: mixed, .elliptic) }) == .invalidKey)
        for bytes in [[], mine.publicKey.external, mine.external.exposed + [0], Array(mine.external.exposed.dropLast())] {
            let made = Result { try PrivateKey(external: SecretBytes(copying: bytes), .elliptic) }
            #expect(codeOf(made) == .invalidKey, "\(bytes.count) bytes")
        }
        #expect(codeOf(Result { try PrivateKey(external: mine.external, .rsa) }) == .invalidKey)
    }

    @Test("keys of two curves don't agree, and none makes an RSA signature")
    func mismatches() throws {
        let (small, large) = try (PrivateKey.generate(.elliptic(.p256)), PrivateKey.generate(.elliptic(.p384)))
        #expect(codeOf(Result { try small.agree(with: large.publicKey, .raw) }) == .invalidInput)
        for count in [0, -1, AgreementScheme.mostBytes + 1] {
            let scheme = AgreementScheme.x963(.sha256, count: count, sharedInfo: [])
            #expect(codeOf(Result { try small.agree(with: small.publicKey, scheme) }) == .limit)
        }
        let digest = [UInt8](repeating: 1, count: 32)
        for scheme in [SignatureScheme.rsaPKCS1(.sha256), .rsaPSS(.sha256), .rsaPKCS1Raw, .rsaRaw] {
            #expect(codeOf(Result { try small.signature(digest: digest, scheme) }) == .unsupported)
            #expect(codeOf(Result { try small.publicKey.isSignature([], of: digest, scheme) }) == .unsupported)
        }
        let plaintext = try SecretBytes(copying: [1])
        for scheme in [
            EncryptionScheme.rsaRaw, .rsaPKCS1, .rsaOAEP(.sha1), .rsaOAEPGCM(.sha1), .ecies(.sha1, derivesNonce: true),
        ] {
            #expect(codeOf(Result { try small.publicKey.encrypt(plaintext, scheme) }) == .unsupported)
            #expect(codeOf(Result { try small.decrypt([1], scheme) }) == .unsupported)
        }
        #expect(codeOf(Result { try small.publicKey.power([1]) }) == .unsupported)
    }

    @Test("operations leave no secret memory in use")
    func release() throws {
        let arena = SecretArena()
        let made = try PrivateKey.generate(.elliptic(.p256)).external.exposed
        var key: PrivateKey? = try PrivateKey(external: SecretBytes(copying: made, in: arena), .elliptic)
        #expect(try key?.signature(digest: [UInt8](repeating: 0, count: 32), .ecdsa).isEmpty == false)
        #expect(arena.statistics.secrets == 1)
        key = nil
        #expect(arena.statistics.secrets == 0)
    }
}
