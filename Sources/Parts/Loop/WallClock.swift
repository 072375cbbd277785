import CThumbLinux

/// The wall clock, which anybody may set. Use it to show dates, never to decide anything.
public enum WallClock {
    /// Seconds since 1970.
    public static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
