import CThumbLinux

/// Signals that somebody sends to this program and that are meant for the one it runs.
struct HandedOnSignals {
    private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    /// Readable when one has come.
    let descriptor: Int32
    /// What was blocked before they were.
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
            // What a terminal sends it sends to the whole group, the other program too; codes of senders are not positive.
            if info.ssi_code <= 0 { kill(child, Int32(info.ssi_signo)) }
        }
    }
}
