import CThumbLinux
import ThumbConversation

/// What a prompt gets from the process that starts it: the one-use ticket, and where to take it.
public struct Ticket: Sendable {
    public let ticket: [UInt8]
    public let socket: String

    public init(ticket: [UInt8], socket: String) {
        self.ticket = ticket
        self.socket = socket
    }

    public static func read(from fd: Int32) -> Ticket? {
        var buffer = [UInt8](repeating: 0, count: WireLimit.ticketBytes + 256)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe CThumbLinux.read(fd, $0.baseAddress, $0.count) }
        guard count > WireLimit.ticketBytes else { return nil }
        close(fd)
        return Ticket(
            ticket: Array(buffer[..<WireLimit.ticketBytes]),
            socket: String(decoding: buffer[WireLimit.ticketBytes..<count], as: UTF8.self))
    }
}
