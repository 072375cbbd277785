public import ThumbLoop

/// Tells what becomes of the machine and of one user's session.
@OnLoop public protocol MachineWatch: AnyObject {
    /// Called with true before the machine sleeps, which waits for `done`; with false when it is awake again.
    var onSleep: (_ isAsleep: Bool, _ done: @escaping () -> Void) -> Void { get set }
    /// Called when the lid is opened or closed.
    var onLid: (_ isClosed: Bool) -> Void { get set }
    /// Called when the session is locked or unlocked.
    var onLock: (_ isLocked: Bool) -> Void { get set }
    /// Begins to watch; calls back when what stands now has been told.
    func start(_ then: @escaping () -> Void)
}

/// A machine that somebody else watches, who says what becomes of it.
@OnLoop public final class ToldMachine: MachineWatch {
    public var onSleep: (_ isAsleep: Bool, _ done: @escaping () -> Void) -> Void = { $1() }
    public var onLid: (_ isClosed: Bool) -> Void = { _ in }
    public var onLock: (_ isLocked: Bool) -> Void = { _ in }
    private var isKnown = false
    private var waiting: [() -> Void] = []

    public init() {}

    public func start(_ then: @escaping () -> Void) {
        if isKnown { return then() }
        waiting.append(then)
    }

    /// All that is known now has been told.
    public func becomesKnown() {
        isKnown = true
        let known = waiting
        waiting = []
        for then in known { then() }
    }
}
