import CThumbLinux

/// The wall clock, which somebody may set. For dates to show, never for decisions.
public enum WallClock {
    /// Seconds since 1970.
    public static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
