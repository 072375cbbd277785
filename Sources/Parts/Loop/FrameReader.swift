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
            let place = headerFilled
            let count = unsafe header.withUnsafeMutableBytes { unsafe recv(fd, $0.baseAddress! + place, 4 - place, flags) }
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
            let count = unsafe body?.fill { unsafe recv(fd, $0.baseAddress, $0.count, flags) } ?? 0
            if let stop = Self.stop(count) { return stop }
        }
        headerFilled = 0
        guard let whole = body.take() else { return .failed(EINVAL) }
        return .frame(whole.finish())
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
