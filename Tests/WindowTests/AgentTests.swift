import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbPrompting
import thumbturn_test_programs

@Suite("The window as its session's agent", .serialized)
struct WindowAgentTests {
    /// Starts it as the user's manager does: the listening socket as descriptor 3, and its own number in the environment.
    private static func agent(_ stage: Stage, _ listener: Int32?) throws -> Running {
        var environment = stage.display.environment
        environment["LISTEN_FDS"] = "1"
        return try Running(
            [
                "/bin/sh", "-c", "LISTEN_PID=$$ exec \"$0\" --agent --socket \"$1\"", builtPrograms.path + "/thumbturn-window",
                stage.socket,
            ],
            environment, passing: listener.map { [$0] } ?? [])
    }

    /// Hands a ticket over; its answer.
    private static func handOver(_ ticket: [UInt8], at path: String) throws -> UInt8? {
        let fd = try UnixSocket.connect(to: path).get()
        defer { UnixSocket.close(fd) }
        guard send(fd, ticket, ticket.count, Int32(MSG_NOSIGNAL)) == ticket.count else { return nil }
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&wait, 1, Running.patience) == 1, recv(fd, &byte, 1, 0) == 1 else { return nil }
        return byte
    }

    /// Whether it is through with the tickets before, after each of which it looks for a daemon. It takes one program after the other, and
    /// hangs up on one that hands over nothing.
    private static func isThrough(at path: String) throws -> Bool {
        let fd = try UnixSocket.connect(to: path).get()
        defer { UnixSocket.close(fd) }
        guard shutdown(fd, Int32(SHUT_WR)) == 0 else { return false }
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        return poll(&wait, 1, Running.patience) == 1 && recv(fd, &byte, 1, 0) == 0
    }

    @Test("it shows what a program hands over, is registered from then on, and gets the next from the daemon itself")
    func handedOver() async throws {
        let (answers, first, second) = try await onThread {
            let stage = try Stage(place: .display(session: "2"))
            let path = stage.folder + "/run/thumbturn/window"
            // A daemon that isn't there yet when the agent starts.
            stage.stopListening()
            let listener = try UnixSocket.listen(at: path).get()
            let program = try Self.agent(stage, listener)
            defer { program.end() }
            let wrong = try Self.handOver([UInt8](repeating: 7, count: 32), at: path)
            guard try Self.isThrough(at: path) else { throw Stage.Surprise() }
            try stage.listen()
            let app = try stage.ask()
            guard case .windowNeeded(let ticket) = try Stage.next(app) else { throw Stage.Surprise() }
            let right = try Self.handOver(ticket, at: path)
            _ = try stage.display.window()
            try stage.display.press("Escape")
            let first = try Stage.outcome(app)
            let other = try stage.ask()
            let window = try stage.display.window()
            try stage.display.keep("agent", of: window)
            stage.see(owner: true)
            return ([wrong, right], first, try Stage.outcome(other))
        }
        #expect(answers == [0, 1])
        #expect(first == .failure(.userCancel) && second == .success(.biometry))
    }

    @Test(
        "another user can't have it show a prompt, not even with a good ticket",
        .enabled(if: getuid() == 0, "takes root, to be somebody else as well"))
    func stranger() async throws {
        let (stranger, owner) = try await onThread {
            let stage = try Stage(place: .display(session: "2"))
            let path = stage.folder + "/run/thumbturn/window"
            let listener = try UnixSocket.listen(at: path).get()
            // The folder's and the socket's own modes would keep the stranger away before anybody looks.
            for part in [stage.folder, stage.folder + "/run", stage.folder + "/run/thumbturn"] { chmod(part, 0o755) }
            chmod(path, 0o666)
            let program = try Self.agent(stage, listener)
            defer { program.end() }
            let app = try stage.ask()
            guard case .windowNeeded(let ticket) = try Stage.next(app) else { throw Stage.Surprise() }
            let script = """
                import socket, sys
                s = socket.socket(socket.AF_UNIX)
                s.settimeout(\(Running.patience / 1000))
                s.connect(sys.argv[1])
                try:
                    s.send(bytes.fromhex(sys.argv[2]))
                    print(len(s.recv(1)))
                except (BrokenPipeError, ConnectionResetError):
                    print(0)
                """
            let hex = ticket.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let become = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
            let stranger = try Running(become + ["/usr/bin/python3", "-c", script, path, hex], ["PATH": "/usr/bin:/bin"])
            return (try stranger.line(), try Self.handOver(ticket, at: path))
        }
        #expect(stranger == "0" && owner == 1)
    }

    @Test("an app in a session without a display's name reaches the agent, and no window of its own is started")
    func throughClient() async throws {
        let (chosen, answer) = try await onThread {
            let machine = try UserMachine()
            try FileManager.default.createDirectory(
                atPath: machine.folder + "/run/thumbturn", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let listener = try UnixSocket.listen(at: machine.folder + "/run/thumbturn/window").get()
            var environment = machine.display.environment
            environment["LISTEN_FDS"] = "1"
            let agent = try Running(
                ["/bin/sh", "-c", "LISTEN_PID=$$ exec \"$0\" --agent", builtPrograms.path + "/thumbturn-window"], environment,
                passing: [listener])
            defer { agent.end() }
            let app = try machine.app(["THUMBTURN_PROMPT": "window", "DISPLAY": ""])
            let chosen = try machine.choosePasscode(app)
            app.say("evaluate open")
            _ = try machine.display.window()
            try machine.display.press("Escape")
            return (chosen, try app.line())
        }
        #expect(chosen == "> passcode set" && answer == "> failure userCancel")
    }
}
