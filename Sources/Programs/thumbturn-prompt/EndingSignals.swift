import CThumbLinux

/// The signals that end other programs at once. The prompt waits for them as for keys, because it must first leave the terminal as it
/// found it.
struct EndingSignals {
    let descriptor: Int32

    init() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    }
}
