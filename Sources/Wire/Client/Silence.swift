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
    static let secondsForAnswer = 4.0
    /// How long it may take to welcome a new connection. A service manager may have to start it first.
    static let secondsForWelcome = 8.0

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
    private let process: Int32?
    /// Where it takes connections; nil if that isn't known.
    private let socket: String?

    /// nil unless this process watches for silence.
    init?(_ fd: Int32, socket: String?) {
        guard Silence.isWatched else { return nil }
        process = UnixSocket.peer(of: fd).flatMap { DaemonProcess.isOurs($0.pid) ? $0.pid : nil }
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

    /// Why the connection should be given up; nil if the daemon is there. One that didn't welcome this connection welcomes no other.
    func problem(isWelcomed: Bool) -> ClientError? {
        if let process, DaemonProcess.isStopped(process) {
            return ClientError(.silent(isStopped: true), Advice.stopped(process))
        }
        if isWelcomed, answers { return nil }
        return ClientError(.silent(isStopped: false), Advice.silent(process))
    }

    /// Whether it answers a connection of its own. Whatever it answers, it is there.
    private var answers: Bool {
        // If nobody listens any more, the connection that waits has its end soon.
        guard let socket, case .success(let fd) = UnixSocket.connect(to: socket, waiting: false) else { return true }
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

/// A process as the kernel describes it in one line: `1234 (thumbturnd) S 1 …`.
enum DaemonProcess {
    /// Longest line that is read.
    private static let lineBytes = 4096

    /// Whether it is a daemon of ours, and not the service manager, which listens for one. The kernel cuts names.
    static func isOurs(_ pid: Int32) -> Bool {
        line(pid).map { ["thumbturnd", "thumbturn-front", "thumbturn-simul"].contains($0.name) } ?? false
    }

    /// Whether somebody has stopped it, as Ctrl-Z and a debugger do.
    static func isStopped(_ pid: Int32) -> Bool { ["T", "t"].contains(line(pid)?.state) }

    private static func line(_ pid: Int32) -> (name: Substring, state: Substring)? {
        guard let bytes = Transfer.file("/proc/\(pid)/stat", atMost: lineBytes) else { return nil }
        let line = String(decoding: bytes, as: UTF8.self)
        // A name may have brackets of its own.
        guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close,
            let state = line[line.index(after: close)...].split(separator: " ").first
        else { return nil }
        return (line[line.index(after: open)..<close], state)
    }
}
