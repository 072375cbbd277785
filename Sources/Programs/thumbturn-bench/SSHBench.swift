import CThumbLinux
import Foundation
import ThumbLoop
import ThumbturnSimulator

/// A signature over the agent's socket. Our agent's key is at a device behind another socket; OpenSSH's ssh-agent has its key in its own
/// memory. Both keys are P-256 and ask nobody, and the two take turns.
enum SSHBench {
    private static let rounds = 2_000

    static func run(_ report: Report) throws {
        let folder = NSTemporaryDirectory() + "/thumbturn-bench-ssh-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A simulated device holds enclave keys in software without asking. Its service and custodian are the daemon's.
        let device = SimulatedDevice(passcode: nil)
        guard device.listen(at: folder + "/device") else { throw BenchError("the device doesn't listen") }
        var environment = ProcessInfo.processInfo.environment
        environment["THUMBTURN_SOCKET"] = folder + "/device"
        let thumbturn = Daemon.program("thumbturn").path
        try call([thumbturn, "ssh-key", "create", "bench", "--protect", "none"], environment)
        let ours = try Agent([thumbturn, "ssh-agent", "--socket", folder + "/ours"], environment, folder + "/ours")
        defer { ours.stop() }
        let theirs = try Agent(["ssh-agent", "-D", "-a", folder + "/theirs"], environment, folder + "/theirs")
        defer { theirs.stop() }
        try call(["ssh-keygen", "-q", "-t", "ecdsa", "-b", "256", "-N", "", "-f", folder + "/key"], environment)
        try call(
            ["ssh-add", "-q", folder + "/key"], environment.merging(["SSH_AUTH_SOCK": folder + "/theirs"]) { $1 })
        try compare(report, AgentPeer(folder + "/ours"), AgentPeer(folder + "/theirs"))
        device.uninstall()
    }

    private static func compare(_ report: Report, _ ours: AgentPeer, _ theirs: AgentPeer) throws {
        for _ in 0..<100 {
            try ours.sign()
            try theirs.sign()
        }
        var (our, their) = (Samples(), Samples())
        for _ in 0..<rounds {
            try our.time { try ours.sign() }
            try their.time { try theirs.sign() }
        }
        report.bench("ssh-agent-signature", their, "us", peer: PeerCase.sshAgent)
        report.bench("signature-beside-ssh-agent", our, "us")
        report.bench("signature-over-ssh-agent", our.median / their.median, "x")
    }

    private static func call(_ words: [String], _ environment: [String: String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = environment
        process.standardOutput = FileHandle(forWritingAtPath: "/dev/null")
        process.standardError = FileHandle(forWritingAtPath: "/dev/null")
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("\(words[0]) ended with \(process.terminationStatus)") }
    }

    /// An agent's process, once it listens.
    private final class Agent {
        private let process = Process()

        init(_ words: [String], _ environment: [String: String], _ socket: String) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = words
            process.environment = environment
            process.standardOutput = FileHandle(forWritingAtPath: "/dev/null")
            try process.run()
            for _ in 0..<1000 where !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
        }

        func stop() {
            process.terminate()
            process.waitUntilExit()
        }
    }
}

/// A connection to an agent, and a request that both agents grant: an SSHSIG, as git asks for.
private final class AgentPeer {
    private let fd: Int32
    private var request: [UInt8] = []

    init(_ path: String) throws {
        fd = try UnixSocket.connect(to: path).get()
        let listed = try ask([11])
        // The kind, the count, then the first key.
        guard listed.count > 9, listed[0] == 12 else { throw BenchError("the agent at \(path) lists no key") }
        let count = listed[5..<9].reduce(0) { $0 << 8 | Int($1) }
        let data =
            Array("SSHSIG".utf8) + Self.string("git") + Self.string("") + Self.string("sha512")
            + Self.string([UInt8](repeating: 7, count: 64))
        request = [13] + Self.string(Array(listed[9..<9 + count])) + Self.string(data) + [0, 0, 0, 0]
    }

    deinit { close(fd) }

    func sign() throws {
        guard try ask(request).first == 14 else { throw BenchError("an agent doesn't sign") }
    }

    private func ask(_ body: [UInt8]) throws -> [UInt8] {
        let frame = Self.string(body)
        guard unsafe send(fd, frame, frame.count, 0) == frame.count else { throw BenchError("an agent takes no request") }
        let count = try read(4).reduce(0) { $0 << 8 | Int($1) }
        return try read(count)
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe recv(fd, &bytes, count, Int32(MSG_WAITALL)) == count else {
            throw BenchError("an agent hung up")
        }
        return bytes
    }

    private static func string(_ text: String) -> [UInt8] { string(Array(text.utf8)) }
    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
    }
}
