import CThumbLinux
import ThumbSecrets

/// The event loop: a thread that waits for descriptors, timers and jobs, and the executor of `OnLoop`.
///
/// Everything of Service, Parts and Client runs here, and nothing blocks here. The loop has its own thread instead of Swift's shared pool,
/// because a caller that blocks in a synchronous keychain call may be holding a thread of that pool.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // @unchecked: `queue` and `isStarted` are touched under `lock`, everything else only on the loop's thread.
    public static let shared = EventLoop()

    private enum Work {
        case job(UnownedJob)
        case closure(@OnLoop () -> Void)
    }

    /// How many descriptors one wait reports. The others come with the next wait.
    private static let batch: Int32 = 64

    private let lock = Lock()
    private var queue: [Work] = []
    private var isStarted = false
    private let epoll: Int32
    private let wakeup: Int32
    private var watches: [Int32: Watch] = [:]
    /// Watches that get a turn although their descriptors report nothing.
    private var dueWatches: [Watch] = []
    /// Counts the turns. A watch is called at most once in each.
    private var turns: UInt64 = 0
    private var timers = TimerQueue()
    private var thread: pthread_t = 0

    private init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(epoll >= 0 && wakeup >= 0, "the kernel gave no epoll or eventfd")
        control(EPOLL_CTL_ADD, wakeup, UInt32(EPOLLIN.rawValue))
    }

    // MARK: Jobs

    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    public func checkIsolated() { precondition(isCurrent, "not on the loop's thread") }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether this is the loop's own thread.
    public var isCurrent: Bool { pthread_equal(pthread_self(), lock.withLock { thread }) != 0 }

    /// Runs the closure on the loop, later.
    public func post(_ work: @escaping @OnLoop @Sendable () -> Void) { add(.closure(work)) }

    /// Runs the closure on the loop and waits for it. On the loop's own thread it runs at once.
    public func sync<Value: Sendable>(_ work: @escaping @OnLoop @Sendable () -> Value) -> Value {
        if isCurrent { return OnLoop.assumed(work) }
        let done = Condition()
        let box = Locked<Value?>(nil)
        post {
            let value = work()
            done.withLock { _ in box.withLock { $0 = value } }
            done.broadcast()
        }
        return done.withLock { held in
            while true {
                if let value = box.withLock({ $0 }) { return value }
                held.wait()
            }
        }
    }

    /// Starts a task that runs entirely on the loop. In the loop's rooms tasks are started in no other way.
    @discardableResult
    public func spawn(_ work: @escaping @OnLoop @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self) { await work() }
    }

    private func add(_ work: Work) {
        let (wake, start) = lock.withLock {
            queue.append(work)
            let start = !isStarted
            isStarted = true
            // The loop's own thread looks at the queue before it waits, so a task's next step needn't wake it.
            let isOwn = pthread_equal(pthread_self(), thread) != 0
            return (queue.count == 1 && !isOwn, start)
        }
        if start { startThread() }
        if wake { eventfd_write(wakeup, 1) }
    }

    private func startThread() {
        NamedThread("loop") { EventLoop.shared.run() }.detach()
    }

    // MARK: The thread

    private func run() {
        lock.withLock { thread = pthread_self() }
        var events = unsafe [epoll_event](repeating: epoll_event(), count: Int(Self.batch))
        while true {
            turns += 1
            let due = dueWatches
            dueWatches.removeAll()
            let isIdle = due.isEmpty && lock.withLock { queue.isEmpty }
            let patience = isIdle ? timers.millisecondsToNext(at: Self.now) : 0
            let count = unsafe epoll_wait(epoll, &events, Self.batch, patience)
            if count > 0 {
                for index in 0..<Int(count) { unsafe dispatch(events[index].data.fd, events[index].events) }
            }
            for watch in due { giveTurn(watch) }
            // A timer that one of them sets is of a later turn, even if it is due at once.
            let now = Self.now
            while let timer = timers.takeDue(at: now) { OnLoop.assumed(timer) }
            drain()
        }
    }

    private func drain() {
        var work = lock.withLock {
            let work = queue
            queue.removeAll(keepingCapacity: true)
            return work
        }
        work.reverse()
        // Each job is released before the next one runs, because the next may wait for something that it held (a store, with its lock).
        while let item = work.popLast() {
            switch item {
            case .job(let job):
                unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            case .closure(let body): OnLoop.assumed(body)
            }
        }
    }

    private func dispatch(_ fd: Int32, _ events: UInt32) {
        if fd == wakeup {
            var value: eventfd_t = 0
            unsafe eventfd_read(wakeup, &value)
            return
        }
        // An earlier event of the same batch may have removed the watch.
        guard let watch = watches[fd] else { return }
        OnLoop.assumed { watch.call(Readiness(epoll: events), in: turns) }
    }

    /// Gives a watch the turn that it asked for. If its descriptor already gave it this turn, it may since have asked for the next one.
    private func giveTurn(_ watch: Watch) {
        guard watches[watch.fd] === watch else { return }
        OnLoop.assumed { if watch.isDue, watch.latestTurn != turns { watch.call([], in: turns) } }
    }

    // MARK: Descriptors and timers, from the loop only

    @OnLoop func add(_ watch: Watch) {
        watches[watch.fd] = watch
        control(EPOLL_CTL_ADD, watch.fd, watch.interest.epoll)
    }

    @OnLoop func change(_ watch: Watch) { control(EPOLL_CTL_MOD, watch.fd, watch.interest.epoll) }

    @OnLoop func turnAgain(_ watch: Watch) { dueWatches.append(watch) }

    @OnLoop func remove(_ watch: Watch) {
        guard watches[watch.fd] === watch else { return }
        watches[watch.fd] = nil
        control(EPOLL_CTL_DEL, watch.fd, 0)
    }

    private func control(_ operation: Int32, _ fd: Int32, _ events: UInt32) {
        var event = unsafe epoll_event()
        unsafe event.events = events
        unsafe event.data.fd = fd
        let result = unsafe epoll_ctl(epoll, operation, fd, &event)
        precondition(result == 0, "epoll_ctl refused a descriptor: a room closed it before removing its watch")
    }

    /// Calls back once after that many seconds, unless cancelled.
    @OnLoop public func after(_ seconds: Double, _ body: @escaping @OnLoop () -> Void) -> LoopTimer {
        LoopTimer(timers.add(at: Self.now + max(0, seconds), body))
    }

    @OnLoop func cancel(_ id: UInt64) { timers.cancel(id) }

    /// Seconds since this boot, including sleep. Setting the clock doesn't change it.
    public static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
