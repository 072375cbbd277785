import CThumbLinux

/// Unix stream sockets: connecting, listening, and who is at the other end.
public enum UnixSocket {
    /// Longest path of a socket that the kernel takes, without the closing zero.
    public static let pathLimit = 107

    /// A connected socket, or the errno that says why not.
    ///
    /// - Parameter waiting: whether to wait for room if too many others wait to be accepted.
    public static func connect(to path: String, waiting: Bool = true) -> Result<Int32, Errno> {
        connect(to: path, inPackets: false, waiting: waiting)
    }

    static func connect(to path: String, inPackets: Bool, waiting: Bool) -> Result<Int32, Errno> {
        opened(inPackets ? SOCK_SEQPACKET : SOCK_STREAM) { fd in
            let flags = waiting ? 0 : thumb_fcntl(fd, F_GETFL, 0)
            if !waiting { _ = thumb_fcntl(fd, F_SETFL, Int(flags | O_NONBLOCK)) }
            let connected = unsafe withAddress(path) { unsafe CThumbLinux.connect(fd, $0, $1) }
            if !waiting && connected == 0 { _ = thumb_fcntl(fd, F_SETFL, Int(flags)) }
            return connected
        }
    }

    /// A listening socket of mode 0600. The holder of the instance's lock removes a stale file in its place first.
    public static func listen(at path: String) -> Result<Int32, Errno> {
        opened { fd in
            // The file gets the socket's mode in bind, so it is never open to others, not even briefly. A mask would do the same, but it is the
            // whole process's: two threads that change it at once can leave the wrong one behind.
            guard fchmod(fd, 0o600) == 0 else { return -1 }
            let bound = unsafe withAddress(path) { unsafe bind(fd, $0, $1) }
            return bound == 0 ? CThumbLinux.listen(fd, SOMAXCONN) : bound
        }
    }

    /// Two connected sockets, for a device inside this process.
    public static func pair() -> Result<(Int32, Int32), Errno> {
        var ends: [Int32] = [-1, -1]
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        return result == 0 ? .success((ends[0], ends[1])) : .failure(.current)
    }

    public struct Peer: Sendable, Hashable {
        public let uid: UInt32
        public let gid: UInt32
        public let pid: Int32
    }

    /// The process that connected (or listens), as the kernel noted it then.
    public static func peer(of fd: Int32) -> Peer? {
        var credentials = thumb_ucred()
        var size = socklen_t(MemoryLayout<thumb_ucred>.size)
        guard unsafe getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        return Peer(uid: credentials.uid, gid: credentials.gid, pid: credentials.pid)
    }

    /// The process that connected, as a descriptor that never comes to mean another process; nil if the kernel has none (before 6.5).
    public static func peerProcess(of fd: Int32) -> Int32? {
        var descriptor: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(fd, SOL_SOCKET, thumb_SO_PEERPIDFD, &descriptor, &size)
        return result == 0 && descriptor >= 0 ? descriptor : nil
    }

    /// Whether a descriptor has something to read now. For a process's descriptor: whether the process has ended.
    public static func isReadable(_ fd: Int32) -> Bool {
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wait, 1, 0) == 1
    }

    /// Makes the kernel record who wrote each byte. Sockets that a listening socket accepts afterwards do the same.
    public static func passCredentials(_ fd: Int32) {
        var on: Int32 = 1
        _ = unsafe setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Ends a read that waits longer than this, as if nothing had come; 0 means no limit.
    public static func limitReading(_ fd: Int32, seconds: Double) {
        var limit = timeval(tv_sec: Int(seconds), tv_usec: 0)
        _ = unsafe setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// The same for a write: it ends early if the other end takes nothing for that long.
    public static func limitWriting(_ fd: Int32, seconds: Double) {
        var limit = timeval(tv_sec: Int(seconds), tv_usec: 0)
        _ = unsafe setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Takes one waiting connection; nil when there is none, and `errno` says why.
    public static func accept(_ listener: Int32, waiting: Bool = true) -> Int32? {
        if !waiting {
            var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wait, 1, 0) == 1 else {
                thumb_set_errno(EAGAIN)
                return nil
            }
        }
        let fd = thumb_accept4(listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        return fd >= 0 ? fd : nil
    }

    public static func close(_ fd: Int32) { _ = CThumbLinux.close(fd) }

    private static func opened(_ type: __socket_type = SOCK_STREAM, _ prepare: (Int32) -> Int32) -> Result<Int32, Errno> {
        let fd = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return .failure(.current) }
        guard prepare(fd) == 0 else {
            let error = Errno.current
            close(fd)
            return .failure(error)
        }
        return .success(fd)
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= pathLimit, !bytes.contains(0) else {
            thumb_set_errno(ENAMETOOLONG)
            return -1
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The kernel's reason, kept as it came.
public struct Errno: Error, Sendable, Hashable, CustomStringConvertible {
    public let code: Int32

    public init(_ code: Int32) { self.code = code }

    public static var current: Errno { Errno(thumb_errno()) }

    public var description: String { unsafe String(cString: strerror(code)) }

    public static let noSuchFile = Errno(ENOENT)
    public static let refused = Errno(ECONNREFUSED)
}
