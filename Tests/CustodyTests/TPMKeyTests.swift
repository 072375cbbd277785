import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbCustody

@Suite("Keys in a TPM")
struct TPMKeyTests {
    @Test("openssl accepts what a key signs, for each hash", arguments: ["sha1", "sha224", "sha256", "sha384", "sha512"])
    func signs(_ hash: String) async throws {
        let chip = try await Chip()
        let folder = try Folder()
        let key = try await chip.make()
        let message = try folder.write("message", Array("what is signed".utf8))
        try OpenSSLCommand.run(["dgst", "-" + hash, "-binary", "-out", folder.path + "/digest", message])
        let signature = try folder.write("signature", try await chip.sign(folder.read("digest"), with: key))
        let publicKey = try folder.write("public.der", OpenSSLCommand.der(key.publicKey))
        try OpenSSLCommand.run(["dgst", "-" + hash, "-verify", publicKey, "-keyform", "DER", "-signature", signature, message])
        // The judge says no to another message.
        let other = try folder.write("other", Array("what wasn't".utf8))
        #expect(throws: Program.Failed.self) {
            try OpenSSLCommand.run(["dgst", "-" + hash, "-verify", publicKey, "-keyform", "DER", "-signature", signature, other])
        }
        #expect(try await chip.leftBehind() == [])
    }

    @Test("openssl's key and ours share the same")
    func agrees() async throws {
        let chip = try await Chip()
        let folder = try Folder()
        let key = try await chip.make()
        let own = folder.path + "/own.pem"
        try OpenSSLCommand.run(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", own])
        let spki = try OpenSSLCommand.run(["pkey", "-in", own, "-pubout", "-outform", "DER"])
        let peer = try folder.write("peer.der", OpenSSLCommand.der(key.publicKey))
        try OpenSSLCommand.run(
            ["pkeyutl", "-derive", "-inkey", own, "-peerkey", peer, "-peerform", "DER", "-out", folder.path + "/shared"])
        let ours = try await chip.use(key, .agree(peer: Array(spki.suffix(65)), .raw)).get()
        #expect(ours.plainBytes(in: 0..<ours.count) == (try folder.read("shared")))
        #expect(try await chip.leftBehind() == [])
    }

    @Test("What is derived from what two keys share is the same on both sides")
    func derives() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        let own = try PrivateKey.generate(.elliptic(.p256))
        let publicKey = try PublicKey(external: key.publicKey, .elliptic)
        for hash in HashFunction.allCases {
            let scheme = AgreementScheme.x963(hash, count: 77, sharedInfo: [1, 2, 3])
            let ours = try await chip.use(key, .agree(peer: own.publicKey.external, scheme)).get()
            #expect(try ours == own.agree(with: publicKey, scheme))
        }
        #expect(try await chip.leftBehind() == [])
    }

    @Test("What was encrypted to a key opens in the TPM, and nothing else does")
    func decrypts() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        let publicKey = try PublicKey(external: key.publicKey, .elliptic)
        let message = try SecretBytes(copying: Array("for the chip's eyes".utf8))
        for hash in HashFunction.allCases {
            for derivesNonce in [false, true] where publicKey.kind.supports(.ecies(hash, derivesNonce: derivesNonce)) {
                let scheme = EncryptionScheme.ecies(hash, derivesNonce: derivesNonce)
                var sealed = try publicKey.encrypt(message, scheme)
                #expect(try await chip.use(key, .decrypt(sealed, scheme)).get() == message)
                sealed[sealed.count - 1] ^= 1
                let answer = await chip.use(key, .decrypt(sealed, scheme))
                #expect(throws: KeychainFailure.parameter) { try answer.get() }
            }
        }
        #expect(try await chip.leftBehind() == [])
    }

    @Test("Each key is another, and outlives its custodian")
    func lasts() async throws {
        let chip = try await Chip()
        let first = try await chip.make()
        let second = try await chip.make()
        #expect(first.publicKey != second.publicKey)
        #expect(first.label == (try HashFunction.sha1.hash(first.publicKey)))
        await chip.startAnew()
        let digest = try HashFunction.sha256.hash([1])
        for key in [first, second] { _ = try await chip.sign(digest, with: key) }
        #expect(await chip.complaints == [])
        #expect(try await chip.leftBehind() == [])
    }

    @Test("Each key has an authorization of its own")
    func authorizations() async throws {
        let chip = try await Chip()
        let first = try TPMKeyMaterial(await chip.make().material).authorization
        let second = try TPMKeyMaterial(await chip.make().material).authorization
        #expect(first != second)
    }

    @Test("Only P-256 is made, and such a key opens no RSA")
    func refuses() async throws {
        let chip = try await Chip()
        for kind in [KeyKind.elliptic(.p384), .elliptic(.p521), .rsa(bits: 2048)] {
            await #expect(throws: KeychainFailure.unsupported) { try await chip.make(kind) }
        }
        let key = try await chip.make()
        let refused = await chip.use(key, .decrypt([1], .rsaPKCS1))
        #expect(throws: KeychainFailure.unsupported) { try refused.get() }
        for scheme in [SignatureScheme.rsaPKCS1(.sha256), .rsaRaw] {
            let refused = await chip.use(key, .sign(digest: [UInt8](repeating: 7, count: 32), scheme))
            #expect(throws: KeychainFailure.unsupported) { try refused.get() }
        }
    }

    @Test("A peer that isn't on the curve is no peer")
    func refusesPeers() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        var point = key.publicKey
        point[64] ^= 1
        for peer in [point, [], [0x04], Array(key.publicKey.dropLast()), [0] + [UInt8](repeating: 0, count: 64)] {
            let answer = await chip.use(key, .agree(peer: peer, .raw))
            #expect(throws: KeychainFailure.parameter) { try answer.get() }
        }
    }

    @Test("A digest of any length is signed as others read it")
    func digestLengths() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        let publicKey = try PublicKey(external: key.publicKey, .elliptic)
        for count in [20, 28, 32, 33, 48, 64] {
            let digest = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + count) }
            let signature = try await chip.sign(digest, with: key)
            #expect(try publicKey.isSignature(signature, of: digest, .ecdsa))
        }
    }

    @Test("Material with any byte changed is refused, and the TPM works on")
    func damaged() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        let digest = try HashFunction.sha256.hash([2])
        let bytes = key.material.plainBytes(in: 0..<key.material.count)
        for place in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[place] ^= 0x40
            let broken = MadeKey(
                material: try SecretBytes(copying: changed), publicKey: key.publicKey, label: key.label)
            let answer = await chip.use(broken, .sign(digest: digest, .ecdsa))
            #expect(throws: KeychainFailure.self) { try answer.get() }
        }
        for count in [0, 1, 2, 40, bytes.count - 1] {
            let short = MadeKey(
                material: try SecretBytes(copying: bytes.prefix(count)), publicKey: key.publicKey, label: key.label)
            let answer = await chip.use(short, .sign(digest: digest, .ecdsa))
            #expect(throws: KeychainFailure.damaged) { try answer.get() }
        }
        let more = MadeKey(material: try SecretBytes(copying: bytes + [0]), publicKey: key.publicKey, label: key.label)
        let answer = await chip.use(more, .sign(digest: digest, .ecdsa))
        #expect(throws: KeychainFailure.damaged) { try answer.get() }
        _ = try await chip.sign(digest, with: key)
        #expect(try await chip.leftBehind() == [])
    }

    @Test("A key whose public half was exchanged isn't used")
    func exchanged() async throws {
        let chip = try await Chip()
        let key = try await chip.make()
        let other = try await chip.make()
        let mixed = MadeKey(material: key.material, publicKey: other.publicKey, label: other.label)
        let answer = await chip.use(mixed, .sign(digest: try HashFunction.sha256.hash([3]), .ecdsa))
        #expect(throws: KeychainFailure.damaged) { try answer.get() }
    }
}
