import Foundation
import Testing
import thumbturn_test_programs

/// libthumbturn's functions, called from C, on a simulated device.
@Suite("libthumbturn on a simulated device")
struct SimulatedTests {
    /// Runs a program of C on a device whose owner answers so; without answers the owner says yes to everything.
    private func outcome(
        _ name: String, _ kind: BuiltLibrary.Kind, answers: String? = nil, _ words: [String] = []
    ) async throws -> Outcome {
        let program = try await BuiltLibrary.get(kind).program(name)
        let answering = answers.map { ["--answers", $0] } ?? []
        return try await run(
            ["thumbturn", "simulate"] + answering + ["--", program.path] + words, environment: BuiltLibrary.environment)
    }

    @Test("Secrets are stored, read, replaced, listed and removed, each under its rule", arguments: BuiltLibrary.Kind.allCases)
    func secrets(kind: BuiltLibrary.Kind) async throws {
        let outcome = try await outcome("secrets", kind)
        #expect(outcome.status == 0 && outcome.output == "all secrets are right\n", "\(outcome.output)")
    }

    @Test("A secret is to be had when it was chosen to be: while unlocked, after the first unlock, always, with a passcode")
    func times() async throws {
        let program = try await BuiltLibrary.get(.sanitized).program("rules")
        let outcome = try await run(
            [
                "thumbturn", "simulate", "--", "sh", "-c",
                """
                set -e; "$0" keep; "$0" read; thumbturn simulate control lock >/dev/null; "$0" read
                thumbturn simulate control restart >/dev/null; "$0" read
                """, program.path,
            ], environment: BuiltLibrary.environment)
        #expect(outcome.status == 0 && outcome.output == "0123\n-12-\n--2-\n", "\(outcome.output)")
    }

    /// What the owner does, and how the library tells it: policy, error and factor.
    private static let ways: [(answers: String?, word: String)] = [
        (nil, "verify:1:0:1"), (nil, "verify:2:0:1"), ("passcode:1234", "verify:2:0:2"), ("cancel", "verify:2:202:0"),
        ("no-match,fallback", "verify:1:203:0"), ("no-match,no-match,no-match", "verify:1:201:0"),
        ("system-cancel", "verify:2:204:0"),
    ]

    @Test("How asking the owner ended is told as it was", arguments: ways.indices)
    func endings(index: Int) async throws {
        let (answers, word) = Self.ways[index]
        let outcome = try await outcome("owner", .plain, answers: answers, [word])
        #expect(outcome.status == 0 && outcome.output == "the owner was asked\n", "\(outcome.output)")
    }

    @Test("A question is asked while the program goes on, and can be taken back", arguments: BuiltLibrary.Kind.allCases)
    func meanwhile(kind: BuiltLibrary.Kind) async throws {
        let asked = try await outcome("owner", kind, ["asynchronous", "capability", "wrong"])
        #expect(asked.status == 0, "\(asked.output)")
        let canceled = try await outcome("owner", kind, answers: "nothing,nothing,nothing", ["canceled"])
        #expect(canceled.status == 0, "\(canceled.output)")
    }

    @Test("One yes under a context is enough for all that is read under it")
    func context() async throws {
        let outcome = try await outcome("owner", .sanitized, answers: "match", ["context"])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("Questions without a context leave none behind: there can be more than the daemon has room for")
    func contexts() async throws {
        let outcome = try await outcome("owner", .plain, ["contexts"])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("A forked child has neither the connection nor the secrets, and doesn't disturb its parent")
    func forked() async throws {
        let outcome = try await outcome("owner", .plain, ["forked"])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("Keys are made, found, listed and removed, and openssl takes what they sign", arguments: BuiltLibrary.Kind.allCases)
    func keys(kind: BuiltLibrary.Kind) async throws {
        let folder = try temporaryFolder()
        let outcome = try await outcome("keys", kind, [folder.path])
        #expect(outcome.status == 0 && outcome.output == "all keys are right\n", "\(outcome.output)")
        // What openssl calls a public key: the head of a P-256 key, and the point.
        let head: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
            0x3d,
            0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ]
        let point = try Data(contentsOf: folder.appending(path: "elliptic.public"))
        try (Data(head) + point).write(to: folder.appending(path: "elliptic.der"))
        let rsa = try await run(
            ["openssl", "rsa", "-RSAPublicKey_in", "-inform", "DER", "-in", "rsa.public", "-outform", "DER", "-out", "rsa.der"],
            environment: BuiltLibrary.environment, folder: folder)
        #expect(rsa.status == 0, "\(rsa.output)")
        for key in ["elliptic", "rsa"] {
            let judged = try await run(
                [
                    "openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "\(key).der", "-sigfile",
                    "\(key).signature", "-in", "digest", "-pkeyopt", "digest:sha256",
                ], environment: BuiltLibrary.environment, folder: folder)
            #expect(judged.status == 0 && judged.output.contains("Signature Verified Successfully"), "\(judged.output)")
        }
    }

    @Test("What the command line encrypts to a key, the library decrypts, and nothing else")
    func decrypts() async throws {
        let program = try await BuiltLibrary.get(.sanitized).program("keys")
        let folder = try temporaryFolder()
        // Both are one program to the device, so that they share the key.
        let outcome = try await run(
            [
                "thumbturn", "simulate", "--bundle-id", "org.example.both", "--", "sh", "-c",
                """
                set -e; thumbturn key create letters >/dev/null; printf 'dear owner' >plain
                thumbturn key encrypt letters plain --output sealed >/dev/null; \(program.path) decrypt letters sealed
                """,
            ], environment: BuiltLibrary.environment, folder: folder)
        #expect(outcome.status == 0 && outcome.output == "dear owner", "\(outcome.output)")
    }
}
