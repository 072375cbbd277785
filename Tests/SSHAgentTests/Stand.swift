import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbLoop
import ThumbSecrets
import ThumbSystem
import ThumbturnSimulator
import thumbturn_test_programs
import thumbturn_test_support

@testable import ThumbSSHAgentServer
@testable import thumbturn

/// Everything here asks the process's one device.
@Suite("The SSH agent on a device", .oneDevice) enum OnDevice {}

/// An agent of this process's own on a simulated device, and a folder for whoever speaks with it.
final class Stand: Sendable {
    let device: SimulatedDevice
    let folder: URL
    let server: AgentServer
    private let socket: AgentSocket
    private let stop: Int32
    private let log: Locked<[String]>
    private let isOver = DispatchSemaphore(value: 0)

    var path: String { folder.appending(path: "agent").path }
    var knownHosts: String { folder.appending(path: "known_hosts").path }
    /// What the agent wrote into its log.
    var lines: [String] { log.withLock { $0 } }

    fileprivate init(passcode: String?, secondsForFrame: Int) throws {
        folder = URL(filePath: "/tmp/turn-ssh-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        device = SimulatedDevice(passcode: passcode).install()
        let log = Locked<[String]>([])
        self.log = log
        server = AgentServer(
            AgentKeys(), hosts: HostNames(files: [folder.appending(path: "known_hosts").path]), secondsForFrame: secondsForFrame
        ) { line in log.withLock { $0.append(line) } }
        socket = try AgentSocket.made(at: folder.appending(path: "agent").path)
        stop = eventfd(0, Int32(EFD_CLOEXEC))
        let isStarted = AgentThread.start { [server, socket, stop, isOver] in
            server.serve(socket.descriptor, until: stop)
            isOver.signal()
        }
        try #require(isStarted)
    }

    fileprivate func end() async {
        eventfd_write(stop, 1)
        await onThread { [isOver] in isOver.wait() }
        socket.remove()
        close(stop)
        device.uninstall()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A key, with its public half in a file of its name.
    @discardableResult
    func key(_ name: String, _ protection: String = "presence") throws -> SSHKey {
        let plain = try Protection.rule(protection, "when-unlocked", staysHere: true)
        let key = try SSHKey.make(name, AccessRule(plain.accessibility, plain.constraints.union(.privateKeyUsage)))
        try write(key.line + "\n", to: "\(name).pub")
        return key
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return file.path
    }

    /// Runs a program that finds the agent in its environment.
    func run(_ arguments: String...) async throws -> Ended { try await run(arguments) }

    func run(_ arguments: [String]) async throws -> Ended {
        try await Ended.running(arguments, environment: environment, in: folder)
    }

    var environment: [String: String] {
        [
            "SSH_AUTH_SOCK": path, "HOME": folder.path, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
        ]
    }
}

/// Runs `body` beside an agent. An answer that no prompt asked for is a failure.
func withAgent(
    passcode: String? = "1234", secondsForFrame: Int = 10, _ body: (Stand) async throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let stand = try Stand(passcode: passcode, secondsForFrame: secondsForFrame)
    do {
        try await body(stand)
    } catch {
        await stand.end()
        throw error
    }
    #expect(stand.device.unusedAnswers == 0, "answers were scripted that no prompt asked for", sourceLocation: sourceLocation)
    await stand.end()
}

/// How a program ended, and all it said.
struct Ended: Sendable {
    let status: Int32
    let output: String

    static func running(_ arguments: [String], environment: [String: String], in folder: URL) async throws -> Ended {
        let said = folder.appending(path: "output-\(UInt32.random(in: 0 ... .max))").path
        defer { unlink(said) }
        let output = thumb_open(said, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(output) }
        let child = try start(arguments, environment, in: folder, output: output)
        let status = await onThread { child.wait() }
        return Ended(status: status, output: String(decoding: try Data(contentsOf: URL(filePath: said)), as: UTF8.self))
    }

    /// Starts a program in a session of its own, with nothing to read; what it says on both its outputs goes to `output`.
    static func start(
        _ arguments: [String], _ environment: [String: String], in folder: URL, output: Int32
    ) throws -> Child {
        try Spawn(
            "/bin/sh", ["sh", "-c", #"cd "$0" && exec "$@" 2>&1"#, folder.path] + arguments,
            environment: .only(environment.map { "\($0.key)=\($0.value)" }), descriptors: .only([nil, output, 2]),
            hasOwnSession: true
        ).start()
    }
}

/// Waits for what another thread brings about.
func until(_ what: Comment, _ holds: () -> Bool) async throws {
    for _ in 0..<3_000 {
        if holds() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record(what)
}
