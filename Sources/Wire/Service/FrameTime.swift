import ThumbLoop

/// Limits how long an incomplete frame may still take. A frame that arrives at once never has a timer.
@OnLoop struct FrameTime {
    /// If a timer fires this much too late, the loop was busy; the peer may not have been slow.
    static let secondsLate = 0.5

    private var timer: LoopTimer?

    /// Starts the time if it doesn't run yet. `isOver` is told how late the timer fired.
    mutating func run(_ seconds: Double, isOver: @escaping (_ late: Double) -> Void) {
        guard timer == nil else { return }
        let due = EventLoop.now + seconds
        timer = EventLoop.shared.after(seconds) { isOver(EventLoop.now - due) }
    }

    /// Stops the time: the frame is complete, or waits for us.
    mutating func stop() {
        timer?.cancel()
        timer = nil
    }
}
