import CThumbLinux
import ThumbSSHAgent
import ThumbSystem

/// Whole frames from and to an agent's peer. Each has a limited time.
struct AgentStream {
    let fd: Int32
    private let secondsForFrame: Int

    init(_ fd: Int32, secondsForFrame: Int) {
        self.fd = fd
        self.secondsForFrame = secondsForFrame
    }

    /// A request without its length; nil at the end, and if the peer breaks the protocol or takes too long.
    func read() -> [UInt8]? {
        var head: [UInt8] = [0, 0, 0, 0]
        // The first byte may take long; the others come with it.
        guard fill(&head, 0..<1, before: Self.now + AgentLimit.secondsIdle) else { return nil }
        let end = Self.now + secondsForFrame
        guard fill(&head, 1..<4, before: end) else { return nil }
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard (1...AgentLimit.frameBytes).contains(count) else { return nil }
        var body = [UInt8](repeating: 0, count: count)
        return fill(&body, 0..<count, before: end) ? body : nil
    }

    func write(_ frame: [UInt8]) -> Bool {
        let end = Self.now + secondsForFrame
        var place = 0
        while place < frame.count {
            guard wait(Int16(POLLOUT), before: end) else { return false }
            let count = unsafe frame.withUnsafeBytes { bytes in
                uninterrupted {
                    unsafe send(fd, bytes.baseAddress! + place, frame.count - place, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                }
            }
            if count < 0 && thumb_errno() != EAGAIN { return false }
            place += max(0, count)
        }
        return true
    }

    private func fill(_ bytes: inout [UInt8], _ range: Range<Int>, before end: Int) -> Bool {
        var place = range.lowerBound
        while place < range.upperBound {
            guard wait(Int16(POLLIN), before: end) else { return false }
            let start = place
            let count = unsafe bytes.withUnsafeMutableBytes { room in
                uninterrupted {
                    unsafe recv(fd, room.baseAddress! + start, range.upperBound - start, Int32(MSG_DONTWAIT))
                }
            }
            if count < 0 && thumb_errno() == EAGAIN { continue }
            if count <= 0 { return false }
            place += count
        }
        return true
    }

    private func wait(_ event: Int16, before end: Int) -> Bool {
        while true {
            var waits = [pollfd(fd: fd, events: event, revents: 0)]
            let left = end - Self.now
            guard left > 0 else { return false }
            do throws(SystemError) {
                // Nothing came, or a signal interrupted the wait. The time that is left tells which.
                if try polled(&waits, milliseconds: Int32(left * 1000)) > 0 { return true }
            } catch {
                return false
            }
        }
    }

    /// Whole seconds of a clock that never goes back.
    private static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}
