import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// Each command ends by itself, and not because `timeout` ends it: that would be status 124. How long it waits is in `PatienceTests`, because
/// a busy machine stretches every time.
@Suite("A daemon that says nothing", .serialized)
struct SilenceTests {
    private static let passcode = "tulip field"

    @Test("Stopped, it is said that it is, and how it goes on; then it goes on")
    func stopped() async throws {
        let (pid, text, json, signIn, again) = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            let pid = try #require(stage.daemonID)
            kill(pid, SIGSTOP)
            // A stopped process doesn't end when it is asked to.
            defer { kill(pid, SIGCONT) }
            let text = try stage.run("timeout 60 thumbturn secret list")
            let json = try stage.run("timeout 60 thumbturn doctor --json")
            let signIn = try stage.run("timeout 60 thumbturn sign-in status https://bank.example anna")
            kill(pid, SIGCONT)
            return (pid, text, json, signIn, try stage.run("timeout 60 thumbturn secret list"))
        }
        let advice = "Run 'kill -CONT \(pid)' to let its process go on."
        for said in [text, signIn] {
            #expect(said.output == "thumbturn: The daemon is stopped, so it doesn't answer.\n  \(advice)\n" && said.status == 2)
        }
        #expect(json.output.contains(#""code": "daemonStopped""#) && json.output.contains(advice) && json.status == 2)
        #expect(again.status == 0, "\(again.output)")
    }

    @Test(
        "Stopped while its prompt is up, the command ends and says so, and leaves the terminal as it was",
        arguments: ["thumbturn verify", "thumbturn secret get door", "thumbturn run --secret A=door -- true"])
    func whileAsking(_ command: String) async throws {
        let (output, status) = try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            try stage.setPasscode(Self.passcode)
            _ = try stage.run("thumbturn secret add door", input: Array("4711".utf8))
            let child = try stage.runInTerminal(
                "\(command); echo \"ended with $?\"; for word in $(stty -a); do case $word in *echo) echo \"has $word\";; esac; done"
            )
            _ = try child.read { $0.contains("Passcode:") }
            let pid = try #require(stage.daemonID)
            kill(pid, SIGSTOP)
            defer { kill(pid, SIGCONT) }
            return (try child.readToEnd(), child.status())
        }
        #expect(output.contains("This question is no longer open."), "\(output)")
        #expect(output.contains("thumbturn: The daemon is stopped, so it doesn't answer.\n  Run 'kill -CONT "), "\(output)")
        #expect(output.contains("ended with 2") && output.contains("has echo") && status == 0, "\(output)")
    }

    @Test(
        "Whoever takes the connection and never answers is told from a daemon, with a welcome or without",
        arguments: [false, true])
    func hangs(_ welcomes: Bool) async throws {
        let (blocking, onLoop) = try await onThread {
            let stage = try Stage()
            let mute = try MuteListener(in: stage.folder.path, welcomes: welcomes)
            let command = "THUMBTURN_SOCKET='\(mute.path)' timeout 60 thumbturn"
            return (try stage.run("\(command) secret list"), try stage.run("\(command) verify"))
        }
        for said in [blocking, onLoop] {
            #expect(
                said.output == "thumbturn: The daemon doesn't answer.\n  Start whatever listens at $THUMBTURN_SOCKET again.\n")
            #expect(said.status == 2)
        }
    }

    @Test("A daemon that its service manager is still starting is waited for, longer than a welcome may take")
    func starting() async throws {
        let said = try await onThread {
            // What stands in for the daemon's slow start bears its name, as the daemon itself does then.
            try Stage().run(
                """
                cp /bin/sleep "$HOME/thumbturnd"; socket="$XDG_RUNTIME_DIR/thumbturn/socket"
                systemd-socket-activate -l "$socket" /bin/sh -c "'$HOME/thumbturnd' 10
                exec '$(command -v thumbturnd)' --socket '$socket' --state '$THUMBTURN_STATE' --bus none" >"$HOME/log" 2>&1 & manager=$!
                for _ in $(seq 600); do [ -S "$socket" ] && break; sleep 0.1; done
                timeout 60 thumbturn secret list; status=$?
                kill $manager; exit $status
                """)
        }
        #expect(said.status == 0, "\(said.output)")
    }
}

/// A socket on which somebody listens who answers nothing, but a hello if it is told to.
private final class MuteListener: Sendable {
    let path: String
    private let fd: Int32
    private let welcomes: Bool

    init(in folder: String, welcomes: Bool) throws {
        path = folder + "/mute"
        self.welcomes = welcomes
        fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let listens = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(fd, 16) == 0
            }
        }
        try #require(listens)
        guard welcomes else { return }
        let listener = fd
        // Every other connection is welcomed: those that a command makes first. The next one, which looks, finds nobody.
        Thread.detachNewThread {
            // Whoever was let in stays connected until the end: a connection that ends is an answer.
            var open = [listener]
            defer { for fd in open { close(fd) } }
            while true {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else { return }
                open.append(peer)
                var hello = [UInt8](repeating: 0, count: 4096)
                guard recv(peer, &hello, hello.count, 0) > 9 else { continue }
                // See docs/PROTOCOL.md: its length, its kind, the call it answers, the version, the mode.
                let welcome: [UInt8] = [0, 0, 0, 8, 128] + hello[5..<9] + [0, 1, 1]
                _ = send(peer, welcome, welcome.count, Int32(MSG_NOSIGNAL))
                let unheard = accept(listener, nil, nil)
                guard unheard >= 0 else { return }
                open.append(unheard)
            }
        }
    }

    deinit {
        // The thread's `accept` ends then. What it waits at, it closes itself.
        shutdown(fd, Int32(SHUT_RDWR))
        if !welcomes { close(fd) }
    }
}
