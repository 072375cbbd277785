import Foundation
import thumbturn_test_programs

/// A key and its certificate, in files.
struct TLSPair {
    let chain: String
    let key: String

    init(_ name: String, in folder: Folder) throws {
        (chain, key) = (folder.path + "/\(name)-chain.pem", folder.path + "/\(name)-key.pem")
        let made = try openssl(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", chain,
            ])
        guard made.status == 0 else { throw ServerProgram.CannotStart(said: "no certificate") }
    }

    /// Puts these files in the place of others.
    func replace(_ other: TLSPair) throws {
        for (from, to) in [(chain, other.chain), (key, other.key)] {
            try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to), options: .atomic)
        }
    }

    /// Whether a server there answers with this certificate.
    func answers(at port: UInt16) throws -> Bool {
        let request = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let words = ["s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", chain, "-verify_return_error", "-quiet"]
        return try openssl(words, input: request).output.contains("200 OK")
    }
}

/// Runs openssl to its end.
func openssl(_ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
    let process = OwnProcess()
    let (into, out) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    (process.standardInput, process.standardOutput, process.standardError) = (into, out, FileHandle.nullDevice)
    try process.run()
    writeQuietly(Array(input.utf8), to: into.fileHandleForWriting.fileDescriptor)
    // s_client ends with the connection; its input stays open until then.
    let output = try out.fileHandleForReading.readToEnd() ?? Data()
    try? into.fileHandleForWriting.close()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
