/// A timer that was set; cancelling it after it fired does nothing.
@OnLoop public struct LoopTimer {
    private let id: UInt64

    init(_ id: UInt64) { self.id = id }

    public func cancel() { EventLoop.shared.cancel(id) }
}

/// The loop's timers. There are so few at a time that nothing is faster than a sorted array.
struct TimerQueue {
    private struct Entry {
        let id: UInt64
        let due: Double
        let body: @OnLoop () -> Void
    }

    private var entries: [Entry] = []
    private var lastID: UInt64 = 0

    mutating func add(at due: Double, _ body: @escaping @OnLoop () -> Void) -> UInt64 {
        lastID += 1
        let place = entries.firstIndex { $0.due > due } ?? entries.endIndex
        entries.insert(Entry(id: lastID, due: due, body: body), at: place)
        return lastID
    }

    mutating func cancel(_ id: UInt64) { entries.removeAll { $0.id == id } }

    /// Takes out the first timer that is due; nil if none is. One at a time: the one before may have cancelled it.
    mutating func takeDue(at now: Double) -> (@OnLoop () -> Void)? {
        guard let first = entries.first, first.due <= now else { return nil }
        return entries.removeFirst().body
    }

    /// -1 if there is nothing to wait for. Rounded up by one, so that the loop doesn't spin in a timer's last fraction of a millisecond.
    func millisecondsToNext(at now: Double) -> Int32 {
        guard let first = entries.first else { return -1 }
        return Int32(max(0, min((first.due - now) * 1000, 3_600_000))) + 1
    }
}
