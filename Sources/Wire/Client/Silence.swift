import CThumbLinux
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import ThumbSystem

/// What a client does about a daemon that says nothing.
///
/// An app waits as long as it takes: a daemon may be starting, or its owner may be thinking. A person at a terminal wants to know within ten
/// seconds whether anybody is there. So a program may have its connections look for the daemon while they wait: whether its process is
/// stopped, and whether it answers another connection.
public enum Silence {
    private struct State {
        var isWatched = false
        var noticed: ClientError?
    }

    private static let state = Locked(State())

    /// How long a connection waits before it looks for the daemon, in seconds. Nearly every answer comes sooner, but not the owner's.
    static let secondsUntilLook = 3.0
    /// How long the daemon may take to answer another connection then. Together less than ten seconds.
    static let secondsForAnswer = 5.0
    /// How long it may take to welcome a new connection.
    static let secondsForWelcome = 8.0
    /// A process that a service manager began only so long ago is still starting, with its store and the TPM, and may take that time.
    static let secondsToStart = 20.0

    /// From now on, connections of this process that wait for a daemon look for it, and give up if it isn't there.
    public static func watch() { state.withLock { $0.isWatched = true } }

    static var isWatched: Bool { state.withLock { $0.isWatched } }

    /// Why the latest connection was given up; nil if the daemon is there.
    public static var noticed: ClientError? { state.withLock { $0.noticed } }

    static func note(_ error: ClientError?) { state.withLock { $0.noticed = error } }
}

/// Looks for the daemon at the other end of a connection.
struct DaemonLook: Sendable {
    private let fd: Int32
    /// nil if a service manager listens for it.
    private let process: Int32?
    /// Where it takes connections; nil if that isn't known.
    private let socket: String?

    /// nil unless this process watches for silence.
    init?(_ fd: Int32, socket: String?) {
        guard Silence.isWatched else { return nil }
        process = DaemonProcesses.behind(fd)
        (self.fd, self.socket) = (fd, socket)
        // Whoever reads or writes comes back after that time, and looks.
        wait(Silence.secondsForWelcome)
    }

    /// The daemon has welcomed the connection. From now on it is looked for sooner, and asked.
    func welcomed() { wait(Silence.secondsUntilLook) }

    private func wait(_ seconds: Double) {
        UnixSocket.limitReading(fd, seconds: seconds)
        UnixSocket.limitWriting(fd, seconds: seconds)
    }

    /// Why the connection should be given up; nil if the daemon is there, or is just starting.
    func problem(isWelcomed: Bool) -> ClientError? {
        // Whatever its processes look like: one that answers is there.
        if isWelcomed, answers { return nil }
        let isManaged = process == nil && Finding.environment("THUMBTURN_SOCKET") == nil
        let isRoots = isManaged && Finding.isSystemMode
        let processes = process.map { [$0] } ?? (isManaged ? DaemonProcesses.managed(for: getuid(), isRoots: isRoots) : [])
        let lines = processes.compactMap { pid in ProcessLine(of: pid).map { (pid: pid, line: $0) } }
        if let stopped = lines.first(where: { $0.line.isStopped }) {
            return ClientError(.silent(isStopped: true), Advice.stopped(stopped.pid, isRoots: isRoots))
        }
        // One that didn't welcome this connection would welcome no other.
        let isStarting =
            isManaged && !isWelcomed && lines.contains { EventLoop.now - $0.line.began < Silence.secondsToStart }
        return isStarting ? nil : ClientError(.silent(isStopped: false), Advice.silent(process, isRoots: isRoots))
    }

    /// Whether it answers a connection of its own. Whatever it answers, it is there.
    private var answers: Bool {
        guard let socket else { return true }
        let fd: Int32
        switch UnixSocket.connect(to: socket, waiting: false) {
        case .success(let connected): fd = connected
        // Others wait already, as many as can, and none of them is taken. If nobody listens any more, the connection that waits has its end
        // soon.
        case .failure(let code): return code != Errno(EAGAIN)
        }
        defer { UnixSocket.close(fd) }
        UnixSocket.limitReading(fd, seconds: Silence.secondsForAnswer)
        let hello = Hello(role: .app).frame(call: 1)
        var frame = OutgoingFrame(plain: hello.plain, secrets: hello.secrets)
        guard frame.send(to: fd, waiting: true) == .sent else { return true }
        var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)
        if case .later = frames.read(from: fd, waiting: true) { return false }
        return true
    }
}

/// Looks for the daemon while the loop waits for an answer: nobody is in a read there, so a timer looks.
@OnLoop final class LoopLook {
    private var isDue = false

    nonisolated init() {}

    /// Looks a few seconds later, and again, as long as somebody waits.
    func later(for connection: DeviceConnection) {
        guard !isDue, connection.looksOnLoop else { return }
        isDue = true
        _ = EventLoop.shared.after(Silence.secondsUntilLook) {
            // Looking may take seconds, which the loop doesn't have.
            NamedThread("look") {
                let problem = connection.problem()
                EventLoop.shared.post { self.ended(problem, connection) }
            }.detach()
        }
    }

    private func ended(_ problem: ClientError?, _ connection: DeviceConnection) {
        isDue = false
        if let problem { _ = connection.fail(problem) } else { later(for: connection) }
    }
}
