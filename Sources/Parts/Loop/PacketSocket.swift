import CThumbLinux
import ThumbSystem

/// Unix sockets that carry whole packets, and with a packet a descriptor if necessary. Our own processes speak over them.
public enum PacketSocket {
    /// The longest packet.
    public static let limit = 16 << 10

    /// Two connected ends.
    public static func pair() -> Result<(Int32, Int32), Errno> {
        var ends: [Int32] = [-1, -1]
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        return result == 0 ? .success((ends[0], ends[1])) : .failure(.current)
    }

    /// A connected socket, or the errno that says why not.
    public static func connect(to path: String) -> Result<Int32, Errno> {
        UnixSocket.connect(to: path, inPackets: true, waiting: true)
    }

    /// What became of a packet.
    public enum Outcome: Sendable, Equatable {
        case sent
        /// There is no room for it just now.
        case later
        case failed(Int32)
    }

    /// Sends a packet, and a descriptor with it; the sender keeps its own.
    public static func send(_ bytes: [UInt8], passing descriptor: Int32? = nil, to fd: Int32, waiting: Bool) -> Outcome {
        let flags = waiting ? 0 : Int32(MSG_DONTWAIT)
        let count = uninterrupted { unsafe thumb_send_packet(fd, bytes, bytes.count, descriptor ?? -1, flags) }
        if count == bytes.count { return .sent }
        switch thumb_errno() {
        // Too many descriptors are under way to a peer that doesn't take them.
        case EAGAIN, ETOOMANYREFS: return .later
        case let code: return .failed(code)
        }
    }

    /// What came.
    public enum Arrival: Sendable, Equatable {
        /// The receiver has to close the descriptor.
        case packet([UInt8], descriptor: Int32?)
        case later
        case closed
        case failed(Int32)
    }

    /// Takes one packet.
    public static func receive(from fd: Int32, waiting: Bool) -> Arrival {
        var descriptor: Int32 = -1
        var bytes = [UInt8](repeating: 0, count: limit)
        let flags = waiting ? 0 : Int32(MSG_DONTWAIT)
        func take() -> Int {
            uninterrupted {
                unsafe bytes.withUnsafeMutableBytes {
                    unsafe thumb_receive_packet(fd, $0.baseAddress, $0.count, &descriptor, flags)
                }
            }
        }
        var count = take()
        // The kernel says once that the other end went without reading everything. What it sent before it went is still there.
        if count < 0, thumb_errno() == ECONNRESET { count = take() }
        if count > 0 { return .packet(Array(bytes.prefix(count)), descriptor: descriptor >= 0 ? descriptor : nil) }
        if descriptor >= 0 { UnixSocket.close(descriptor) }
        if count == 0 { return .closed }
        switch thumb_errno() {
        case EAGAIN: return .later
        case ECONNRESET: return .closed
        case let code: return .failed(code)
        }
    }
}
