import CThumbLinux
import Testing
import ThumbSecrets

@Suite("Threads with a name")
struct NamedThreadTests {
    @Test("a thread gets none of the process's signals, though whoever starts it gets them all")
    func signals() {
        // The tests' own threads block some, and a thread begins as the one that makes it.
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        let blocked = Locked<[Int32]>([])
        let thread = NamedThread("signals") {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let found = [SIGHUP, SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGUSR1].filter { sigismember(&mask, $0) == 1 }
            blocked.withLock { $0 = found }
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        thread.join()
        #expect(blocked.withLock { $0 } == [SIGHUP, SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGUSR1])
    }
}
