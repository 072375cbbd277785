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
