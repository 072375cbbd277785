import Foundation
import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbCustody
import ThumbKeychain
import ThumbLoop
import ThumbSecrets

/// What a signature costs through the daemon, compared with the same custodian's work in this process and with a bare frame: in software,
/// and in a software TPM. They take turns, so that the machine's state is the same for all.
enum KeyBench {
    private static let digest = [UInt8](repeating: 7, count: 32)
    private static let softwareRounds = 3_000
    private static let chipRounds = 300

    static func run(_ report: Report) throws {
        // A new TPM has no storage key yet. The stack calls that an error and prints it.
        unsafe setenv("TSS2_LOG", "all+none", 1)
        try software(report)
        try chip(report)
    }

    private static func software(_ report: Report) throws {
        let daemon = try Daemon()
        defer { daemon.stop() }
        let use = try signing(daemon, isEnclave: false)
        let own = try PrivateKey.generate(.elliptic(.p256))
        // The custodian verifies each signature before it hands it out, so this process does too. The cost without that is reported
        // separately.
        let costs = try Costs(daemon, rounds: softwareRounds, use) {
            let key = try PrivateKey(own: own.external, .elliptic)
            let signature = try key.signature(digest: digest, .ecdsa)
            guard try key.publicKey.isSignature(signature, of: digest, .ecdsa) else { throw KeychainFailure.internalFailure }
        }
        costs.tell(report, "software")
        report.ratio(
            "software-signature-over-echo-and-own", costs.whole.median / (costs.echo.median + costs.own.median), .atMost(2))
        var bare = Samples()
        for _ in 0..<softwareRounds {
            try bare.time { _ = try PrivateKey(own: own.external, .elliptic).signature(digest: digest, .ecdsa) }
        }
        report.bench("software-signature-own-unverified", bare, "us")
        report.bench(
            "software-signature-over-echo-and-unverified", costs.whole.median / (costs.echo.median + bare.median), "x")
    }

    private static func chip(_ report: Report) throws {
        // One for the daemon and one for this process, because a software TPM's socket accepts only one peer.
        let (theirs, ours) = (try SoftwareChip(), try SoftwareChip())
        defer {
            theirs.end()
            ours.end()
        }
        let daemon = try Daemon(arguments: ["--tpm", "swtpm:\(theirs.socket)"])
        defer { daemon.stop() }
        let use = try signing(daemon, isEnclave: true)
        let custodian = HeldChip(path: ours.socket)
        defer { custodian.close() }
        let key = try custodian.make()
        // The custodian verifies each signature before it hands it out, which is part of its own cost too.
        let costs = try Costs(daemon, rounds: chipRounds, use) { try custodian.sign(key, digest) }
        costs.tell(report, "tpm")
        report.ratio("tpm-signature-over-echo-and-own", costs.whole.median / (costs.echo.median + costs.own.median), .atMost(1.3))
    }

    private static func signing(_ daemon: Daemon, isEnclave: Bool) throws -> KeyUse {
        let key = try daemon.client.makeKey(
            NewKey(
                kind: .elliptic(.p256), isEnclave: isEnclave, isPermanent: true, attributes: [.label: .text("bench")],
                rule: AccessRule(.afterFirstUnlockThisDeviceOnly)))
        return KeyUse(.stored(key.item.persistentRef), .sign(digest: digest, .ecdsa))
    }

    private struct Costs {
        var echo = Samples()
        var own = Samples()
        var whole = Samples()

        init(_ daemon: Daemon, rounds: Int, _ use: KeyUse, _ sign: () throws -> Void) throws {
            // As many bytes as a signature has.
            let bytes = try SecretBytes(copying: [UInt8](repeating: 7, count: 72))
            for round in -rounds / 10..<rounds {
                // The first tenth warms up.
                if round == 0 { (echo, own, whole) = (Samples(), Samples(), Samples()) }
                try echo.time { _ = try daemon.client.echo(bytes) }
                try own.time { try sign() }
                try whole.time { _ = try daemon.client.use(use) }
            }
        }

        func tell(_ report: Report, _ name: String) {
            report.bench("\(name)-signature-echo", echo, "us")
            report.bench("\(name)-signature-own", own, "us")
            report.bench("\(name)-signature-whole", whole, "us")
        }
    }
}

/// swtpm with its own state, which is removed with it.
private struct SoftwareChip {
    private let folder = NSTemporaryDirectory() + "/thumbturn-bench-tpm-" + UUID().uuidString.prefix(13)
    private let process = Process()
    var socket: String { folder + "/tpm" }

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        process.executableURL = URL(fileURLWithPath: "/usr/bin/swtpm")
        process.arguments = [
            "socket", "--tpm2", "--tpmstate", "dir=\(folder)", "--server", "type=unixio,path=\(socket)", "--ctrl",
            "type=unixio,path=\(socket).ctrl", "--flags", "not-need-init",
        ]
        // It reports every connection, and each command makes one.
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<500 where !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// A custodian in this process. It runs on the loop, and the caller waits for it.
private final class HeldChip: Sendable {
    private let path: String

    init(path: String) { self.path = path }

    /// They live on the loop, and each is made when it is first needed.
    @OnLoop private static var custodians: [String: TPMCustodian] = [:]

    private func wait<Value: Sendable>(
        _ question: @escaping @OnLoop @Sendable (TPMCustodian, @escaping (Result<Value, KeychainFailure>) -> Void) -> Void
    ) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let box = Box<Value>()
        let path = path
        EventLoop.shared.post {
            let custodian = Self.custodians[path] ?? TPMCustodian(TPMChip(.swtpm(path: path))) { _ in }
            Self.custodians[path] = custodian
            question(custodian) {
                box.put($0)
                done.signal()
            }
        }
        done.wait()
        return try box.taken()
    }

    func make() throws -> HeldKey {
        let made: MadeKey = try wait { $0.make(.elliptic(.p256), $1) }
        return HeldKey(kind: .elliptic(.p256), material: made.material, publicKey: made.publicKey)
    }

    func sign(_ key: HeldKey, _ digest: [UInt8]) throws {
        let _: SecretBytes = try wait { $0.use(key, .sign(digest: digest, .ecdsa), $1) }
    }

    func close() {
        let path = path
        let _: Void? = try? wait { custodian, answer in
            custodian.close { answer(.success(())) }
            Self.custodians[path] = nil
        }
    }
}

private final class Box<Value: Sendable>: @unchecked Sendable {
    // @unchecked: written once before the semaphore is signalled, read once after.
    private var result: Result<Value, KeychainFailure>?

    func put(_ result: Result<Value, KeychainFailure>) { self.result = result }

    func taken() throws -> Value {
        guard let result else { throw BenchError("a custodian that didn't answer") }
        return try result.get()
    }
}
