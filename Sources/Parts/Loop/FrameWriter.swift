import CThumbLinux
public import ThumbSecrets
import ThumbSystem

/// A frame that is being sent: plain bytes with secrets between them. Each is sent from where it is.
public struct OutgoingFrame: Sendable {
    /// How many parts one send hands to the kernel at most. A frame with more takes another send.
    private static let parts = 16

    private let plain: [UInt8]
    private let secrets: [(place: Int, secret: SecretBytes)]
    /// How many of its bytes are sent.
    private var sent = 0
    /// How many of its bytes aren't sent yet.
    public private(set) var remaining: Int

    /// - Parameter secrets: each with the place among the plain bytes where it belongs, in order.
    public init(plain: [UInt8], secrets: [(place: Int, secret: SecretBytes)]) {
        self.plain = plain
        self.secrets = secrets
        remaining = plain.count + secrets.reduce(0) { $0 + $1.secret.count }
    }

    public enum Outcome: Sendable, Equatable {
        case sent
        case later
        case failed(Int32)
    }

    /// Sends as much as the socket takes; with `waiting`, all of it.
    public mutating func send(to fd: Int32, waiting: Bool) -> Outcome {
        while remaining > 0 {
            let count = uninterrupted { sendParts(to: fd, Int32(MSG_NOSIGNAL) | (waiting ? 0 : Int32(MSG_DONTWAIT))) }
            if count < 0 {
                switch thumb_errno() {
                case EAGAIN: return .later
                case let code: return .failed(code)
                }
            }
            sent += count
            remaining -= count
        }
        return .sent
    }

    /// Hands the kernel the unsent parts, as many as go at once.
    private func sendParts(to fd: Int32, _ flags: Int32) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.parts) { parts in
            var count = 0
            var (passed, start) = (0, 0)
            func add(_ bytes: UnsafeRawBufferPointer) {
                defer { passed += bytes.count }
                let skipped = max(0, sent - passed)
                guard skipped < bytes.count, count < Self.parts else { return }
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[skipped...])
                unsafe parts.initializeElement(
                    at: count, to: iovec(iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count))
                count += 1
            }
            return unsafe plain.withUnsafeBytes { plain in
                for (place, secret) in secrets {
                    unsafe add(UnsafeRawBufferPointer(rebasing: plain[start..<place]))
                    // The secret stays at its address as long as this frame holds it.
                    unsafe secret.withUnsafeBytes { unsafe add($0) }
                    start = place
                }
                unsafe add(UnsafeRawBufferPointer(rebasing: plain[start...]))
                return unsafe thumb_send_parts(fd, parts.baseAddress, count, flags)
            }
        }
    }
}

extension OutgoingFrame {
    /// The rest of the frame, with its secrets moved to `arena`, so that it can wait until it is read. Fails if there is no room for them.
    public func moved(to arena: SecretArena) throws(SecretError) -> OutgoingFrame {
        var left: [(place: Int, secret: SecretBytes, sent: Int)] = []
        var before = 0
        for (place, secret) in secrets {
            let begin = place + before
            before += secret.count
            if sent < begin + secret.count { left.append((place, secret, max(0, sent - begin))) }
        }
        // All secrets before the first that is left are sent, and so are the plain bytes before them.
        let gone = secrets.prefix(secrets.count - left.count).reduce(0) { $0 + $1.secret.count }
        let plainSent = min(sent - gone - (left.first?.sent ?? 0), plain.count)
        var moved: [(place: Int, secret: SecretBytes)] = []
        for (place, secret, sent) in left {
            moved.append((place - plainSent, try secret.copy(from: sent, in: arena)))
        }
        return OutgoingFrame(plain: Array(plain[plainSent...]), secrets: moved)
    }
}
