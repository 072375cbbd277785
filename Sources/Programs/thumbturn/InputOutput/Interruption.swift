import CThumbLinux

/// Holds back Ctrl-C and similar signals during work that must not be left half done. They wait until the program asks for them.
final class Interruption {
    private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    private var signals = sigset_t()
    private var before = sigset_t()

    init() {
        unsafe sigemptyset(&signals)
        for number in Self.numbers { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
    }

    deinit { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    /// Whether one has come since the last time. Asking uses it up.
    var hasCome: Bool {
        var now = timespec()
        return unsafe sigtimedwait(&signals, nil, &now) > 0
    }
}
