import ThumbSecrets

/// The threads that stretch passwords. They are separate from HTTP's, because one stretch takes longer than thousands of other requests.
final class Stretchers: @unchecked Sendable {
    // @unchecked: the queue and the flag are touched under the condition's lock.
    private let condition = Condition()
    private var queue: [@Sendable () -> Void] = []
    private var isEnding = false
    private var threads: [NamedThread] = []

    init() {
        threads = (0..<Limits.stretchers).map { _ in NamedThread("stretcher") { [self] in run() } }
    }

    /// - Returns: false if as many are waiting as allowed; then it won't be run.
    func run(_ job: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = condition.withLock { _ in
            guard queue.count < Limits.waitingPasswords, !isEnding else { return false }
            queue.append(job)
            return true
        }
        if isTaken { condition.signal() }
        return isTaken
    }

    func end() {
        condition.withLock { _ in isEnding = true }
        condition.broadcast()
        for thread in threads { thread.join() }
    }

    private func run() {
        while true {
            let job: (@Sendable () -> Void)? = condition.withLock { held in
                while queue.isEmpty && !isEnding { held.wait() }
                return queue.isEmpty ? nil : queue.removeFirst()
            }
            guard let job else { return }
            job()
        }
    }
}
