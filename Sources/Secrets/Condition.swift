import CThumbLinux

/// A condition that threads wait for, with the lock that guards it.
///
/// You can wait only through the `Held` that `withLock` lends, so never without the lock. Several conditions may share one lock; with one
/// waiter each, you can wake a single one.
@safe public final class Condition: Sendable {
    /// The lock that guards the state that threads wait for.
    public let lock: Lock
    // On the heap, for the same reason as the mutex in `Lock`.
    nonisolated(unsafe) private let condition: UnsafeMutablePointer<pthread_cond_t>

    /// Makes a condition guarded by `lock`, or by a new lock of its own.
    public init(lock: Lock = Lock()) {
        self.lock = lock
        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        // Waits with a limit use the monotonic clock, so that setting the time neither shortens nor lengthens them.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        let result = unsafe pthread_cond_init(condition, &attributes)
        precondition(result == 0, "pthread_cond_init: \(result)")
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deinitialize(count: 1)
        unsafe condition.deallocate()
    }

    /// The right to wait. `withLock` lends it; it can be neither copied nor kept.
    public struct Held: ~Copyable {
        fileprivate let owner: Condition

        /// Releases the lock, sleeps until woken, and takes the lock again. It may wake without cause, so wait in a loop.
        public func wait() {
            let result = unsafe pthread_cond_wait(owner.condition, owner.lock.mutex)
            precondition(result == 0, "pthread_cond_wait: \(result)")
        }

        /// Waits as `wait()` does, but for `limit` at most. Returns false if the time ran out.
        public func wait(atMost limit: Duration) -> Bool {
            var deadline = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
            let (seconds, attoseconds) = max(limit, .zero).components
            let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
            // A limit beyond a year counts as a year, which keeps the sum from overflowing.
            deadline.tv_sec += Int(min(seconds, 31_536_000)) + nanoseconds / 1_000_000_000
            deadline.tv_nsec = nanoseconds % 1_000_000_000
            let result = unsafe pthread_cond_timedwait(owner.condition, owner.lock.mutex, &deadline)
            precondition(result == 0 || result == ETIMEDOUT, "pthread_cond_timedwait: \(result)")
            return result == 0
        }
    }

    /// Runs `body` while holding the lock, with the right to wait; fails only as `body` does.
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing Held) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(Held(owner: self))
    }

    /// Wakes one waiting thread, if there is one.
    public func signal() {
        unsafe pthread_cond_signal(condition)
    }

    /// Wakes every waiting thread.
    public func broadcast() {
        unsafe pthread_cond_broadcast(condition)
    }
}
