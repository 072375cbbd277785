import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbLoop
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbCustody

/// A software custodian, asked in the words of a test.
@OnLoop private final class Shelf {
    private var custodian: SoftwareCustodian!
    private(set) var complaints: [String] = []

    init() { custodian = SoftwareCustodian { [weak self] in self?.complaints.append($0) } }

    func make(_ kind: KeyKind) async throws -> MadeKey {
        try await withCheckedContinuation { done in custodian.make(kind) { done.resume(returning: $0) } }.get()
    }

    func use(_ key: MadeKey, _ kind: KeyKind, _ operation: KeyOperation) async -> Result<SecretBytes, KeychainFailure> {
        let held = HeldKey(kind: kind, material: key.material, publicKey: key.publicKey)
        return await withCheckedContinuation { done in custodian.use(held, operation) { done.resume(returning: $0) } }
    }

    /// The same many times at once; the answers in the order in which they came.
    func useMany(
        _ key: MadeKey, _ kind: KeyKind, _ operation: KeyOperation, times: Int
    ) async -> [Result<SecretBytes, KeychainFailure>] {
        let held = HeldKey(kind: kind, material: key.material, publicKey: key.publicKey)
        var answers: [Result<SecretBytes, KeychainFailure>] = []
        return await withCheckedContinuation { done in
            for _ in 0..<times {
                custodian.use(held, operation) {
                    answers.append($0)
                    if answers.count == times { done.resume(returning: answers) }
                }
            }
        }
    }

    /// As many keys made at once; the answers in the order in which they came.
    func makeMany(_ kind: KeyKind, times: Int) async -> [Result<MadeKey, KeychainFailure>] {
        var answers: [Result<MadeKey, KeychainFailure>] = []
        return await withCheckedContinuation { done in
            for _ in 0..<times {
                custodian.make(kind) {
                    answers.append($0)
                    if answers.count == times { done.resume(returning: answers) }
                }
            }
        }
    }
}

@Suite("Keys in software")
struct SoftwareCustodianTests {
    private static let curves = Curve.allCases.map(KeyKind.elliptic)
    private static let sizes = [1024, 2048, 3072].map { KeyKind.rsa(bits: $0) }

    @Test("openssl accepts what a key of each kind signs", arguments: curves + sizes)
    func signs(_ kind: KeyKind) async throws {
        let shelf = await Shelf()
        let folder = try Folder()
        let key = try await shelf.make(kind)
        let publicKey = try PublicKey(external: key.publicKey, kind.family)
        #expect(publicKey.kind == kind)
        #expect(key.label == (try HashFunction.sha1.hash(key.publicKey)))
        let text = Array("what is signed".utf8)
        let scheme: SignatureScheme = kind.family == .elliptic ? .ecdsa : .rsaPKCS1(.sha256)
        let signature = try await shelf.use(key, kind, .sign(digest: HashFunction.sha256.hash(text), scheme)).get()
        let message = try folder.write("message", text)
        let file = try folder.write("signature", signature.plainBytes(in: 0..<signature.count))
        let judge = try folder.write("public.der", publicKey.spki)
        try OpenSSLCommand.run(["dgst", "-sha256", "-verify", judge, "-keyform", "DER", "-signature", file, message])
    }

    @Test("Two keys of one curve agree, and what was encrypted to one opens", arguments: curves)
    func agreesAndDecrypts(_ kind: KeyKind) async throws {
        let shelf = await Shelf()
        let (ours, theirs) = try await (shelf.make(kind), shelf.make(kind))
        let scheme = AgreementScheme.x963(.sha384, count: 40, sharedInfo: [9])
        let one = try await shelf.use(ours, kind, .agree(peer: theirs.publicKey, scheme)).get()
        let other = try await shelf.use(theirs, kind, .agree(peer: ours.publicKey, scheme)).get()
        #expect(one == other)
        let message = try SecretBytes(copying: [1, 2, 3])
        let sealed = try PublicKey(external: ours.publicKey, .elliptic).encrypt(message, .ecies(.sha256, derivesNonce: true))
        #expect(try await shelf.use(ours, kind, .decrypt(sealed, .ecies(.sha256, derivesNonce: true))).get() == message)
        let wrong = await shelf.use(theirs, kind, .decrypt(sealed, .ecies(.sha256, derivesNonce: true)))
        #expect(throws: KeychainFailure.parameter) { try wrong.get() }
    }

    @Test("RSA decrypts what was encrypted to it")
    func rsaDecrypts() async throws {
        let shelf = await Shelf()
        let kind = KeyKind.rsa(bits: 2048)
        let key = try await shelf.make(kind)
        let publicKey = try PublicKey(external: key.publicKey, .rsa)
        let message = try SecretBytes(copying: [4, 5, 6])
        for scheme in [EncryptionScheme.rsaPKCS1, .rsaOAEP(.sha256), .rsaOAEPGCM(.sha512)] {
            let sealed = try publicKey.encrypt(message, scheme)
            #expect(try await shelf.use(key, kind, .decrypt(sealed, scheme)).get() == message)
        }
    }

    @Test("What a key doesn't do is refused, and so is a size that isn't made")
    func refuses() async throws {
        let shelf = await Shelf()
        let kind = KeyKind.elliptic(.p256)
        let key = try await shelf.make(kind)
        let signature = await shelf.use(key, kind, .sign(digest: [UInt8](repeating: 0, count: 32), .rsaPKCS1(.sha256)))
        #expect(throws: KeychainFailure.unsupported) { try signature.get() }
        let decryption = await shelf.use(key, kind, .decrypt([1], .rsaPKCS1))
        #expect(throws: KeychainFailure.unsupported) { try decryption.get() }
        let agreement = await shelf.use(key, kind, .agree(peer: [1, 2], .raw))
        #expect(throws: KeychainFailure.parameter) { try agreement.get() }
        for bits in [512, 1023, 8193] {
            await #expect(throws: KeychainFailure.unsupported) { try await shelf.make(.rsa(bits: bits)) }
        }
        let other = try await shelf.make(kind)
        let mixed = MadeKey(material: key.material, publicKey: other.publicKey, label: other.label)
        let answer = await shelf.use(mixed, kind, .sign(digest: [UInt8](repeating: 0, count: 32), .ecdsa))
        #expect(throws: KeychainFailure.parameter) { try answer.get() }
        #expect(await shelf.complaints == [])
    }

    @Test("A signature that was calculated wrongly isn't returned")
    func faultySignature() throws {
        let digest = try HashFunction.sha256.hash([1])
        for (kind, scheme) in [(KeyKind.elliptic(.p384), SignatureScheme.ecdsa), (.rsa(bits: 1024), .rsaPSS(.sha256))] {
            let key = try PrivateKey.generate(kind)
            let right = try key.signature(digest: digest, scheme)
            #expect(try SoftwareCustodian.verified(right, of: digest, scheme, by: key.publicKey) == right)
            for place in [right.count / 2, right.count - 1] {
                var wrong = right
                wrong[place] ^= 1
                #expect(throws: KeychainFailure.internalFailure) {
                    try SoftwareCustodian.verified(wrong, of: digest, scheme, by: key.publicKey)
                }
            }
        }
    }

    @Test("Nor is one handed out that a faulty calculation gave: it isn't the public half's")
    func faultyCalculation() async throws {
        let shelf = await Shelf()
        let kind = KeyKind.elliptic(.p256)
        let (mine, theirs) = try await (shelf.make(kind), shelf.make(kind))
        // What is calculated with another scalar than the point's is wrong, as if the processor had failed.
        let mixed = theirs.material.plainBytes(in: 0..<65) + mine.material.plainBytes(in: 65..<97)
        let faulty = MadeKey(material: try SecretBytes(copying: mixed), publicKey: theirs.publicKey, label: theirs.label)
        let answer = await shelf.use(faulty, kind, .sign(digest: [UInt8](repeating: 1, count: 32), .ecdsa))
        #expect(throws: KeychainFailure.internalFailure) { try answer.get() }
        #expect(await shelf.complaints.count == 1)
    }

    @Test("When as many RSA calls wait as may, one more is refused, and each that was taken is answered")
    func limit() async throws {
        let shelf = await Shelf()
        let kind = KeyKind.rsa(bits: 2048)
        let key = try await shelf.make(kind)
        let digest = try HashFunction.sha256.hash([1])
        // All in one turn of the loop, so that no answer is taken in between.
        let limit = await SoftwareCustodian.limit
        try #require(limit == 256)
        let calls = 5 * limit
        let answers = await shelf.useMany(key, kind, .sign(digest: digest, .rsaPKCS1(.sha256)), times: calls)
        let refused = answers.count { if case .failure(.internalFailure) = $0 { true } else { false } }
        let signed = answers.count { if case .success = $0 { true } else { false } }
        #expect(answers.count == calls && refused + signed == calls)
        #expect(signed >= limit && refused > 0)
        #expect(await shelf.complaints == Array(repeating: "too many calls wait for RSA", count: refused))
    }

    @Test("Eight RSA keys wait to be made, and not as many as a program asks for: others don't wait for hours")
    func makingLimit() async {
        let shelf = await Shelf()
        // All in one turn of the loop, which is over before more than a few of them are made.
        let answers = await shelf.makeMany(.rsa(bits: 2048), times: 40)
        let refused = answers.count { if case .failure(.internalFailure) = $0 { true } else { false } }
        let made = answers.count { if case .success = $0 { true } else { false } }
        #expect(made >= 8 && refused > 0 && made + refused == 40)
    }

    @Test("An RSA key being made doesn't hold up the use of others")
    func makingAside() async throws {
        let shelf = await Shelf()
        let kind = KeyKind.rsa(bits: 1024)
        let quick = try await shelf.make(kind)
        let order = Order()
        async let slow: Void = {
            _ = try await shelf.make(.rsa(bits: 6144))
            order.add("made")
        }()
        _ = try await shelf.use(quick, kind, .sign(digest: HashFunction.sha256.hash([1]), .rsaPSS(.sha256))).get()
        order.add("signed")
        try await slow
        #expect(order.names == ["signed", "made"])
    }
}

/// What happened, in its order.
private final class Order: Sendable {
    private let list = Locked<[String]>([])
    var names: [String] { list.withLock { $0 } }
    func add(_ name: String) { list.withLock { $0.append(name) } }
}
