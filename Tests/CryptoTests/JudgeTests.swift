import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

@Suite("The openssl command as judge") struct JudgeTests {
    private static let sizes: [KeyKind] =
        Curve.allCases.map { .elliptic($0) } + [.rsa(bits: 1024), .rsa(bits: 2048), .rsa(bits: 3072)]

    private let judge: Judge

    init() throws { judge = try Judge() }

    @Test("both halves of a new key are keys to it, and its forms of the public half are ours", arguments: sizes)
    func forms(kind: KeyKind) async throws {
        let key = try PrivateKey.generate(kind)
        try judge.put("key", key)
        #expect(try await judge.makes("pkey -pubin -in key.pem -outform DER") == key.publicKey.spki)
        #expect(try await judge.makes("pkey -in key -inform DER -pubout -outform DER") == key.publicKey.spki)
        #expect(try await judge.makes("pkey -in key -inform DER -pubout") == Array(key.publicKey.pem.utf8))
        #expect(try await judge.says("pkey -in key -inform DER -check -noout"))
        #expect(try PublicKey(spki: key.publicKey.spki) == key.publicKey)
        if kind.family == .rsa {
            let pkcs1 = try await judge.makes("rsa -pubin -in key.pem -RSAPublicKey_out -outform DER")
            #expect(pkcs1 == key.publicKey.external)
            #expect(try PublicKey(external: key.publicKey.spki, .rsa) == key.publicKey)
        }
    }

    @Test("a key that it made is one here", arguments: sizes)
    func imported(kind: KeyKind) async throws {
        let theirs: PrivateKey
        switch kind {
        case .elliptic(let curve):
            _ = try await judge.makes("genpkey -algorithm EC -pkeyopt group:P-\(curve.rawValue)")
            // SEC 1: heads, a version, the scalar, the curve's name, and the point at the end.
            let der = try await judge.makes("ec -in out -outform DER")
            let start = (der[1] & 0x80 == 0 ? 2 : 3) + 5
            let external = der.suffix(curve.pointBytes) + der[start..<start + curve.fieldBytes]
            theirs = try PrivateKey(external: SecretBytes(copying: external), .elliptic)
        case .rsa(let bits):
            _ = try await judge.makes("genrsa -traditional \(bits)")
            let der = try await judge.makes("rsa -in out -traditional -outform DER")
            theirs = try PrivateKey(external: SecretBytes(copying: der), .rsa)
        }
        #expect(theirs.kind == kind)
        try judge.put("key", theirs)
        #expect(try await judge.says("pkey -in key -inform DER -check -noout"))
    }

    @Test("signatures of every scheme hold there, and its own hold here", arguments: sizes)
    func signatures(kind: KeyKind) async throws {
        let key = try PrivateKey.generate(kind)
        try judge.put("key", key)
        var schemes: [SignatureScheme] = [.ecdsa, .rsaPKCS1Raw, .rsaRaw]
        for hash in HashFunction.allCases { schemes += [.rsaPKCS1(hash), .rsaPSS(hash)] }
        schemes.removeAll { !kind.supports($0) }
        #expect(schemes.count == (kind.family == .elliptic ? 1 : kind.bits == 1024 ? 11 : 12))
        for scheme in schemes {
            let (digest, options) = try input(scheme, kind)
            try judge.put("digest", digest)
            let ours = try key.signature(digest: digest, scheme)
            #expect(try key.publicKey.isSignature(ours, of: digest, scheme), "\(scheme)")
            try judge.put("signature", ours)
            if scheme == .rsaRaw {
                let recovered = try await judge.makes("pkeyutl -verifyrecover -pubin -inkey key.pem -in signature \(options)")
                #expect(recovered == digest)
            } else {
                let verify = "pkeyutl -verify -pubin -inkey key.pem -in digest -sigfile signature \(options)"
                #expect(try await judge.says(verify), "\(scheme)")
                var wrong = digest
                wrong[0] ^= 1
                try judge.put("digest", wrong)
                #expect(try await !judge.says(verify), "\(scheme)")
                try judge.put("digest", digest)
            }
            // To sign with, the command takes nothing longer than a hash; the bare power is the same as in decrypting.
            let power = scheme == .rsaRaw ? "-decrypt" : "-sign"
            let theirs = try await judge.makes("pkeyutl \(power) -inkey key -keyform DER -in digest \(options)")
            #expect(try key.publicKey.isSignature(theirs, of: digest, scheme), "\(scheme)")
            #expect(try !key.publicKey.isSignature(theirs, of: Array(digest.reversed()), scheme), "\(scheme)")
        }
    }

    /// Something to sign in a scheme, and how to tell the command which one it is.
    private func input(_ scheme: SignatureScheme, _ kind: KeyKind) throws -> ([UInt8], String) {
        let message = Array("message".utf8)
        switch scheme {
        case .ecdsa: return (try HashFunction.sha384.hash(message), "")
        case .rsaPKCS1(let hash):
            return (try hash.hash(message), "-pkeyopt rsa_padding_mode:pkcs1 -pkeyopt digest:\(hash.name)")
        case .rsaPSS(let hash):
            let mode = "-pkeyopt rsa_padding_mode:pss -pkeyopt rsa_pss_saltlen:digest"
            return (try hash.hash(message), "\(mode) -pkeyopt digest:\(hash.name) -pkeyopt rsa_mgf1_md:\(hash.name)")
        case .rsaPKCS1Raw: return (Array(1...50), "-pkeyopt rsa_padding_mode:pkcs1")
        case .rsaRaw: return ([0] + (1..<kind.blockBytes).map { UInt8($0 & 0x7F) }, "-pkeyopt rsa_padding_mode:none")
        }
    }

    @Test("both come to the same shared secret", arguments: Curve.allCases)
    func agreement(curve: Curve) async throws {
        let (mine, theirs) = try (PrivateKey.generate(.elliptic(curve)), PrivateKey.generate(.elliptic(curve)))
        try judge.put("mine", mine)
        try judge.put("theirs", theirs)
        let ours = try mine.agree(with: theirs.publicKey, .raw).exposed
        #expect(try await judge.makes("pkeyutl -derive -inkey mine -keyform DER -peerkey theirs.pem") == ours)
        #expect(try await judge.makes("pkeyutl -derive -inkey theirs -keyform DER -peerkey mine.pem") == ours)
    }

    @Test("what one encrypts with RSA the other decrypts", arguments: [1024, 2048, 3072])
    func encryption(bits: Int) async throws {
        let key = try PrivateKey.generate(.rsa(bits: bits))
        try judge.put("key", key)
        for scheme in [EncryptionScheme.rsaPKCS1, .rsaRaw] + HashFunction.allCases.map({ .rsaOAEP($0) }) {
            guard let longest = key.kind.longestPlaintext(scheme) else { continue }
            let options =
                switch scheme {
                case .rsaOAEP(let hash):
                    "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:\(hash.name) -pkeyopt rsa_mgf1_md:\(hash.name)"
                case .rsaRaw: "-pkeyopt rsa_padding_mode:none"
                default: "-pkeyopt rsa_padding_mode:pkcs1"
                }
            // A bare block is as long as the modulus, and smaller.
            let shortest = scheme == .rsaRaw ? longest : 1
            for count in Set([shortest, longest]) {
                let plaintext = [UInt8](repeating: 0x5A, count: count)
                try judge.put("plaintext", plaintext)
                let ours = try key.publicKey.encrypt(SecretBytes(copying: plaintext), scheme)
                try judge.put("ciphertext", ours)
                let decrypted = try await judge.makes("pkeyutl -decrypt -inkey key -keyform DER -in ciphertext \(options)")
                #expect(decrypted == plaintext, "\(scheme)")
                let theirs = try await judge.makes("pkeyutl -encrypt -pubin -inkey key.pem -in plaintext \(options)")
                #expect(try key.decrypt(theirs, scheme).exposed == plaintext, "\(scheme)")
            }
        }
    }
}
