import CThumbLinux
import ThumbSystem

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

    /// Forgets Ctrl-C and Ctrl-\ that have come. Call it when another program has ended that was in the foreground: they were meant for that one.
    func forgetKeys() {
        var (keys, now) = (sigset_t(), timespec())
        unsafe sigemptyset(&keys)
        for number in [SIGINT, SIGQUIT] { unsafe sigaddset(&keys, number) }
        while unsafe sigtimedwait(&keys, nil, &now) > 0 {}
    }

    /// Waits until something is typed; false if a signal comes first, which is used up.
    func waitForInput() -> Bool {
        let come = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC))
        defer { close(come) }
        while true {
            var waits = [0, come].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            do throws(SystemError) { if try polled(&waits, milliseconds: -1) == 0 { continue } } catch { return false }
            return waits[1].revents == 0 || !hasCome
        }
    }

    /// Whether one has come since the last time. Asking uses it up.
    var hasCome: Bool {
        var now = timespec()
        return unsafe sigtimedwait(&signals, nil, &now) > 0
    }
}
