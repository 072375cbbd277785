import CThumbLinux

/// The signals that end a daemon, as something the loop can watch.
public enum Signals {
    /// Blocks them. From now on they arrive at the returned descriptor.
    public static func block() -> Int32 {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        return unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    }
}
