import CThumbLinux
import ThumbBus
import ThumbLoop

/// A hand at the virtual reader: each time the reader wants a finger it does the next thing of its script, and when that is at an
/// end it stays away, which a reader may wait for.
@OnLoop public final class Hand {
    /// The reader's own words: `SCAN finger`, `RETRY n`, `ERROR n`, `UNPLUG`.
    public var script: [String] = []
    /// What is done each time once the script is at an end; nil: nothing, and the reader waits.
    public var habit: String?
    /// Whether the reader's property says when a finger is wanted. It tells nothing where it is true, false and true again within a
    /// moment, so only who enrolls a first finger from elsewhere goes by it.
    public var watchesProperty = false
    /// How often a finger was wanted.
    public private(set) var wanted = 0
    /// Done instead, where it is set.
    public var onWanted: (() -> Void)?

    private var commands: [String] = []
    private var watch: Watch?
    private let bus: Bus
    private let reader: String
    private var subscriptions: [BusSubscription] = []

    public init(_ stage: FingerStage) throws {
        bus = try Bus(address: stage.bus)
        reader = stage.reader
        subscriptions.append(
            bus.listen(BusRule("org.freedesktop.DBus.Properties", "PropertiesChanged")) { [weak self] signal in
                guard let self, self.watchesProperty, signal.values.count == 3 else { return }
                if signal.values[1]["finger-needed"]?.flag == true { self.want() }
            })
        // A verification begins; and fprintd goes on by itself.
        subscriptions.append(
            bus.listen(BusRule("net.reactivated.Fprint.Device", "VerifyFingerSelected")) { [weak self] _ in self?.want() })
        for member in ["VerifyStatus", "EnrollStatus"] {
            subscriptions.append(
                bus.listen(BusRule("net.reactivated.Fprint.Device", member)) { [weak self] signal in
                    if signal.values.count == 2, signal.values[1].flag == false { self?.want() }
                })
        }
    }

    /// Waits a moment, for a test that looks what became of what was shown.
    public func isTaken() async { await withCheckedContinuation { done in _ = EventLoop.shared.after(0.02) { done.resume() } } }

    /// Waits until it hears everything from now on.
    public func isReady() async throws {
        _ = try await bus.call(BusCall(Bus.driver, "/org/freedesktop/DBus", Bus.driver, "GetId"), within: 30)
    }

    /// The reader wants a finger: heard of, or, where an enrolment begins, told by who began it.
    public func want() {
        wanted += 1
        if let onWanted { return onWanted() }
        if let next = script.isEmpty ? habit : script.removeFirst() { show(next) }
    }

    /// Tells the reader, once it has taken what it was told before: a second connection would end the first.
    public func show(_ command: String) {
        commands.append(command)
        if watch == nil { tellNext() }
    }

    private func tellNext() {
        while !commands.isEmpty {
            let bytes = Array(commands.removeFirst().utf8)
            // A reader that isn't open hears nothing.
            guard case .success(let fd) = UnixSocket.connect(to: reader) else { continue }
            guard bytes.withUnsafeBytes({ send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == bytes.count else {
                close(fd)
                continue
            }
            watch = Watch(fd, .readable) { [weak self] _ in
                // It closes what it has taken.
                self?.watch?.remove()
                self?.watch = nil
                close(fd)
                self?.tellNext()
            }
            return
        }
    }
}

/// What was heard, one after the other, for a test that waits for it.
@OnLoop public final class Heard<Value: Sendable> {
    private var values: [Value] = []
    private var waiter: CheckedContinuation<Value, Never>?

    public init() {}

    public func put(_ value: Value) {
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: value)
        } else {
            values.append(value)
        }
    }

    public func next() async -> Value {
        await withCheckedContinuation { waiter in
            if values.isEmpty { self.waiter = waiter } else { waiter.resume(returning: values.removeFirst()) }
        }
    }

    /// What was heard and not asked for yet.
    public var unheard: Int { values.count }
}
