import Foundation
import Testing
import thumbturn_test_programs

/// The built programs, a folder of their own and a private daemon.
final class Stage {
    let folder: URL
    let environment: [String: String]
    private var daemon: Child?

    /// - Parameter terminal: what `TERM` names. A dumb one gets text alone.
    init(terminal: String = "dumb") throws {
        for name in [
            "thumbturn", "thumbturnd", "thumbturn-prompt", "thumbturn-simulator", "thumbturn-test-app", "thumbturn-sign-in",
            "thumbturn-server", "thumbturn-companion",
        ] {
            try #require(
                FileManager.default.isExecutableFile(atPath: builtPrograms.appending(path: name).path), "\(name) isn't built")
        }
        // Short: a socket's path has about a hundred bytes.
        folder = URL(filePath: "/tmp/turn-\(UInt32.random(in: 0 ... .max))")
        for name in ["run/thumbturn", "state", "home"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        environment = [
            "PATH": builtPrograms.path + ":/usr/bin:/bin", "HOME": folder.appending(path: "home").path, "TERM": terminal,
            "LANG": "C.UTF-8", "TZ": "UTC", "XDG_RUNTIME_DIR": folder.appending(path: "run").path,
            "THUMBTURN_STATE": folder.appending(path: "state").path, "THUMBTURN_LIBEXEC": builtPrograms.path,
        ]
    }

    deinit {
        daemon?.end()
        try? FileManager.default.removeItem(at: folder)
    }

    private var socket: String { folder.appending(path: "run/thumbturn/socket").path }

    func startDaemon() throws {
        daemon?.end()
        daemon = try Child(
            [
                builtPrograms.appending(path: "thumbturnd").path, "--serve", "--socket", socket, "--state",
                folder.appending(path: "state").path, "--idle", "0", "--bus", "none",
            ], environment: environment)
        for _ in 0..<6000 where !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
        try #require(FileManager.default.fileExists(atPath: socket), "the daemon doesn't listen")
    }

    var daemonID: pid_t? { daemon?.pid }

    /// Ends the daemon without a chance to say anything.
    func killDaemon() {
        guard let daemon else { return }
        kill(daemon.pid, SIGKILL)
        _ = daemon.status()
        self.daemon = nil
        // Left by it, and no sign of the next one.
        unlink(socket)
    }

    func run(_ command: String, input: [UInt8] = []) throws -> (output: String, status: Int32) {
        let child = try Child(shell(command), environment: environment, input: input)
        let output = try child.readToEnd()
        return (output, child.status())
    }

    func runInTerminal(_ command: String) throws -> Child {
        try Child(inTerminal: shell(command), environment: environment)
    }

    /// Chooses the daemon's first passcode, at its prompt.
    func setPasscode(_ passcode: String) throws {
        let child = try runInTerminal("thumbturn passcode set")
        for field in ["New passcode:", "Again:"] {
            try #require(try child.read { $0.contains(field) }.met)
            child.type(Array((passcode + "\r").utf8))
        }
        _ = try child.readToEnd()
        try #require(child.status() == 0)
    }

    private func shell(_ command: String) -> [String] { ["/bin/sh", "-c", command] }
}
