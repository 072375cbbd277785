internal import ThumbLoop

/// What happens while the reader is ours, in order, for one flow that waits for it.
@OnLoop final class StatusInbox {
    enum Event {
        case status(String, isDone: Bool)
        /// The driver tells whether a finger lies there, or whether it wants one; nil where it says nothing of it.
        case finger(isPresent: Bool?, isNeeded: Bool?)
        /// fprintd's connection is gone, and our claim with it.
        case ownerLost
        /// The lid, or sleep: the reader is away, or back.
        case awayChanged
        case stopped
        case timedOut
    }

    /// Nothing is wanted any more.
    private(set) var isOver = false
    private var queue: [Event] = []
    private var waiter: CheckedContinuation<Event, Never>?
    private var timer: LoopTimer?

    func put(_ event: Event) {
        if case .stopped = event { isOver = true }
        guard let waiter else { return queue.append(event) }
        self.waiter = nil
        timer?.cancel()
        waiter.resume(returning: event)
    }

    /// The next event; once it is over, always that. With `seconds`, it may also be that they are over.
    func next(within seconds: Double? = nil) async -> Event {
        await withCheckedContinuation { waiter in
            // Looked at in here: on the way into a continuation the loop may do something else, and an event would pass by.
            if isOver { return waiter.resume(returning: .stopped) }
            if !queue.isEmpty { return waiter.resume(returning: queue.removeFirst()) }
            self.waiter = waiter
            if let seconds {
                timer = EventLoop.shared.after(seconds) { [weak self] in self?.put(.timedOut) }
            }
        }
    }

    /// What was said of what ended before is no answer to what begins now.
    func dropStatuses() {
        queue.removeAll { event in
            switch event {
            case .status, .finger: true
            case .ownerLost, .awayChanged, .stopped, .timedOut: false
            }
        }
    }
}
