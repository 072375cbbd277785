import Foundation
import Glibc
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

@Suite("OpenSSL's configuration") struct ConfigurationTests {
    @Test("a hostile OPENSSL_CONF isn't even opened")
    func hostile() async {
        await #expect(processExitsWith: .success) {
            // This configuration loads a provider from a file that isn't there, activates no default, and makes a failure fatal.
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("thumbturn-\(UUID().uuidString).cnf").path
            let evil = """
                config_diagnostics = 1
                openssl_conf = evil
                [evil]
                providers = providers
                engines = engines
                alg_section = algorithms
                [providers]
                evil = evil_provider
                [evil_provider]
                module = /nonexistent/evil.so
                activate = 1
                [engines]
                evil = evil_engine
                [evil_engine]
                dynamic_path = /nonexistent/evil.so
                init = 1
                [algorithms]
                default_properties = provider=evil
                """
            try evil.write(toFile: path, atomically: false, encoding: .utf8)
            defer { unlink(path) }
            setenv("OPENSSL_CONF", path, 1)
            setenv("OPENSSL_MODULES", "/nonexistent", 1)
            setenv("OPENSSL_ENGINES", "/nonexistent", 1)
            let watch = inotify_init1(Int32(IN_NONBLOCK))
            must(watch >= 0 && inotify_add_watch(watch, path, UInt32(IN_OPEN)) >= 0)
            var events = [UInt8](repeating: 0, count: 4096)

            let key = try SecretBytes.random(count: 32)
            let box = try SealedBox.seal([1, 2, 3], key: key, associatedData: [])
            must(try SealedBox.open(box, key: key, associatedData: []).count == 3)
            must(try HKDF.derive(secret: key, info: [], count: 32).count == 32)
            let (mine, theirs) = try (PrivateKey.generate(.elliptic(.p256)), PrivateKey.generate(.elliptic(.p384)))
            let digest = try HashFunction.sha256.hash([])
            must(try mine.publicKey.isSignature(mine.signature(digest: digest, .ecdsa), of: digest, .ecdsa))
            let rsa = try PrivateKey.generate(.rsa(bits: 1024))
            must(try rsa.publicKey.isSignature(rsa.signature(digest: digest, .rsaPSS(.sha256)), of: digest, .rsaPSS(.sha256)))
            must(try mine.agree(with: mine.publicKey, .raw).count == 32 && theirs.agree(with: theirs.publicKey, .raw).count == 48)
            must((try? SealedBox.open(box, key: SecretBytes.random(count: 32), associatedData: [])) == nil)
            must(codeOf(Result { try PublicKey(external: [4] + [UInt8](repeating: 1, count: 64), .elliptic) }) == .invalidKey)

            must(read(watch, &events, events.count) == -1 && errno == EAGAIN, "the configuration was opened")
            // The watch itself works: opening the file is seen.
            close(open(path, O_RDONLY))
            must(read(watch, &events, events.count) > 0)
        }
    }
}

/// Ends the exit test's child if a condition fails; unlike `precondition`, takes one that throws.
private func must(_ condition: Bool, _ message: String = "", line: Int = #line) {
    if !condition { fatalError("line \(line): \(message)") }
}
