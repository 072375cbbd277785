internal import CThumbLinux
internal import ThumbSecrets

/// One thread for work that takes long and needs nothing of the loop's: stretching a passcode, a TPM's answer, RSA.
///
/// One at a time on purpose: the owner has one keyboard, and a peer must not be able to occupy every core by guessing. A worker lives
/// as long as the program.
public final class Worker: @unchecked Sendable {
    // @unchecked: `queue` and `isRunning` are touched under the condition's lock.
    /// The passcode's.
    public static let shared = Worker()

    /// Work waiting at most; more is refused, because each holds a typed passcode in locked memory.
    public static let limit = 64

    private let condition = Condition()
    private var queue: [@Sendable () -> Void] = []
    private var isRunning = false

    public init() {}

    /// Runs `work` on the worker's thread and `then` on the loop with what came of it; false if too much is waiting.
    public func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping @OnLoop @Sendable (Value) -> Void
    ) -> Bool {
        let job: @Sendable () -> Void = {
            let value = work()
            EventLoop.shared.post { then(value) }
        }
        let (accepted, start) = condition.withLock { _ in
            guard queue.count < Self.limit else { return (false, false) }
            queue.append(job)
            let start = !isRunning
            isRunning = true
            return (true, start)
        }
        if start { startThread() } else if accepted { condition.signal() }
        return accepted
    }

    private func startThread() {
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { worker in
                guard let worker = unsafe worker else { return nil }
                unsafe Unmanaged<Worker>.fromOpaque(worker).takeRetainedValue().loop()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(result == 0, "the worker's thread could not be started")
        pthread_detach(thread)
    }

    private func loop() {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
        while true {
            let job = condition.withLock { held in
                while queue.isEmpty { held.wait() }
                return queue.removeFirst()
            }
            job()
        }
    }
}
