import ThumbSecrets
import ThumbSystem

/// Writes the log to standard error on a thread of its own, so that a reader who stands still doesn't hold up the server.
final class LogOutlet: @unchecked Sendable {
    // @unchecked: whatever changes is touched under `gate`.
    private let gate = Condition()
    private var waiting: [UInt8] = []
    private var lost = 0
    /// Whether the thread is there. It comes with the first line, and stays as long as the process.
    private var hasThread = false
    private var isWriting = false

    /// Whether more may wait. Past that, lines had better wait where they are counted.
    var hasRoom: Bool { gate.withLock { _ in waiting.count < Limits.logBytes } }

    /// How many writes were lost, because too much waited already.
    var dropped: Int { gate.withLock { _ in lost } }

    /// Has some lines written, as a whole and after those before.
    func write(_ lines: [UInt8]) {
        gate.withLock { _ in
            guard waiting.count < Limits.logBytes else {
                lost += 1
                return
            }
            waiting += lines
            gate.broadcast()
            if hasThread { return }
            hasThread = true
            NamedThread("log") { while true { self.writeNext() } }.detach()
        }
    }

    private func writeNext() {
        let lines = gate.withLock { held in
            isWriting = false
            gate.broadcast()
            while waiting.isEmpty { held.wait() }
            isWriting = true
            defer { waiting = [] }
            return waiting
        }
        // Where nobody reads any more, the lines are gone and the server goes on.
        try? Transfer.write(lines, to: 2)
    }

    /// Waits until all is written, or until nothing moves for that long.
    func finish(within limit: Duration) {
        gate.withLock { held in
            while isWriting || !waiting.isEmpty { if !held.wait(atMost: limit) { return } }
        }
    }
}
