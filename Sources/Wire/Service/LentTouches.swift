import ThumbLoop

/// Touches that polkit's agent lent to a process of its own, until our module asks in that process. Each counts once, and not for long.
@OnLoop final class LentTouches {
    /// Seconds until a touch that nobody asked for is forgotten: as long as PAM may take on a busy machine to come to our module.
    static let seconds = 10.0

    private final class Touch {
        var timer: LoopTimer?
    }

    private var touches: [Int32: Touch] = [:]

    /// The agent keeps that process as its child, so the number is nobody else's meanwhile.
    func lend(to process: Int32) {
        forget(process)
        let touch = Touch()
        touches[process] = touch
        touch.timer = EventLoop.shared.after(Self.seconds) { [weak self] in self?.touches[process] = nil }
    }

    /// Whether there was one for that process. There is none any more.
    func take(for process: Int32) -> Bool { forget(process) }

    @discardableResult func forget(_ process: Int32) -> Bool {
        guard let touch = touches.removeValue(forKey: process) else { return false }
        touch.timer?.cancel()
        return true
    }
}
