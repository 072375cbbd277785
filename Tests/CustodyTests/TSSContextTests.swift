import Foundation
import Testing
import thumbturn_test_programs
import thumbturn_test_tpm

/// What libtss2 gets when it asks for a context of libcrypto's (Sources/C/TSSContext).
@Suite("Contexts of libcrypto's", .timeLimit(.minutes(2)))
struct TSSContextTests {
    private let asked = "OSSL_LIB_CTX_new"

    private func path(_ program: String) -> String { builtPrograms.appending(path: program).path }

    private func lines(_ program: String, _ arguments: [String]) throws -> [Substring] {
        String(decoding: try Program.run(program, arguments), as: UTF8.self).split(separator: "\n")
    }

    /// The dynamic symbols of a program or a library that it has, or that it wants.
    private func symbols(_ kind: String, of file: String) throws -> Set<Substring> {
        Set(
            try lines("/usr/bin/nm", ["-D", "--\(kind)-only", file]).compactMap { line in
                line.split(separator: " ").last?.split(separator: "@").first
            })
    }

    @Test("A program that speaks to a TPM has an answer of its own", arguments: ["thumbturnd", "thumbturn-tpm"])
    func ours(program: String) async throws {
        let has = try await onThread { try symbols("defined", of: path(program)).contains { $0 == asked } }
        #expect(has)
    }

    @Test(
        "An app and the command line have libcrypto's: an app's process isn't ours alone",
        arguments: ["thumbturn-test-app", "thumbturn"])
    func theirs(program: String) async throws {
        let has = try await onThread { try symbols("defined", of: path(program)).contains { $0 == asked } }
        #expect(!has)
    }

    @Test("No library in those programs asks but the TPM's", arguments: ["thumbturnd", "thumbturn-tpm"])
    func asking(program: String) async throws {
        let asking = try await onThread {
            try lines("/usr/bin/ldd", [path(program)])
                .compactMap { line in line.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("/") } }
                .filter { try symbols("undefined", of: String($0)).contains { $0 == asked } }
                .map { URL(filePath: String($0)).lastPathComponent }
        }
        #expect(asking.contains { $0.hasPrefix("libtss2-esys.so") })
        #expect(asking.allSatisfy { $0.hasPrefix("libtss2-") })
    }
}
