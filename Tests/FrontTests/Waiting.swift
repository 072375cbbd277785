import CThumbLinux
import ThumbLoop

/// Whether it comes to this within a minute; the loop does it.
func comes(_ isDone: @escaping @OnLoop @Sendable () -> Bool) -> Bool {
    for _ in 0..<6000 where !EventLoop.shared.sync(isDone) { usleep(10_000) }
    return EventLoop.shared.sync(isDone)
}
