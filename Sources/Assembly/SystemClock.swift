import ThumbAuthentication
import ThumbLoop

/// The machine's clock.
@OnLoop final class SystemClock: @OnLoop HouseClock {
    /// Seconds from 1970 to the reference date, 2001-01-01T00:00:00Z.
    private static let referenceDate = 978_307_200.0

    var now: Double { EventLoop.now }

    var date: Double {
        let time = WallClock.now
        return time - Self.referenceDate
    }

    func after(_ seconds: Double, _ body: @escaping () -> Void) {
        let box = LoopBox(body)
        _ = EventLoop.shared.after(seconds) { box.value() }
    }
}
