import ThumbLoop

/// The events while we have the reader, in order, for one flow that waits for them.
@OnLoop final class StatusInbox {
    enum Event {
        case status(String, isDone: Bool)
        /// The driver reports whether a finger lies there, or whether it wants one; nil if it says nothing.
        case finger(isPresent: Bool?, isNeeded: Bool?)
        /// fprintd's connection is gone, and our claim with it.
        case ownerLost
        /// The reader is out of reach or back, because of the lid or sleep.
        case awayChanged
        case stopped
        /// Others have waited for the reader for a long time.
        case mustEnd
        case timedOut
    }

    /// Whether nothing is wanted any more.
    private(set) var isOver = false
    /// Whether others have waited for a long time. The flow then fails as soon as it can.
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

    /// Keeps an event that nobody waits for yet. A second `awayChanged` isn't kept: whoever gets the first one looks up the present state.
    private func keep(_ event: Event) {
        if case .awayChanged = event, queue.contains(where: { if case .awayChanged = $0 { true } else { false } }) { return }
        queue.append(event)
    }

    /// The next event; after the end, always the end. With `seconds`, the event may also be that they have passed.
    func next(within seconds: Double? = nil) async -> Event {
        await withCheckedContinuation { waiter in
            // This is checked inside: before a continuation is entered the loop may do something else, and an event would be missed.
            if isOver { return waiter.resume(returning: .stopped) }
            if !queue.isEmpty { return waiter.resume(returning: queue.removeFirst()) }
            self.waiter = waiter
            if let seconds {
                timer = EventLoop.shared.after(seconds) { [weak self] in self?.put(.timedOut) }
            }
        }
    }

    /// Statuses of the previous verification don't answer the next one.
    func dropStatuses() {
        queue.removeAll { event in
            switch event {
            case .status, .finger: true
            case .ownerLost, .awayChanged, .stopped, .mustEnd, .timedOut: false
            }
        }
    }

    /// Nor does the end of the fprintd that had the previous claim say anything about the next claim.
    func dropPreviousClaim() {
        dropStatuses()
        queue.removeAll { if case .ownerLost = $0 { true } else { false } }
    }
}
