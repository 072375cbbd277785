internal import CThumbLinux
internal import ThumbConversation

/// What the client hands its prompt: the one-use ticket and where to go with it.
struct Ticket {
    let ticket: [UInt8]
    let socket: String

    static func read(from fd: Int32) -> Ticket? {
        var buffer = [UInt8](repeating: 0, count: WireLimit.ticketBytes + 256)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe CThumbLinux.read(fd, $0.baseAddress, $0.count) }
        guard count > WireLimit.ticketBytes else { return nil }
        close(fd)
        return Ticket(
            ticket: Array(buffer[..<WireLimit.ticketBytes]),
            socket: String(decoding: buffer[WireLimit.ticketBytes..<count], as: UTF8.self))
    }
}
