import CThumbLinux
import ThumbLoop

/// What systemd says and wants to hear: the socket it holds for us, and that we are ready.
struct ServiceManager: Sendable {
    /// The listening socket that was passed in, if there was exactly one.
    let socket: Int32?
    private let notices: ServiceNotices?
    var isPresent: Bool { notices != nil || socket != nil }

    /// Reads what systemd put into the environment, before the environment is emptied.
    static func taken() -> ServiceManager {
        var socket: Int32?
        if variable("LISTEN_PID").flatMap({ Int32($0) }) == getpid(), variable("LISTEN_FDS") == "1" {
            socket = 3
            _ = thumb_fcntl(3, F_SETFD, Int(FD_CLOEXEC))
        }
        return ServiceManager(socket: socket, notices: ServiceNotices.taken())
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe thumb_secure_getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    func notify(_ state: String) { notices?.send(state) }
}
