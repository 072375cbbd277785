import CThumbOpenSSL
import Foundation
import Testing
import ThumbAccess
import ThumbSecrets
import thumbturn_test_support

@testable import ThumbCrypto

/// libcrypto's memory, which runs out where a test says: at one allocation, or from it on.
private enum Memory {
    // One thread uses it, in a process of the test's own.
    nonisolated(unsafe) private static var left = Int.max
    nonisolated(unsafe) private static var lasts = false
    nonisolated(unsafe) private(set) static var refused = 0

    /// Whether libcrypto takes its memory here from now on; false once it has taken any elsewhere.
    static func takeOver() -> Bool {
        CRYPTO_set_mem_functions(
            { size, _, _ in Memory.isThere ? malloc(size) : nil },
            { old, size, _, _ in Memory.isThere ? realloc(old, size) : nil },
            { old, _, _ in free(old) }) == 1
    }

    private static var isThere: Bool {
        left -= 1
        guard left < 0, lasts || left == -1 else { return true }
        refused += 1
        return false
    }

    static func runOut(at place: Int, lasting: Bool) { (left, lasts, refused) = (place, lasting, 0) }
    static func isBack() { (left, lasts) = (.max, false) }
}

@Suite("libcrypto without memory") struct NoMemoryTests {
    @Test("at whichever allocation memory runs out, nothing right is called wrong")
    func everywhere() async throws {
        let report = NSTemporaryDirectory() + "no-memory-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: report) }
        await #expect(processExitsWith: .success) { [report = report as String] in
            guard Memory.takeOver() else { exit(2) }
            let wrong = try complaints()
            try Data(wrong.joined(separator: "\n").utf8).write(to: URL(filePath: report))
            exit(EXIT_SUCCESS)
        }
        let wrong = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
        #expect(wrong.prefix(20) == [])
    }
}

private struct Refused: Error {}

/// What can be opened, read or verified, each of it right.
private func operations() throws -> [(name: String, run: () throws -> Void)] {
    let (key, message) = (try SecretBytes.random(count: 32), try SecretBytes.random(count: 100))
    let box = try SealedBox.seal(message, key: key, associatedData: [1])
    let elliptic = try PrivateKey.generate(.elliptic(.p256))
    let rsa = try PrivateKey.generate(.rsa(bits: 2048))
    let digest = try HashFunction.sha256.hash([1, 2, 3])
    let signatures = (try elliptic.signature(digest: digest, .ecdsa), try rsa.signature(digest: digest, .rsaPKCS1(.sha256)))
    let kept = try VerifyingKey(elliptic.publicKey)
    let ecies = EncryptionScheme.ecies(.sha256, derivesNonce: true)
    let toElliptic = try elliptic.publicKey.encrypt(message, ecies)
    let code = try HMAC256.authenticate([1, 2], key: key)
    let leaf = [UInt8](TestCertificate.leaf)
    let certificate = try Certificate(der: leaf)
    func expect(_ isRight: Bool) throws { if !isRight { throw Refused() } }
    return [
        ("a box", { try expect(try SealedBox.open(box, key: key, associatedData: [1]) == message) }),
        ("a code", { try expect(try HMAC256.verify(code, message: [1, 2], key: key)) }),
        ("a point", { _ = try PublicKey(external: elliptic.publicKey.external, .elliptic) }),
        ("an elliptic key", { _ = try PrivateKey(external: elliptic.external, .elliptic) }),
        ("an RSA key", { _ = try PrivateKey(external: rsa.external, .rsa) }),
        ("an ECDSA signature", { try expect(try elliptic.publicKey.isSignature(signatures.0, of: digest, .ecdsa)) }),
        ("an ECDSA signature for a kept key", { try expect(try kept.isSignature(signatures.0, ofSHA256: digest)) }),
        ("an RSA signature", { try expect(try rsa.publicKey.isSignature(signatures.1, of: digest, .rsaPKCS1(.sha256))) }),
        ("an ECIES message", { try expect(try elliptic.decrypt(toElliptic, ecies) == message) }),
        (
            "a certificate",
            {
                // Its addresses aren't compared: libcrypto leaves out one that it has no memory to copy, and doesn't say so.
                let read = try Certificate(der: leaf)
                try expect(read.validity == certificate.validity && read.summary == certificate.summary)
            }
        ),
        // Not RSA's decryption: of that nobody learns why it failed, because the reason would answer an attacker's questions.
    ]
}

private func complaints() throws -> [String] {
    var found: [String] = []
    for (name, run) in try operations() {
        try run()
        for lasting in [false, true] {
            for place in 0..<2000 {
                Memory.runOut(at: place, lasting: lasting)
                let outcome = Result { try run() }
                let refused = Memory.refused
                Memory.isBack()
                if refused == 0 { break }
                switch outcome {
                case .success: break
                case .failure(let error as CryptoError) where !error.code.isCallers && error.code != .agreementFailed: break
                case .failure(let error): found.append("\(name), at \(place)\(lasting ? " and after" : ""): \(error)")
                }
                if (try? run()) == nil { found.append("\(name), after \(place): not even with memory") }
            }
        }
    }
    return found
}
