import ThumbLoop
import ThumbPeers

/// Touches that polkit's agent lent to a process of its own, until our module asks in that process. Each counts once, and not for long.
@OnLoop final class LentTouches {
    /// Seconds until a touch that nobody asked for is forgotten: as long as PAM may take on a busy machine to come to our module.
    static let seconds = 10.0

    private final class Touch {
        let agent: Int32
        var timer: LoopTimer?

        init(_ agent: Int32) { self.agent = agent }
    }

    private var touches: [Int32: Touch] = [:]
    /// Which process started another, by its number.
    var parent: (Int32) -> Int32? = { ProcessFolder(of: $0)?.stat()?.parent }

    func lend(to process: Int32, by agent: Int32) {
        forget(process)
        let touch = Touch(agent)
        touches[process] = touch
        touch.timer = EventLoop.shared.after(Self.seconds) { [weak self] in self?.touches[process] = nil }
    }

    /// Whether there was one for that process. There is none any more.
    ///
    /// A process number can be another's by now. Only a child of the agent's own is one that the agent started.
    func take(for process: Int32) -> Bool {
        guard let touch = touches[process] else { return false }
        forget(process)
        return parent(process) == touch.agent
    }

    func forget(_ process: Int32) { touches.removeValue(forKey: process)?.timer?.cancel() }
}
