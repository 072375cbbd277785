import Foundation
import ThumbClient
import ThumbSecrets
import ThumbSecurityAPI

/// What a call costs: a raw echo, a frame's echo, reading a secret, looking an item up. They take turns against one daemon.
enum CallBench {
    private static let rounds = 10_000

    static func run(_ report: Report) throws {
        let daemon = try Daemon()
        defer { daemon.stop() }
        daemon.install()
        usleep(300_000)
        report.bench("daemon-idle", try daemon.residentMiB(), "MiB")
        report.ratio("daemon-idle-MiB", try daemon.residentMiB(), .atMost(18))

        let peer = try EchoPeer()
        let bytes = try SecretBytes(copying: [UInt8](repeating: 7, count: EchoPeer.size))
        try add()
        var raw = Samples()
        var awake = Samples()
        var frame = Samples()
        var read = Samples()
        var lookup = Samples()
        let query = Population.query("me")
        let attributes = Population.query("me", for: kSecReturnAttributes)
        for _ in 0..<500 {
            try peer.call()
            _ = try DeviceClient.shared.echo(bytes)
            try readSecret(query)
            try lookUp(attributes)
        }
        for _ in 0..<rounds {
            try raw.time { try peer.call() }
            try awake.time { try peer.call(awake: 50e-6) }
            try frame.time { _ = try DeviceClient.shared.echo(bytes) }
            try read.time { try readSecret(query) }
            try lookup.time { try lookUp(attributes) }
        }
        report.bench("raw-echo", raw, "us", peer: PeerCase.echo)
        report.bench("raw-echo-awake", awake, "us", peer: PeerCase.echoAwake)
        report.bench("frame-echo", frame, "us")
        report.bench("secret-read", read, "us")
        report.bench("lookup", lookup, "us")
        // Whether a caller that sleeps while it waits is faster than one that stays awake depends on whether the two processes share a
        // core. The calls are compared with the faster one.
        let least = min(raw.median, awake.median)
        report.ratio("frame-echo-over-raw", frame.median / least, .atMost(2.5))
        report.ratio("secret-read-over-raw", read.median / least, .atMost(4))
        report.ratio("lookup-over-raw", lookup.median / least, .atMost(4))
        report.ratio("secret-read-over-frame-echo", read.median / frame.median, .atMost(3))
        report.bench("daemon-after-calls", try daemon.residentMiB(), "MiB")
    }

    private static func add() throws {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "bench", kSecAttrAccount as String: "me",
            kSecValueData as String: Data(repeating: 9, count: EchoPeer.size),
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw BenchError("SecItemAdd: \(status)") }
    }

    /// Leaves out making the dictionary and casting the result. Both are Foundation's work in the caller, and cost as much as an echo.
    private static func readSecret(_ query: CFDictionary) throws {
        var result: AnyObject?
        let status = unsafe SecItemCopyMatching(query, &result)
        guard status == errSecSuccess, (result as? NSData)?.length == EchoPeer.size else {
            throw BenchError("SecItemCopyMatching: \(status)")
        }
    }

    /// Everything known about an item except its data.
    private static func lookUp(_ query: CFDictionary) throws {
        var result: AnyObject?
        let status = unsafe SecItemCopyMatching(query, &result)
        guard status == errSecSuccess, result != nil else { throw BenchError("SecItemCopyMatching: \(status)") }
    }
}
