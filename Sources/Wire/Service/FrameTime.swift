import ThumbLoop

/// How long the frame that is coming may still take. A frame that is there at once never has a timer.
@OnLoop struct FrameTime {
    /// A timer that fires so much later than it was set for says that the loop was busy, and not that the peer was slow.
    static let secondsLate = 0.5

    private var timer: LoopTimer?

    /// Lets the time run, if it doesn't yet; `isOver` hears how late it is told.
    mutating func run(_ seconds: Double, isOver: @escaping (_ late: Double) -> Void) {
        guard timer == nil else { return }
        let due = EventLoop.now + seconds
        timer = EventLoop.shared.after(seconds) { isOver(EventLoop.now - due) }
    }

    /// Lets no more time pass: the frame is whole, or waits for us.
    mutating func stop() {
        timer?.cancel()
        timer = nil
    }
}
