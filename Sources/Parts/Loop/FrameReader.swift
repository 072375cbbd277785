import CThumbLinux
public import ThumbSecrets
import ThumbSystem

/// Reads length-prefixed frames from a stream socket, straight into locked memory. It may stop in the middle of a frame and go
/// on later, so a blocking reader and the loop can take turns on one socket.
///
/// A long frame takes memory as its bytes come. An announced length takes none.
public struct FrameReader: ~Copyable {
    public enum Outcome {
        case frame(SecretBytes)
        /// Nothing more for now (only without `waiting`).
        case later
        case closed
        /// The length is over the limit, or too short for a frame. Nothing of the frame was read.
        case badLength
        /// The arena of locked memory is full.
        case noRoom
        case failed(Int32)
    }

    /// A frame up to this length takes its memory at once, before its bytes are there.
    public static let short = 4 << 10
    /// A frame up to this length also takes its memory at once if all of its bytes are there: secrets up to this length share pages, which
    /// is cheaper.
    private static let medium = 16 << 10

    /// The most bytes that a frame may have after its length.
    public var limit: Int
    /// The fewest bytes that a frame has after its length.
    private let least: Int
    /// The process that all bytes must come from. If another process writes to the socket, reading fails with EPERM. The socket
    /// must pass credentials (`UnixSocket.passCredentials`); bytes whose sender the kernel doesn't know are let through.
    public var onlySender: Int32?
    /// Where frames take their memory from; `move` changes it.
    public private(set) var arena: SecretArena
    private var header: [UInt8] = [0, 0, 0, 0]
    private var headerFilled = 0
    private var body: SecretFilling?
    /// Everything that is there is first read into this, so that a short frame takes one read. nil: the length is read before the frame.
    private let stage: SecretStage?
    /// The bytes after the last frame that were read with it, and how many of them are used by now.
    private var ahead: SecretBytes?
    private var aheadTaken = 0

    /// A stage's size: the longest short frame with its length.
    public static let stageBytes = 4 + short

    /// - Parameter stage: may be shared by readers of one thread; nothing stays in it between two reads.
    public init(least: Int, limit: Int, stage: SecretStage? = nil, arena: SecretArena = .shared) {
        self.least = least
        self.limit = limit
        self.stage = stage
        self.arena = arena
    }

    /// Whether part of a frame has come, but not all of it.
    public var isWithinFrame: Bool { headerFilled > 0 }

    /// Whether bytes after the last frame were read already. The descriptor doesn't report them.
    public var hasAhead: Bool { ahead != nil }

    /// Moves to another arena for the memory of frames, including bytes read ahead. Fails if the arena has no room for those.
    public mutating func move(to arena: SecretArena) throws(SecretError) {
        self.arena = arena
        guard let rest = ahead else { return }
        ahead = try rest.copy(from: aheadTaken, in: arena)
        aheadTaken = 0
    }

    /// Reads until a frame is complete, or nothing more has come.
    ///
    /// - Parameter mayTake: asked before a long frame takes more memory, with the amount it would have then. If it says no, nothing more is
    ///   read for now.
    public mutating func read(from fd: Int32, waiting: Bool, mayTake: (Int) -> Bool = { _ in true }) -> Outcome {
        let flags = waiting ? 0 : Int32(MSG_DONTWAIT)
        if let stage, headerFilled == 0, ahead == nil, let outcome = readAll(stage, fd, flags) { return outcome }
        while headerFilled < 4 {
            let place = headerFilled
            // Taken out, so that it can be lent while the rest of this object is used.
            var bytes = header
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe receive(fd, UnsafeMutableRawBufferPointer(rebasing: $0[place...]), flags)
            }
            header = bytes
            if let stop = Self.stop(count) { return stop }
            headerFilled += count
        }
        if body == nil {
            let length = header.reduce(0) { $0 << 8 | Int($1) }
            guard length >= least, length <= limit else { return .badLength }
            do {
                body =
                    length <= Self.short || length <= Self.medium && self.waiting(at: fd) >= length && mayTake(length)
                    ? try SecretFilling(count: length, in: arena) : try SecretFilling(comingAs: length, in: arena)
            } catch {
                return .noRoom
            }
        }
        while let (filled, room) = body.progress {
            if room == 0, let stop = takeRoom(after: filled, fd, flags, mayTake) { return stop }
            guard var filling = body.take() else { return .failed(EINVAL) }
            let count = unsafe filling.fill { unsafe receive(fd, $0, flags) }
            body = consume filling
            if let stop = Self.stop(count) { return stop }
        }
        headerFilled = 0
        guard let whole = body.take() else { return .failed(EINVAL) }
        return .frame(whole.finish())
    }

    /// Reads everything that is there at once. nil if that isn't a whole frame: the bytes are kept ahead, and read as if they came now.
    private mutating func readAll(_ stage: SecretStage, _ fd: Int32, _ flags: Int32) -> Outcome? {
        let count = unsafe stage.fill { unsafe receive(fd, $0, flags) }
        if let stop = Self.stop(count) { return stop }
        defer { stage.clear() }
        let length = count < 4 ? Int.max : Int(stage.number(bytes: 4))
        if count >= 4, length < least || length > limit { return .badLength }
        let isWhole = count >= 4 && length <= count - 4
        do {
            let end = isWhole ? 4 + length : 0
            if end < count { ahead = try stage.secret(end..<count, in: arena) }
            return isWhole ? .frame(try stage.secret(4..<end, in: arena)) : nil
        } catch {
            return .noRoom
        }
    }

    /// Takes memory for the bytes that have come by now, or returns why it can't.
    private mutating func takeRoom(after filled: Int, _ fd: Int32, _ flags: Int32, _ mayTake: (Int) -> Bool) -> Outcome? {
        var coming = waiting(at: fd)
        if coming == 0 {
            // Nothing is there, or it is the end. A caller that waits does so here.
            var byte: UInt8 = 0
            let count = uninterrupted { unsafe recv(fd, &byte, 1, flags | Int32(MSG_PEEK)) }
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
    private func waiting(at fd: Int32) -> Int {
        var count: Int32 = 0
        let there = unsafe thumb_ioctl(fd, thumb_FIONREAD, &count) == 0 ? Int(count) : 0
        return there + (ahead.map { $0.count - aheadTaken } ?? 0)
    }

    /// Receives bytes. Those that were read ahead come first.
    @unsafe private mutating func receive(_ fd: Int32, _ room: UnsafeMutableRawBufferPointer, _ flags: Int32) -> Int {
        if let ahead {
            let count = min(room.count, ahead.count - aheadTaken)
            unsafe ahead.withUnsafeBytes {
                unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[aheadTaken..<aheadTaken + count]))
            }
            aheadTaken += count
            if aheadTaken == ahead.count { (self.ahead, aheadTaken) = (nil, 0) }
            return count
        }
        guard let only = onlySender else { return uninterrupted { unsafe recv(fd, room.baseAddress, room.count, flags) } }
        var sender: pid_t = 0
        let count = uninterrupted { unsafe thumb_receive(fd, room.baseAddress, room.count, flags, &sender) }
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
        case EAGAIN: return .later
        case ECONNRESET: return .closed
        case let code: return .failed(code)
        }
    }
}

extension Optional where Wrapped == SecretFilling {
    /// How many bytes are there and how many more have room; nil once it is full.
    fileprivate var progress: (filled: Int, room: Int)? {
        switch self {
        case .some(let filling): filling.isFull ? nil : (filling.filled, filling.room)
        case nil: nil
        }
    }
}
