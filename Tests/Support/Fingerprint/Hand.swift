import CThumbLinux
import ThumbBus
import ThumbLoop

/// A hand at the virtual reader: each time the reader wants a finger it does the next thing of its script, and when that is at an
/// end it stays away, which a reader may wait for.
@OnLoop public final class Hand {
    /// The reader's own words: `SCAN finger`, `RETRY n`, `ERROR n`, `UNPLUG`.
    public var script: [String] = []
    /// What is done each time once the script is at an end.
    public var habit: String? = "SLEEP 60000"
    /// How often a finger was wanted.
    public private(set) var wanted = 0
    /// Done instead, where it is set.
    public var onWanted: (() -> Void)?

    private let bus: Bus
    private let reader: String
    private var subscription: BusSubscription?

    public init(_ stage: FingerStage) throws {
        bus = try Bus(address: stage.bus)
        reader = stage.reader
        subscription = bus.listen(BusRule("org.freedesktop.DBus.Properties", "PropertiesChanged")) { [weak self] signal in
            guard signal.values.count == 3, signal.values[1]["finger-needed"]?.flag == true else { return }
            self?.fingerIsWanted()
        }
    }

    private func fingerIsWanted() {
        wanted += 1
        if let onWanted { return onWanted() }
        if let next = script.isEmpty ? habit : script.removeFirst() { show(next) }
    }

    /// Tells the reader at once; false where it isn't open.
    @discardableResult
    public func show(_ command: String) -> Bool {
        guard case .success(let fd) = UnixSocket.connect(to: reader) else { return false }
        defer { close(fd) }
        let bytes = Array(command.utf8)
        return bytes.withUnsafeBytes { send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
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
        if !values.isEmpty { return values.removeFirst() }
        return await withCheckedContinuation { waiter = $0 }
    }

    /// What was heard and not asked for yet.
    public var unheard: Int { values.count }
}
