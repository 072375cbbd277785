import CThumbLinux
import Foundation
import Testing
import ThumbConversation
import ThumbLoop
import ThumbPrompting
import thumbturn_test_programs
import thumbturn_test_wire

/// The real daemon in a world where logind says of this process what a test says.
final class LoginMachine {
    private let folder: String
    private let daemon: Running
    private let socket: String

    /// - Parameter session: what logind keeps about the session that this process is in; nil for none.
    init(session: String?) throws {
        folder = "/tmp/turn-\(UInt32.random(in: 0 ... .max))"
        for name in ["", "/state", "/systemd", "/systemd/sessions", "/systemd/users", "/systemd/seats"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        if let session {
            try session.write(toFile: folder + "/systemd/sessions/7", atomically: false, encoding: .utf8)
        }
        let scope = session == nil ? "/" : "/user.slice/user-\(getuid()).slice/session-7.scope"
        try "1:name=systemd:\(scope)\n0::\(scope)\n".write(toFile: folder + "/cgroup", atomically: false, encoding: .utf8)
        socket = folder + "/state/socket"
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw Stage.Surprise(what: "no pipe") }
        defer { close(ends[0]) }
        daemon = try Running(
            [
                "bwrap", "--dev-bind", "/", "/", "--bind", folder + "/systemd", "/run/systemd", "--ro-bind", folder + "/cgroup",
                "/proc/\(getpid())/cgroup", builtPrograms.path + "/thumbturnd", "--serve", "--socket", socket, "--state",
                folder + "/state", "--idle", "0", "--tpm", "none", "--bus", "none", "--ready-fd", "3",
            ], ["PATH": "/usr/bin:/bin"], passing: [ends[1]])
        close(ends[1])
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { throw Stage.Surprise(what: "the daemon ended") }
    }

    deinit {
        // bwrap hands no signal on: its child is asked by whom it answers.
        if case .success(let fd) = UnixSocket.connect(to: socket), let pid = UnixSocket.peer(of: fd)?.pid {
            UnixSocket.close(fd)
            kill(pid, SIGTERM)
        }
        _ = daemon.status()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Whether this process, as an app, is told that a window would be seen.
    func isAtDisplay() throws -> Bool {
        guard let app = Link(try UnixSocket.connect(to: socket).get(), Hello(role: .app)), app.tell(.setPasscode) else {
            throw Stage.Surprise(what: "no app")
        }
        switch try Stage.next(app) {
        case .windowNeeded: return true
        case .promptNeeded: return false
        case let answer: throw Stage.Surprise(what: "\(answer)")
        }
    }

    /// Whether this process is let in as an agent.
    func takesAgent() throws -> Bool { Link(try UnixSocket.connect(to: socket).get(), Hello(role: .agent)) != nil }
}

@Suite("Where a caller sits, as logind says", .serialized)
struct SessionTests {
    struct Sitting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let session: String?
        let isAtDisplay: Bool
    }

    private static func session(_ type: String, remote: Int = 0, uid: UInt32 = getuid()) -> String {
        "UID=\(uid)\nUSER=me\nACTIVE=1\nSTATE=active\nREMOTE=\(remote)\nTYPE=\(type)\nCLASS=user\nSCOPE=session-7.scope\n"
    }

    private static let sittings = [
        Sitting(testDescription: "at X11", session: session("x11"), isAtDisplay: true),
        Sitting(testDescription: "at Wayland", session: session("wayland"), isAtDisplay: true),
        Sitting(testDescription: "on a console", session: session("tty"), isAtDisplay: false),
        Sitting(testDescription: "over SSH", session: session("tty", remote: 1), isAtDisplay: false),
        Sitting(testDescription: "at another machine's display", session: session("x11", remote: 1), isAtDisplay: false),
        Sitting(testDescription: "in another user's session", session: session("x11", uid: getuid() + 1), isAtDisplay: false),
        Sitting(testDescription: "in no session", session: nil, isAtDisplay: false),
    ]

    @Test(
        "a window is for who sits at a display of this machine, and so is an agent; nobody known is nobody here",
        .enabled(if: geteuid() == 0, "takes root, to make sessions of its own"), arguments: sittings)
    func sits(sitting: Sitting) async throws {
        let (isAtDisplay, takesAgent) = try await onThread {
            let machine = try LoginMachine(session: sitting.session)
            return (try machine.isAtDisplay(), try machine.takesAgent())
        }
        #expect(isAtDisplay == sitting.isAtDisplay && takesAgent == sitting.isAtDisplay)
    }
}
