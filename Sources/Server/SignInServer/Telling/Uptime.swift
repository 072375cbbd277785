import CThumbLinux
import ThumbSystem

/// A clock that nobody can set, in seconds and nanoseconds.
enum Uptime {
    static func seconds() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec)
    }

    static func nanoseconds() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Sleeps until that nanosecond; returns at once if it has passed.
    static func wait(until moment: UInt64) {
        guard moment > nanoseconds() else { return }
        var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
        _ = uninterruptedError(of: { unsafe clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil) })
    }
}
