import CThumbLinux

/// Signals that are sent to this program but meant for the program that it runs.
struct HandedOnSignals {
    private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    /// Readable when a signal has come.
    let descriptor: Int32
    /// The signals that were blocked before.
    let before: sigset_t

    init() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in Self.numbers { unsafe sigaddset(&set, number) }
        var before = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, &set, &before)
        self.before = before
        descriptor = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    }

    func handOn(to child: pid_t) {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while unsafe read(descriptor, &info, size) == size {
            // A terminal sends its signals to the whole group, and so to the other program too. For signals that a program sends, the code
            // isn't positive.
            if info.ssi_code <= 0 { kill(child, Int32(info.ssi_signo)) }
        }
    }
}
