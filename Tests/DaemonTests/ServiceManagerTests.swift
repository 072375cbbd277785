import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_programs

@Suite("The daemon under a service manager")
struct ServiceManagerTests {
    /// Starts it as systemd does: the listening socket as descriptor 3, and its own number said in the environment.
    private static func start(_ home: Home, _ notices: String, _ listener: Int32?) throws -> Program {
        var environment = home.environment
        environment["NOTIFY_SOCKET"] = notices
        environment["LISTEN_FDS"] = "1"
        let words = "LISTEN_PID=$$ exec \"$0\" --serve --state \"$1\" --socket \"$2\" --idle 0 --bus none"
        return try Program(
            ["/bin/sh", "-c", words, Home.program("thumbturnd"), home.state.path, home.socket], environment: environment,
            inherited: listener)
    }

    @Test("it serves the socket it is handed, says when it is ready and when it ends, and leaves the socket there")
    func activation() async throws {
        let home = try Home()
        let notices = try Notices(at: home.folder.path + "/notify")
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/run/thumbturn", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let listener = try UnixSocket.listen(at: home.socket).get()
        defer { UnixSocket.close(listener) }
        let result = try await onThread {
            let daemon = try Self.start(home, home.folder.path + "/notify", listener)
            let ready = notices.next()
            let answer = try home.ask("pid")
            kill(daemon.pid, SIGTERM)
            let stopping = notices.next()
            return (ready, answer == "pid \(daemon.pid)", stopping, daemon.status())
        }
        #expect(result.0 == "READY=1" && result.1 && result.2 == "STOPPING=1" && result.3 == 0)
        #expect(FileManager.default.fileExists(atPath: home.socket))
    }

    @Test("a socket that was handed to another process isn't its own: it makes one where it is told to")
    func othersSocket() async throws {
        let home = try Home()
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/run/thumbturn", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let other = try UnixSocket.listen(at: home.folder.path + "/other").get()
        defer { UnixSocket.close(other) }
        // As a program has it whose parent was handed a socket and passed its environment on.
        let environment = home.environment.merging(["LISTEN_FDS": "1", "LISTEN_PID": "\(getpid())"]) { $1 }
        let isServed = try await onThread {
            let daemon = try Program(
                [
                    Home.program("thumbturnd"), "--serve", "--state", home.state.path, "--socket", home.socket, "--idle", "0",
                    "--bus", "none",
                ], environment: environment, inherited: other)
            for _ in 0..<1000 where !FileManager.default.fileExists(atPath: home.socket) { usleep(10_000) }
            return try home.ask("pid") == "pid \(daemon.pid)"
        }
        #expect(isServed)
    }

    @Test("its journal holds no secret, no reason and no name, whatever it was asked and refused")
    func journal() async throws {
        let home = try Home()
        let notices = try Notices(at: home.folder.path + "/notify")
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/run/thumbturn", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let listener = try UnixSocket.listen(at: home.socket).get()
        defer { UnixSocket.close(listener) }
        let (said, answers) = try await onThread {
            let daemon = try Self.start(home, home.folder.path + "/notify", listener)
            _ = notices.next()
            let answers = try [
                "add planted-name planted-secret", "add planted-name planted-secret", "read planted-name", "read planted-other",
                "evaluate planted-reason planted-title planted-title", "protect planted-owner planted-secret",
            ].map { try home.ask($0) }
            kill(daemon.pid, SIGTERM)
            while try daemon.line() != nil {}
            return (daemon.said, answers)
        }
        #expect(answers[2] == "secret planted-secret")
        #expect(said.firstMatch(of: /<6>time=\S+ level=info pid=\d+ event=listening\n/) != nil, "\(said)")
        #expect(said.contains("event=\"ending: asked to end\"\n"))
        #expect(!said.contains("planted") && !said.contains("mark"))
    }

    @Test(
        "a daemon of another user can't be looked into by that user's own programs",
        .enabled(if: geteuid() == 0, "takes root and another user"))
    func notDumpable() async throws {
        let home = try Home()
        // As nobody, so that the kernel has rights to refuse: root may look into everything.
        let program = home.folder.path + "/thumbturnd"
        try copyProgram("thumbturnd", to: program)
        for path in [home.folder.path, home.state.path] { try #require(chown(path, 65534, 65534) == 0) }
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let (daemonStatus, sleeperStatus) = try await onThread {
            let socket = home.folder.path + "/socket"
            let daemon = try Program(
                nobody + [program, "--serve", "--socket", socket, "--state", home.state.path, "--idle", "0", "--bus", "none"],
                environment: [:])
            while !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
            // The same with a program that does nothing about it, to see that the attack is one.
            let sleeper = try Program(nobody + ["/bin/sh", "-c", "echo up; exec sleep 600"], environment: [:])
            _ = try sleeper.line()
            func attack(_ pid: pid_t) throws -> Int32 {
                try Program(nobody + ["/bin/sh", "-c", "cat /proc/\(pid)/environ /proc/\(pid)/maps"], environment: [:]).status()
            }
            return (try attack(daemon.pid), try attack(sleeper.pid))
        }
        #expect(sleeperStatus == 0 && daemonStatus != 0)
    }
}
