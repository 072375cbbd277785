import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbCrypto

/// Every input cut short everywhere and with each of its bytes changed: a refusal, never a crash.
@Suite("Malformed keys, signatures and ciphertexts") struct MalformedKeyTests {
    /// Each beginning of `bytes`, `bytes` with one more, and with each byte changed in its lowest bit, its highest, and all of them.
    private func damaged(_ bytes: [UInt8]) -> [[UInt8]] {
        var result = (0..<bytes.count).map { Array(bytes.prefix($0)) } + [bytes + [0]]
        for index in bytes.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                result.append(bytes)
                result[result.count - 1][index] ^= mask
            }
        }
        return result
    }

    @Test("elliptic keys", arguments: Curve.allCases)
    func elliptic(curve: Curve) throws {
        let key = try PrivateKey.generate(.elliptic(curve))
        // Two forms alone: nearly every change leads off the curve or to another key, and P-384's arithmetic is slow.
        for bytes in damaged(key.publicKey.external) {
            #expect(codeOf(Result { try PublicKey(external: bytes, .elliptic) }) == .invalidKey)
        }
        for bytes in damaged(key.publicKey.spki) {
            #expect(codeOf(Result { try PublicKey(spki: bytes) }) == .invalidKey)
        }
        for bytes in damaged(key.external.exposed) {
            #expect(codeOf(Result { try PrivateKey(external: SecretBytes(copying: bytes), .elliptic) }) == .invalidKey)
        }
    }

    @Test("RSA keys: what is still a key has one form")
    func rsa() throws {
        let key = try PrivateKey.generate(.rsa(bits: 1024))
        var taken = 0
        for bytes in damaged(key.publicKey.external) {
            guard let read = try? PublicKey(external: bytes, .rsa) else { continue }
            #expect(read.external == bytes && read != key.publicKey)
            taken += 1
        }
        // Another modulus of the same length is as good as the first.
        #expect((100...400).contains(taken))
        for bytes in damaged(key.publicKey.spki) {
            guard let read = try? PublicKey(spki: bytes) else { continue }
            #expect(read.spki == bytes && read != key.publicKey)
        }
        for bytes in damaged(key.external.exposed) {
            #expect(codeOf(Result { try PrivateKey(external: SecretBytes(copying: bytes), .rsa) }) == .invalidKey)
        }
    }

    /// The same key in other numbers: whoever takes those has two forms of one key.
    @Test("an RSA key whose numbers are right but larger than they need be, or exchanged, is none")
    func largerNumbers() throws {
        let key = try PrivateKey.generate(.rsa(bits: 1024))
        let exposed = key.external.exposed
        let places = try unsafe exposed.withUnsafeBytes { try #require(unsafe RSAPrivateForm($0)).numbers }
        let numbers = places.map { Array(exposed[$0]) }
        let (n, d, p, q) = (numbers[0], numbers[2], numbers[3], numbers[4])
        let order = Self.sum(Self.difference(Self.difference(n, p), q), [1])
        func isTaken(_ change: (inout [[UInt8]]) -> Void) throws -> Bool {
            var changed = numbers
            change(&changed)
            let der = DER.sequence(DER.number([]) + changed.flatMap { DER.number($0) })
            let result = Result { try PrivateKey(external: SecretBytes(copying: der), .rsa) }
            if case .failure = result { #expect(codeOf(result) == .invalidKey) }
            return codeOf(result) == nil
        }
        #expect(try isTaken { _ in })
        #expect(try !isTaken { $0[2] = Self.sum(Self.sum(d, order), order) })
        #expect(try !isTaken { $0[7] = Self.sum($0[7], p) })
        #expect(try !isTaken { $0.swapAt(5, 6) })
        #expect(try !isTaken { $0.swapAt(3, 4) })
    }

    private static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { combined(a, b, 1) }
    private static func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { combined(a, b, -1) }

    private static func combined(_ a: [UInt8], _ b: [UInt8], _ sign: Int) -> [UInt8] {
        var result: [UInt8] = []
        var carry = 0
        for place in 0...max(a.count, b.count) {
            let (one, other) = (place < a.count ? a[a.count - 1 - place] : 0, place < b.count ? b[b.count - 1 - place] : 0)
            let digit = Int(one) + sign * Int(other) + carry
            result.append(UInt8(truncatingIfNeeded: digit))
            carry = digit >> 8
        }
        return result.reversed().drop { $0 == 0 }.map { $0 }
    }

    @Test("a key in one family's form is none of the other")
    func families() throws {
        let rsa = try PrivateKey.generate(.rsa(bits: 1024))
        #expect(codeOf(Result { try PublicKey(external: rsa.publicKey.external, .elliptic) }) == .invalidKey)
        #expect(codeOf(Result { try PrivateKey(external: rsa.external, .elliptic) }) == .invalidKey)
        #expect(codeOf(Result { try PublicKey(spki: rsa.publicKey.external) }) == .invalidKey)
        // PKCS#8 isn't taken, as Apple doesn't.
        let algorithm: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
        let inner = rsa.external.exposed
        let pkcs8 = DER.sequence(DER.number([]) + DER.sequence(algorithm) + DER.head(0x04, inner.count) + inner)
        #expect(codeOf(Result { try PrivateKey(external: SecretBytes(copying: pkcs8), .rsa) }) == .invalidKey)
    }

    @Test("signatures", arguments: [KeyKind.elliptic(.p256), .elliptic(.p521), .rsa(bits: 1024)])
    func signatures(kind: KeyKind) throws {
        let key = try PrivateKey.generate(kind)
        let digest = try HashFunction.sha256.hash([1])
        for scheme in [SignatureScheme.ecdsa, .rsaPKCS1(.sha256), .rsaPSS(.sha256), .rsaPKCS1Raw, .rsaRaw]
        where kind.supports(scheme) {
            let signature = try key.signature(digest: digest, scheme)
            #expect(try key.publicKey.isSignature(signature, of: digest, scheme))
            for bytes in damaged(signature) {
                #expect(try !key.publicKey.isSignature(bytes, of: digest, scheme), "\(scheme)")
            }
        }
    }

    @Test("the two forms of an ECDSA signature lead to one another, and nothing else does", arguments: Curve.allCases)
    func signatureForms(curve: Curve) throws {
        let key = try PrivateKey.generate(.elliptic(curve))
        for _ in 0..<20 {
            let signature = try key.signature(digest: [1, 2, 3], .ecdsa)
            let plain = try #require(ECDSASignature.rfc4754(der: signature, curve))
            #expect(plain.count == 2 * curve.fieldBytes && ECDSASignature.der(rfc4754: plain, curve) == signature)
        }
        // Zeros in front are neither lost nor kept where they don't belong.
        let small = [UInt8](repeating: 0, count: curve.fieldBytes - 1) + [0x80]
        let der: [UInt8] = [0x30, 8, 2, 2, 0, 0x80, 2, 2, 0, 0x80]
        #expect(ECDSASignature.der(rfc4754: small + small, curve) == der)
        #expect(ECDSASignature.rfc4754(der: der, curve) == small + small)
        for count in [0, curve.fieldBytes, 2 * curve.fieldBytes - 1, 2 * curve.fieldBytes + 1] {
            #expect(ECDSASignature.der(rfc4754: [UInt8](repeating: 1, count: count), curve) == nil)
        }
        for odd: [UInt8] in [
            [0x30, 6, 2, 1, 0x80, 2, 1, 1], [0x30, 7, 2, 2, 0, 1, 2, 1, 1], [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1],
            [0x30, 6, 2, 1, 1, 2, 1, 1, 0], [0x30, 9, 2, 1, 1, 2, 1, 1, 2, 1, 1], [0x30, 5, 2, 0, 2, 1, 1],
            [0x30, 0x80, 2, 1, 1, 2, 1, 1, 0, 0], [0x31, 6, 2, 1, 1, 2, 1, 1], [0x30, 6, 2, 1, 1, 3, 1, 1],
            [0x30, 0x84, 0, 0, 0, 6, 2, 1, 1, 2, 1, 1], [0x30, 0xFF], [0x30], [],
        ] {
            #expect(ECDSASignature.rfc4754(der: odd, curve) == nil, "\(odd)")
        }
        let long = [0x02, UInt8(curve.fieldBytes + 1), 1] + [UInt8](repeating: 0, count: curve.fieldBytes)
        #expect(ECDSASignature.rfc4754(der: DER.sequence(long + long), curve) == nil)
        for bytes in damaged(der) {
            let read = ECDSASignature.rfc4754(der: bytes, curve)
            #expect(read == nil || ECDSASignature.der(rfc4754: read ?? [], curve) == bytes)
        }
    }

    @Test("a length that isn't written in its shortest form makes no signature and no key")
    func lengths() throws {
        func padded(_ der: [UInt8], by zeros: Int) -> [UInt8] {
            let digits = Int(der[1] & 0x7F)
            return [der[0], 0x80 | UInt8(digits + zeros)] + [UInt8](repeating: 0, count: zeros) + der.dropFirst(2)
        }
        // Both have one digit after the byte that says so.
        let number = DER.number([UInt8](repeating: 1, count: Curve.p521.fieldBytes))
        let signature = DER.sequence(number + number)
        let key = try PrivateKey.generate(.rsa(bits: 1024)).publicKey.external
        #expect(signature[1] == 0x81 && key[1] == 0x81)
        #expect(ECDSASignature.rfc4754(der: signature, .p521) != nil)
        for zeros in 1...2 {
            #expect(ECDSASignature.rfc4754(der: padded(signature, by: zeros), .p521) == nil)
            #expect(codeOf(Result { try PublicKey(external: padded(key, by: zeros), .rsa) }) == .invalidKey)
        }
        // The same of a number within the key: what follows it stays.
        #expect(key[3] == 0x02 && key[4] == 0x81)
        let inner = DER.sequence(padded(Array(key.dropFirst(3)), by: 1))
        #expect(codeOf(Result { try PublicKey(external: inner, .rsa) }) == .invalidKey)
    }

    @Test("ciphertexts")
    func ciphertexts() throws {
        let rsa = try PrivateKey.generate(.rsa(bits: 1024))
        let curve = try PrivateKey.generate(.elliptic(.p256))
        let plaintext = try SecretBytes(copying: [1, 2, 3])
        for (key, scheme) in [
            (curve, EncryptionScheme.ecies(.sha256, derivesNonce: true)), (curve, .ecies(.sha1, derivesNonce: false)),
            (rsa, .rsaOAEP(.sha256)), (rsa, .rsaOAEPGCM(.sha224)),
        ] {
            let sealed = try key.publicKey.encrypt(plaintext, scheme)
            #expect(try key.decrypt(sealed, scheme) == plaintext)
            for bytes in damaged(sealed) {
                #expect(codeOf(Result { try key.decrypt(bytes, scheme) }) == .authenticationFailed, "\(scheme)")
            }
        }
    }

    @Test("ECIES hands on what the one who agrees says, and asks only with a point on the curve", arguments: Curve.allCases)
    func custodians(curve: Curve) throws {
        struct Gone: Error {}
        let key = try PrivateKey.generate(.elliptic(curve))
        let scheme = EncryptionScheme.ecies(.sha512, derivesNonce: true)
        let sealed = try ECIES.seal(SecretBytes(copying: []), to: key.publicKey, scheme)
        #expect(sealed.count == curve.pointBytes + 16)
        #expect(try ECIES.open(sealed, scheme, key.publicKey) { try key.agree(with: $0, .raw) }.isEmpty)
        #expect(throws: Gone.self) { try ECIES.open(sealed, scheme, key.publicKey) { _ in throw Gone() } }
        let off = [4] + [UInt8](repeating: 1, count: sealed.count - 1)
        let refused = Result { try ECIES.open(off, scheme, key.publicKey) { _ in throw Gone() } }
        #expect(codeOf(refused) == .authenticationFailed)
    }
}
