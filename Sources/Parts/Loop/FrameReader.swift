internal import CThumbLinux
public import ThumbSecrets

/// Reads length-prefixed frames from a stream socket, straight into locked memory. It may stop in the middle of a frame and go on
/// later, so a blocking reader and the loop can take turns on one socket.
public struct FrameReader: ~Copyable {
    public enum Outcome {
        case frame(SecretBytes)
        /// Nothing more just now (only without `waiting`).
        case later
        case closed
        /// The length is over the limit, or too short for a frame; nothing of it was read.
        case badLength
        /// The arena of locked memory is full.
        case noRoom
        case failed(Int32)
    }

    /// Most bytes a frame may have after its length.
    public var limit: Int
    /// Fewest bytes a frame has after its length.
    private let least: Int
    /// The process that all bytes must come from: whoever else was handed the socket's descriptor fails with EPERM. The socket must
    /// pass credentials (`UnixSocket.passCredentials`); bytes of which the kernel doesn't know the sender are let through.
    public var onlySender: Int32?
    private var header: [UInt8] = [0, 0, 0, 0]
    private var headerFilled = 0
    private var body: SecretFilling?

    public init(least: Int, limit: Int) {
        self.least = least
        self.limit = limit
    }

    public mutating func read(from fd: Int32, waiting: Bool) -> Outcome {
        let flags = waiting ? 0 : Int32(MSG_DONTWAIT)
        while headerFilled < 4 {
            let (place, sender) = (headerFilled, onlySender)
            let count = unsafe header.withUnsafeMutableBytes {
                unsafe Self.receive(fd, UnsafeMutableRawBufferPointer(rebasing: $0[place...]), flags, sender)
            }
            if let stop = Self.stop(count) { return stop }
            headerFilled += count
        }
        if body == nil {
            let length = header.reduce(0) { $0 << 8 | Int($1) }
            guard length >= least, length <= limit else { return .badLength }
            do {
                body = try SecretFilling(count: length)
            } catch {
                return .noRoom
            }
        }
        while body?.isFull == false {
            let sender = onlySender
            let count = unsafe body?.fill { unsafe Self.receive(fd, $0, flags, sender) } ?? 0
            if let stop = Self.stop(count) { return stop }
        }
        headerFilled = 0
        guard let whole = body.take() else { return .failed(EINVAL) }
        return .frame(whole.finish())
    }

    @unsafe private static func receive(
        _ fd: Int32, _ room: UnsafeMutableRawBufferPointer, _ flags: Int32, _ only: Int32?
    ) -> Int {
        guard let only else { return unsafe recv(fd, room.baseAddress, room.count, flags) }
        var sender: pid_t = 0
        let count = unsafe thumb_receive(fd, room.baseAddress, room.count, flags, &sender)
        if count > 0, sender != 0, sender != only {
            thumb_set_errno(EPERM)
            return -1
        }
        return count
    }

    private static func stop(_ count: Int) -> Outcome? {
        if count > 0 { return nil }
        if count == 0 { return .closed }
        switch thumb_errno() {
        case EINTR: return .later
        case EAGAIN: return .later
        case ECONNRESET: return .closed
        case let code: return .failed(code)
        }
    }
}
