import ThumbSecrets

/// One thread for work that takes long and needs nothing from the loop: stretching a passcode, waiting for a TPM, RSA.
///
/// There is only one, on purpose: the owner has one keyboard, a TPM takes one command, and a peer must not be able to occupy every core by
/// guessing. Work that can't wait for other work has a worker of its own.
public final class Worker: @unchecked Sendable {
    // @unchecked: `queue` and `isRunning` are touched under the condition's lock.
    public static let shared = Worker()

    /// How much work may wait. More is refused, because each piece holds a typed passcode in locked memory.
    public static let limit = 64

    private let limit: Int
    private let condition = Condition()
    private var queue: [@Sendable () -> Void] = []
    private var isRunning = false
    private var isFinished = false

    public init(limit: Int = limit) { self.limit = limit }

    /// Runs `work` on the worker's thread, and `then` on the loop with its result; false if too much is waiting.
    public func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping @OnLoop @Sendable (Value) -> Void
    ) -> Bool {
        let job: @Sendable () -> Void = {
            let value = work()
            EventLoop.shared.post { then(value) }
        }
        let (accepted, start) = condition.withLock { _ in
            guard queue.count < limit, !isFinished else { return (false, false) }
            queue.append(job)
            let start = !isRunning
            isRunning = true
            return (true, start)
        }
        if start { startThread() } else if accepted { condition.signal() }
        return accepted
    }

    /// The result of `work`, awaited on the loop; nil if too much is waiting.
    @OnLoop public func result<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { (done: CheckedContinuation<Value?, Never>) in
            let isAccepted = run(work) { done.resume(returning: $0) }
            if !isAccepted { done.resume(returning: nil) }
        }
    }

    /// Lets the thread end once the waiting work is done. No more work is accepted.
    public func finish() {
        condition.withLock { _ in isFinished = true }
        condition.signal()
    }

    private func startThread() {
        // The thread keeps its worker alive while it runs.
        NamedThread("worker") { [self] in loop() }.detach()
    }

    private func loop() {
        while true {
            let job: (@Sendable () -> Void)? = condition.withLock { held in
                while queue.isEmpty && !isFinished { held.wait() }
                return queue.isEmpty ? nil : queue.removeFirst()
            }
            guard let job else { return }
            job()
        }
    }
}
