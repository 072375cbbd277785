import CThumbLinux
import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSignIn

/// What a sign-in costs a server's processor: verifying the signature of a statement, including its SHA-256, with a key that stays parsed.
/// OpenSSL's own program takes turns with it on this machine. Each uses one thread, and processor time is counted, as that program does.
enum VerifyBench {
    private static let rounds = 3
    private static let seconds = 3

    static func run(_ report: Report) throws {
        let own = try PrivateKey.generate(.elliptic(.p256))
        let spki = own.publicKey.spki
        guard let origin = Origin("https://bank.example"), let account = AccountName("anna@bank.example"),
            let challenge = Challenge([UInt8](repeating: 7, count: Challenge.byteCount)),
            let digest = Digest32(try HashFunction.sha256.hash(spki))
        else { throw BenchError("a statement that is none") }
        let request = StatementRequest(origin: origin, account: account, purpose: .signIn, challenge: challenge)
        let statement = request.statement(of: DeviceID(digest)).bytes
        let signature = try own.signature(digest: HashFunction.sha256.hash(statement), .ecdsa)
        let device = DeviceRecord(
            id: DeviceID(digest), key: spki, name: "", unverifiedProtection: "", registered: Moment(seconds: 0))
        let key = try VerifyingKey(own.publicKey)

        var (ours, theirs, whole, parsing) = (Samples(), Samples(), Samples(), Samples())
        for _ in 0..<rounds {
            try ours.add(
                aSecond(for: seconds) {
                    guard try key.isSignature(signature, ofSHA256: HashFunction.sha256.hash(statement)) else {
                        throw BenchError("a signature that isn't one")
                    }
                })
            try theirs.add(openssl())
            try whole.add(
                aSecond(for: 1) {
                    let claim = try SignInClaim(statement: statement, signature: signature, at: origin, for: .signIn)
                    _ = try claim.proof(by: device, KeptKey(key: key))
                })
            try parsing.add(1_000_000 / aSecond(for: 1) { _ = try VerifyingKey(PublicKey(spki: spki)) })
        }
        report.bench("openssl-speed-verifications", theirs, "a second", peer: PeerCase.opensslSpeed)
        report.bench("verifications", ours, "a second")
        report.bench("sign-in-claims-proved", whole, "a second")
        report.bench("verifying-key-parsing", parsing, "us")
        report.ratio("verifications-over-openssl-speed", ours.median / theirs.median, .atLeast(0.9))
    }

    /// How often `body` runs in a second of this thread's time.
    private static func aSecond(for seconds: Int, _ body: () throws -> Void) rethrows -> Double {
        let (start, length) = (threadTime(), Double(seconds))
        var count = 0
        while true {
            // Several at a time, because reading the clock is a system call.
            for _ in 0..<200 { try body() }
            count += 200
            let taken = threadTime() - start
            if taken >= length { return Double(count) / taken }
        }
    }

    private static func threadTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// How many verifications a second `openssl speed` reports: the last number of its last line.
    private static func openssl() throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "speed", "-seconds", "\(seconds)", "ecdsap256"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let last = text.split(separator: "\n").last, last.contains("nistp256"),
            let figure = last.split(separator: " ").last.flatMap({ Double($0) })
        else { throw BenchError("openssl speed tells no figure") }
        return figure
    }

    /// A server's cryptography for a device that it has seen before.
    private struct KeptKey: SignInCrypto {
        let key: VerifyingKey

        func sha256(_ bytes: [UInt8]) throws(SignInRefusal) -> Digest32 {
            guard let hash = try? HashFunction.sha256.hash(bytes), let digest = Digest32(hash) else { throw .busy }
            return digest
        }

        func isSignature(
            _ signature: SignatureForm, ofSHA256 digest: Digest32, by _: [UInt8], of _: DeviceID
        ) throws(SignInRefusal) -> Bool {
            guard let answer = try? key.isSignature(signature.der, ofSHA256: digest.bytes) else { throw .busy }
            return answer
        }
    }
}
