import CThumbLinux

/// Where the service manager wants to hear from this process, in the way of sd_notify.
public struct ServiceNotices: Sendable {
    private let path: String

    /// Reads the place from the environment; nil if nobody wants to hear.
    public static func taken() -> ServiceNotices? {
        guard let value = unsafe thumb_secure_getenv("NOTIFY_SOCKET") else { return nil }
        return unsafe ServiceNotices(path: String(cString: value))
    }

    /// Sends one datagram. Errors are ignored: a manager that can't be reached couldn't act on it either.
    public func send(_ state: String) {
        var name = Array(path.utf8)
        var address = sockaddr_un()
        guard name.count > 1, name.count < 108 else { return }
        // A leading @ stands for the zero byte of an abstract socket.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
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
