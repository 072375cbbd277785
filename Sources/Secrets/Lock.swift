import CThumbLinux

/// The only lock that we use: a pthread mutex.
///
/// It isn't `Synchronization.Mutex`, because the thread sanitizer doesn't see that one and reports races that don't exist. If the thread
/// that holds it takes it again, it traps instead of hanging.
@safe public final class Lock: Sendable {
    // A pthread mutex must keep its address, so it is on the heap. The pointer never changes, and a mutex is made for sharing.
    nonisolated(unsafe) internal let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Makes a lock that nobody holds.
    public init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        var attributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&attributes)
        unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        let result = unsafe pthread_mutex_init(mutex, &attributes)
        precondition(result == 0, "pthread_mutex_init: \(result)")
        unsafe pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }

    /// Runs `body` while holding the lock; fails only as `body` does.
    @inline(__always)
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    internal func lock() {
        let result = unsafe pthread_mutex_lock(mutex)
        precondition(result == 0, "a lock was taken twice by one thread")
    }

    internal func unlock() {
        let result = unsafe pthread_mutex_unlock(mutex)
        precondition(result == 0, "a lock was released by a thread that doesn't hold it")
    }
}

/// A value that can be reached only while holding its lock.
public final class Locked<State>: @unchecked Sendable {  // `state` is touched only in `withLock`.
    private let lock = Lock()
    private var state: State

    /// Puts `state` behind a new lock.
    public init(_ state: sending State) {
        self.state = state
    }

    /// Runs `body` on the value while holding the lock; fails only as `body` does.
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
