import Foundation
import Testing
import thumbturn_test_programs

@Suite("TLS")
struct TLSTests {
    @Test("With a certificate it speaks TLS and nothing else")
    func certificate() async throws {
        let (answer, origin, plain) = try await onThread {
            let folder = try Folder()
            let (chain, key) = (folder.path + "/chain.pem", folder.path + "/key.pem")
            _ = try run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj",
                "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", chain,
            ])
            let bank = try ServerProgram(["--tls-certificate", chain, "--tls-key", key, "--client-rate", "0"], folder: folder)
            // Verified against that certificate, so it is that key that answers.
            let answer = try run(
                [
                    "openssl", "s_client", "-connect", "127.0.0.1:\(bank.port)", "-CAfile", chain, "-verify_return_error",
                    "-quiet",
                ],
                input: "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let wire = try bank.wire()
            wire.send(Wire.request("GET", "/health"))
            return (answer, bank.origin, try wire.reply()?.status)
        }
        #expect(answer.contains("200 OK") && answer.contains(#"{"status":"ok"}"#), "\(answer)")
        #expect(origin.hasPrefix("https://127.0.0.1:"))
        #expect(plain == nil)
    }

    @Test("A key that isn't the certificate's is said to be that, and so is a file that has none, or one under a passphrase")
    func wrongKey() async throws {
        let outcomes = try await onThread {
            let folder = try Folder()
            func make(_ name: String) throws -> (chain: String, key: String) {
                let (chain, key) = (folder.path + "/\(name).pem", folder.path + "/\(name).key")
                _ = try run([
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=\(name)", "-keyout", key, "-out", chain,
                ])
                return (chain, key)
            }
            let (own, other) = (try make("own"), try make("other"))
            let sealed = folder.path + "/sealed.key"
            _ = try run(["openssl", "pkcs8", "-topk8", "-in", own.key, "-out", sealed, "-passout", "pass:tulip"])
            return try [
                (own.chain, other.key), (own.key, own.key), (own.chain, own.chain), (own.chain, sealed),
            ].map { chain, key in
                try ServerProgram.run([
                    "--listen", "127.0.0.1:0", "--database", folder.path + "/db", "--tls-certificate", chain, "--tls-key", key,
                ])
            }
        }
        let words = [
            "the key of --tls-key isn't that of the first certificate of --tls-certificate",
            "the file of --tls-certificate has no certificate in PEM", "the file of --tls-key has no private key in PEM",
            "is encrypted; the server needs it without a passphrase",
        ]
        #expect(outcomes.count == words.count)
        for (outcome, words) in zip(outcomes, words) {
            #expect(outcome.status == 78 && outcome.output.hasPrefix("thumbturn-server: "), "\(outcome.output)")
            #expect(outcome.output.contains(words), "\(outcome.output)")
        }
    }
}

/// Runs a program of the machine; what it says.
private func run(_ arguments: [String], input: String = "") throws -> String {
    let process = OwnProcess()
    let (into, out) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    (process.standardInput, process.standardOutput, process.standardError) = (into, out, FileHandle.nullDevice)
    try process.run()
    try into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    // s_client ends with the connection; its input stays open until then.
    let output = try out.fileHandleForReading.readToEnd() ?? Data()
    try? into.fileHandleForWriting.close()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
}
