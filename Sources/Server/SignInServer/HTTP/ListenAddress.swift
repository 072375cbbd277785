import CThumbHTTP
import CThumbLinux

/// Where a server listens: a numeric address and a port. With port 0 the system chooses one.
public struct ListenAddress: Sendable, Hashable {
    /// The address in the form of an origin; an IPv6 address has its brackets.
    public let host: String
    /// The port, or 0.
    public let port: UInt16

    /// Reads `127.0.0.1:8470`, `[::1]:8470` or `localhost:8470`; nil for anything else. Other names aren't looked up, because their meaning
    /// may change while the server runs.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        let host = String(text[..<colon])
        self.init(host: host == "localhost" ? "127.0.0.1" : host, port: port)
    }

    init?(host: String, port: UInt16) {
        self.host = host
        self.port = port
        guard unsafe withSocketAddress({ _, _ in true }) != nil else { return nil }
    }

    /// Whether no other machine can connect there.
    public var isLoopback: Bool { unsafe withSocketAddress { address, _ in unsafe ClientAddress(address).isLoopback } == true }

    /// Lends the address in the kernel's form; nil if the host isn't an address.
    @unsafe func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { return nil }
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            guard unsafe inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &six.sin6_addr) == 1 else { return nil }
            return unsafe withUnsafePointer(to: &six) { six in
                unsafe six.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, host, &four.sin_addr) == 1 else { return nil }
        return unsafe withUnsafePointer(to: &four) { four in
            unsafe four.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// The socket that new connections come to.
struct Listener {
    /// How many clients of a burst wait here for a moment. Without this the kernel would refuse them.
    private static let backlog: Int32 = 1024

    let socket: Int32
    let port: UInt16

    init(_ address: ListenAddress) throws(ServerError) {
        let family = address.host.hasPrefix("[") ? AF_INET6 : AF_INET
        let socket = CThumbLinux.socket(
            family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { throw ServerError(.address, "making a socket", systemError: thumb_errno()) }
        var on: Int32 = 1
        unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        let status = unsafe address.withSocketAddress { unsafe bind(socket, $0, $1) }
        guard status == 0, listen(socket, Self.backlog) == 0 else {
            let number = thumb_errno()
            _ = CThumbLinux.close(socket)
            throw ServerError(.address, "the address can't be listened on", systemError: number)
        }
        // Both families have the port in the same place.
        var bound = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        unsafe withUnsafeMutablePointer(to: &bound) { bound in
            unsafe bound.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = unsafe getsockname(socket, $0, &length) }
        }
        self.socket = socket
        port = UInt16(bigEndian: bound.sin6_port)
    }

    func close() { _ = CThumbLinux.close(socket) }
}
