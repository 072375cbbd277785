public import ThumbLoop

/// Reports what happens to the machine and to one user's session.
@OnLoop public protocol MachineWatch: AnyObject {
    /// Called with true before the machine sleeps, which waits for `done`, and with false when it is awake again.
    var onSleep: (_ isAsleep: Bool, _ done: @escaping () -> Void) -> Void { get set }
    /// Called when the lid is opened or closed.
    var onLid: (_ isClosed: Bool) -> Void { get set }
    /// Called when the session is locked or unlocked.
    var onLock: (_ isLocked: Bool) -> Void { get set }
    /// Called when the session comes to the front of its seat, or another one does.
    var onFront: (_ isInFront: Bool) -> Void { get set }
    /// Begins to watch. Calls back once the present state has been reported.
    func start(_ then: @escaping () -> Void)
}

/// A machine that somebody else watches, and reports about to this.
@OnLoop public final class ToldMachine: MachineWatch {
    public var onSleep: (_ isAsleep: Bool, _ done: @escaping () -> Void) -> Void = { $1() }
    public var onLid: (_ isClosed: Bool) -> Void = { _ in }
    public var onLock: (_ isLocked: Bool) -> Void = { _ in }
    public var onFront: (_ isInFront: Bool) -> Void = { _ in }
    private var isKnown = false
    private var waiting: [() -> Void] = []

    public init() {}

    public func start(_ then: @escaping () -> Void) {
        if isKnown { return then() }
        waiting.append(then)
    }

    /// Everything known by now has been reported.
    public func becomesKnown() {
        isKnown = true
        let known = waiting
        waiting = []
        for then in known { then() }
    }
}
