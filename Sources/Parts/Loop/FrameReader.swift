internal import CThumbLinux
public import ThumbSecrets

/// Reads length-prefixed frames from a stream socket, straight into locked memory. It may stop in the middle of a frame and go
/// on later, so a blocking reader and the loop can take turns on one socket.
///
/// A long frame takes memory as its bytes come. What a length announces takes none.
public struct FrameReader: ~Copyable {
    public enum Outcome {
        case frame(SecretBytes)
        /// Nothing more for now (only without `waiting`).
        case later
        case closed
        /// The length is over the limit, or too short for a frame; nothing of it was read.
        case badLength
        /// The arena of locked memory is full.
        case noRoom
        case failed(Int32)
    }

    /// A frame no longer than this takes its memory at once, before its bytes are there.
    public static let short = 4 << 10
    /// A frame up to this length whose bytes are all there takes its memory at once too: up to here secrets share pages, which
    /// is cheaper.
    private static let medium = 16 << 10

    /// Most bytes a frame may have after its length.
    public var limit: Int
    /// Fewest bytes a frame has after its length.
    private let least: Int
    /// The process that all bytes must come from. If another process writes to the socket, reading fails with EPERM. The socket
    /// must pass credentials (`UnixSocket.passCredentials`); bytes whose sender the kernel doesn't know are let through.
    public var onlySender: Int32?
    /// Where frames take their memory from.
    public var arena = SecretArena.shared
    private var header: [UInt8] = [0, 0, 0, 0]
    private var headerFilled = 0
    private var body: SecretFilling?

    public init(least: Int, limit: Int) {
        self.least = least
        self.limit = limit
    }

    /// Whether a part of a frame has come, but not all of it.
    public var isWithinFrame: Bool { headerFilled > 0 }

    /// Reads until a frame is whole, or nothing more has come.
    ///
    /// - Parameter mayTake: asked before a long frame takes more memory, with all that it would have then. If it may not,
    ///   nothing more is read for now.
    public mutating func read(from fd: Int32, waiting: Bool, mayTake: (Int) -> Bool = { _ in true }) -> Outcome {
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
                body =
                    length <= Self.short || length <= Self.medium && Self.waiting(at: fd) >= length && mayTake(length)
                    ? try SecretFilling(count: length, in: arena) : try SecretFilling(comingAs: length, in: arena)
            } catch {
                return .noRoom
            }
        }
        while let (filled, room) = body.progress {
            if room == 0, let stop = takeRoom(after: filled, fd, flags, mayTake) { return stop }
            let sender = onlySender
            let count = unsafe body?.fill { unsafe Self.receive(fd, $0, flags, sender) } ?? 0
            if let stop = Self.stop(count) { return stop }
        }
        headerFilled = 0
        guard let whole = body.take() else { return .failed(EINVAL) }
        return .frame(whole.finish())
    }

    /// Takes memory for the bytes that have come by now, or says why it can't.
    private mutating func takeRoom(after filled: Int, _ fd: Int32, _ flags: Int32, _ mayTake: (Int) -> Bool) -> Outcome? {
        var coming = Self.waiting(at: fd)
        if coming == 0 {
            // Nothing, or the end. A caller that waits, waits here.
            var byte: UInt8 = 0
            let count = unsafe recv(fd, &byte, 1, flags | Int32(MSG_PEEK))
            if let stop = Self.stop(count) { return stop }
            coming = 1
        }
        let wanted = filled + coming
        guard mayTake(min(wanted, limit)) else { return .later }
        do {
            try body?.makeRoom(for: coming)
            return nil
        } catch {
            return .noRoom
        }
    }

    /// How many bytes could be read at once.
    private static func waiting(at fd: Int32) -> Int {
        var count: Int32 = 0
        return unsafe thumb_ioctl(fd, thumb_FIONREAD, &count) == 0 ? Int(count) : 0
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

extension Optional where Wrapped == SecretFilling {
    /// How many bytes are there and how many more have room, while it isn't whole.
    fileprivate var progress: (filled: Int, room: Int)? {
        switch self {
        case .some(let filling): filling.isFull ? nil : (filling.filled, filling.room)
        case nil: nil
        }
    }
}
