public import ThumbAuthentication

/// A clock that moves when it is told to.
public final class SimulatedClock {
    public private(set) var now: Double = 1_000
    /// The date at `now` = 0: 2026-01-01, in seconds since the reference date.
    private let start = 788_918_400.0
    private var timers: [(due: Double, body: () -> Void)] = []

    public init() {}

    /// Moves time forward, and calls everything that falls due meanwhile, in order.
    public func advance(by seconds: Double) {
        let end = now + max(0, seconds)
        while let next = timers.filter({ $0.due <= end }).min(by: { $0.due < $1.due }) {
            timers.remove(at: timers.firstIndex { $0.due == next.due } ?? 0)
            now = max(now, next.due)
            next.body()
        }
        now = end
    }
}

extension SimulatedClock: HouseClock {
    public var date: Double { start + now }
    public func after(_ seconds: Double, _ body: @escaping () -> Void) { timers.append((now + max(0, seconds), body)) }
}
