internal import CThumbLinux

/// What systemd says and wants to hear: the socket it holds for us, and that we are ready.
struct ServiceManager: Sendable {
    /// The listening socket that was passed in, if there was exactly one.
    let socket: Int32?
    private let notifyPath: String?
    var isPresent: Bool { notifyPath != nil || socket != nil }

    /// Reads what systemd put into the environment, before the environment is emptied.
    static func taken() -> ServiceManager {
        var socket: Int32?
        if variable("LISTEN_PID").flatMap({ Int32($0) }) == getpid(), variable("LISTEN_FDS") == "1" {
            socket = 3
            _ = thumb_fcntl(3, F_SETFD, Int(FD_CLOEXEC))
        }
        return ServiceManager(socket: socket, notifyPath: variable("NOTIFY_SOCKET"))
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe thumb_secure_getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Sends one datagram, as sd_notify does; a manager that can't be reached misses nothing it could act on.
    func notify(_ state: String) {
        guard let notifyPath else { return }
        var name = Array(notifyPath.utf8)
        var address = sockaddr_un()
        guard name.count > 1, name.count < 108 else { return }
        // A leading @ stands for the zero byte of an abstract socket.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let fd = CThumbLinux.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return }
        defer { close(fd) }
        let message = Array(state.utf8)
        let length = socklen_t(2 + name.count)
        unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = unsafe sendto(fd, message, message.count, Int32(MSG_NOSIGNAL), pointer, length)
            }
        }
    }
}
