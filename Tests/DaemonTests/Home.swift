import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_programs

/// A user's folders of a test's own, and the real programs that work in them.
final class Home: Sendable {
    struct NotBuilt: Error { let name: String }

    let folder: URL
    var state: URL { folder.appending(path: "state") }
    var socket: String { folder.appending(path: "run/thumbturn/socket").path }

    static func program(_ name: String) -> String { builtPrograms.appending(path: name).path }

    init() throws {
        for name in ["thumbturnd", "thumbturn-prompt", "thumbturn-test-client"] {
            guard FileManager.default.isExecutableFile(atPath: Self.program(name)) else { throw NotBuilt(name: name) }
        }
        // Short: a socket's path has about a hundred bytes.
        folder = URL(filePath: "/tmp/turn-\(UInt32.random(in: 0 ... .max))")
        for name in ["", "run", "state"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    deinit {
        endDaemon()
        // A folder that can't be removed is a temporary folder left behind, nothing more.
        try? FileManager.default.removeItem(at: folder)
    }

    var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb", "LANG": "C.UTF-8", "MARK": "a-mark-of-the-caller",
            "XDG_RUNTIME_DIR": folder.appending(path: "run").path, "THUMBTURN_STATE": state.path,
            "THUMBTURN_LIBEXEC": builtPrograms.path,
        ]
    }

    func client(in place: Program.Place = .pipes) throws -> Program {
        try Program([Self.program("thumbturn-test-client")], environment: environment, in: place)
    }

    /// One call by a client of its own.
    func ask(_ command: String) throws -> String? { try client().ask(command) }

    /// A daemon in the foreground, as a service manager would start it.
    func serve(idle: Double) throws -> Program {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/run/thumbturn", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try Program(
            [
                Self.program("thumbturnd"), "--serve", "--socket", socket, "--state", state.path, "--idle", "\(idle)",
                "--bus", "none",
            ], environment: environment)
    }

    /// The daemon that made the socket and listens there, as the kernel knows it; where a test made it, there is none.
    var daemon: pid_t? {
        guard case .success(let fd) = UnixSocket.connect(to: socket) else { return nil }
        defer { UnixSocket.close(fd) }
        return UnixSocket.peer(of: fd).flatMap { $0.pid == getpid() ? nil : $0.pid }
    }

    /// Ends the daemon, which isn't our child, and waits until it is gone and its locks with it.
    func endDaemon(_ signal: Int32 = SIGTERM) {
        guard let pid = daemon else { return }
        let process = pidfd_open(pid, 0)
        guard process >= 0 else { return }
        defer { close(process) }
        kill(pid, signal)
        var wait = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, 60_000)
    }

    /// Every file of the state folder, by name, but for the lock and the log.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: state.path) where !["lock", "daemon.log"].contains(name) {
            files[name] = try Data(contentsOf: state.appending(path: name))
        }
        return files
    }
}
