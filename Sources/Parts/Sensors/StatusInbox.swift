import ThumbLoop

/// The events while the reader is ours, in order, for one flow that waits for them.
@OnLoop final class StatusInbox {
    enum Event {
        case status(String, isDone: Bool)
        /// The driver says whether a finger lies there, or whether it wants one; nil where it says nothing.
        case finger(isPresent: Bool?, isNeeded: Bool?)
        /// fprintd's connection is gone, and our claim with it.
        case ownerLost
        /// The lid, or sleep: the reader is away, or back.
        case awayChanged
        case stopped
        /// Others have waited for the reader for long.
        case mustEnd
        case timedOut
    }

    /// Nothing is wanted any more.
    private(set) var isOver = false
    /// Others have waited for long: it fails at the next moment at which it can.
    private(set) var mustEnd = false
    private var queue: [Event] = []
    private var waiter: CheckedContinuation<Event, Never>?
    private var timer: LoopTimer?

    func put(_ event: Event) {
        if case .stopped = event { isOver = true }
        if case .mustEnd = event { mustEnd = true }
        guard let waiter else { return keep(event) }
        self.waiter = nil
        timer?.cancel()
        waiter.resume(returning: event)
    }

    /// Nobody waits for it yet. That the reader is away or back needs no telling twice: who hears it looks what is so then.
    private func keep(_ event: Event) {
        if case .awayChanged = event, queue.contains(where: { if case .awayChanged = $0 { true } else { false } }) { return }
        queue.append(event)
    }

    /// The next event; after the end, always the end. With `seconds` it may also be that they have passed.
    func next(within seconds: Double? = nil) async -> Event {
        await withCheckedContinuation { waiter in
            // Looked at inside: before a continuation is entered the loop may do something else, and an event would be missed.
            if isOver { return waiter.resume(returning: .stopped) }
            if !queue.isEmpty { return waiter.resume(returning: queue.removeFirst()) }
            self.waiter = waiter
            if let seconds {
                timer = EventLoop.shared.after(seconds) { [weak self] in self?.put(.timedOut) }
            }
        }
    }

    /// What was said of the verification before is no answer to the next.
    func dropStatuses() {
        queue.removeAll { event in
            switch event {
            case .status, .finger: true
            case .ownerLost, .awayChanged, .stopped, .mustEnd, .timedOut: false
            }
        }
    }
}
