import ThumbBus
public import ThumbLoop

/// What logind knows about the machine and one user's session: sleep, the lid, the lock.
///
/// The machine's sleep waits, as long as logind allows, until everything that has to happen first is done.
@OnLoop public final class Logind: MachineWatch {
    private static let service = "org.freedesktop.login1"
    private static let managerPath = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// If logind was too busy to answer, it is asked again after this many seconds: at first, and at most.
    private static let (firstPause, longestPause) = (1.0, 60.0)

    private let address: String
    private let ownerUser: UInt32
    private let uid: UInt32
    private let patience: Double
    private var bus: Bus?
    private var owner: BusOwner?
    private var subscriptions: [BusSubscription] = []
    private var sessionPath: String?

    public var onSleep: (_ isAsleep: Bool, _ done: @escaping () -> Void) -> Void = { $1() }
    public var onLid: (_ isClosed: Bool) -> Void = { _ in }
    public var onLock: (_ isLocked: Bool) -> Void = { _ in }
    public var onFront: (_ isInFront: Bool) -> Void = { _ in }
    /// The machine was told to sleep, and not yet that it woke.
    private var isAsleep = false
    /// While this is held, logind lets the machine's sleep wait.
    private var inhibitor: BusDescriptor?
    /// How often a signal told each property.
    private var signals: [String: Int] = [:]

    /// - Parameters:
    ///   - ownerUser: the user that logind must run as.
    ///   - uid: the user whose session it watches.
    ///   - patience: how many seconds logind may take to answer, unless it is very busy.
    public init(bus address: String, ownerUser: UInt32 = 0, uid: UInt32, patience: Double = 5) {
        self.address = address
        self.ownerUser = ownerUser
        self.uid = uid
        self.patience = patience
    }

    /// Begins to watch, and reports the present state through the same closures. Without logind nothing is ever reported. If logind is too
    /// busy to answer, or the bus can't be reached, that is tried again, but nobody has to wait for it.
    public func start(_ then: @escaping () -> Void) {
        do throws(BusError) {
            try watch(then)
        } catch {
            // Without a bus nothing can be known about a lid or a session yet.
            then()
            watchAgain()
        }
    }

    /// Asks logind a question and calls back. If logind is too busy to answer, it is asked again after a while. A refusal counts as an
    /// answer, and so does its absence.
    private func askPatiently(
        _ question: @escaping () async throws(BusError) -> Void, after pause: Double = firstPause,
        _ then: @escaping () -> Void = {}
    ) {
        EventLoop.shared.spawn { [weak self] in
            var isBusy = false
            do throws(BusError) { try await question() } catch { isBusy = error.code == .timedOut }
            then()
            guard isBusy, self != nil else { return }
            _ = EventLoop.shared.after(pause) { self?.askPatiently(question, after: min(pause * 2, Self.longestPause)) }
        }
    }

    private func watch(_ then: @escaping () -> Void = {}) throws(BusError) {
        let bus = try Bus(address: address)
        let owner = BusOwner(bus, Self.service, expectedUser: ownerUser)
        self.bus = bus
        self.owner = owner
        subscriptions = [
            bus.listen(BusRule(Self.manager, "PrepareForSleep", from: Self.service)) { [weak self] signal in
                guard let self, self.isGenuine(signal), let isAsleep = signal.values.first?.flag else { return }
                self.slept(isAsleep)
            },
            bus.listen(BusRule(Self.properties, "PropertiesChanged", from: Self.service)) { [weak self] signal in
                self?.changed(signal)
            },
        ]
        bus.onDisconnect = { [weak self] in self?.watchAgain() }
        // logind was restarted, as in an upgrade: find it and ask it again.
        owner.onArrival = { [weak self] in
            self?.askPatiently { [weak self] () async throws(BusError) in try await self?.look() }
        }
        askPatiently({ [weak self] () async throws(BusError) in try await self?.look() }, then)
    }

    /// There is no bus now. Until there is one, what was known last is all that is known.
    private func watchAgain(after pause: Double = firstPause) {
        inhibitor = nil
        _ = EventLoop.shared.after(pause) { [weak self] in
            do throws(BusError) { try self?.watch() } catch { self?.watchAgain(after: min(pause * 2, Self.longestPause)) }
        }
    }

    private func slept(_ isAsleep: Bool) {
        self.isAsleep = isAsleep
        onSleep(isAsleep) { [weak self] in
            guard let self else { return }
            self.inhibitor = nil
            guard !isAsleep else { return }
            self.askPatiently { [weak self] () async throws(BusError) in try await self?.inhibit() }
        }
    }

    /// Makes the machine's next sleep wait.
    private func inhibit() async throws(BusError) {
        let words = ["sleep", "Thumbturn", "Prompts and what was shown are forgotten", "delay"].map { BusValue.string($0) }
        do throws(BusError) {
            guard case .descriptor(let lock) = try await ask(Self.managerPath, Self.manager, "Inhibit", words).first else {
                return
            }
            inhibitor = lock
        } catch {
            // If logind refuses, the machine sleeps without waiting, and we do as soon as possible what the sleep requires.
            if error.code != .refused { throw error }
        }
    }

    /// Asks for the present state.
    private func look() async throws(BusError) {
        try await inhibit()
        // The signal for this is lost where the bus was.
        if isAsleep, try await property(Self.managerPath, Self.manager, "PreparingForSleep")?.flag == false { slept(false) }
        if let isClosed = try await present(Self.managerPath, Self.manager, "LidClosed") { onLid(isClosed) }
        try await lookForSession()
    }

    private func lookForSession() async throws(BusError) {
        sessionPath = try await findSession()
        guard let sessionPath else { return }
        if let isLocked = try await present(sessionPath, Self.session, "LockedHint") { onLock(isLocked) }
        if let isInFront = try await present(sessionPath, Self.session, "Active") { onFront(isInFront) }
    }

    /// The user's graphical session: that is the one that gets locked and unlocked.
    private func findSession() async throws(BusError) -> String? {
        let user: BusValue?
        do {
            user = try await ask(Self.managerPath, Self.manager, "GetUser", [.uint32(uid)]).first
        } catch  where error.code == .refused {
            return nil
        }
        guard let path = user?.text else { return nil }
        let display = try await property(path, "org.freedesktop.login1.User", "Display")?.list
        guard let display, display.count == 2, let session = display[1].text, session != "/" else { return nil }
        return session
    }

    /// A property's present value; nil if a signal told it meanwhile. The signal may be the newer one, and be heard first: what waits for an
    /// answer goes on after all signals that came with it.
    private func present(_ path: String, _ interface: String, _ name: String) async throws(BusError) -> Bool? {
        let before = signals[name]
        let value = try await property(path, interface, name)?.flag
        return signals[name] == before ? value : nil
    }

    private func property(_ path: String, _ interface: String, _ name: String) async throws(BusError) -> BusValue? {
        do {
            return try await ask(path, Self.properties, "Get", [.string(interface), .string(name)]).first
        } catch  where error.code == .refused {
            return nil
        }
    }

    private func ask(
        _ path: String, _ interface: String, _ member: String, _ values: [BusValue]
    ) async throws(BusError) -> [BusValue] {
        guard let bus, let owner else { throw BusError(.disconnected) }
        let connection = try await owner.find(within: patience)
        return try await bus.call(BusCall(connection, path, interface, member, values), within: patience).values
    }

    private func isGenuine(_ signal: BusMessage) -> Bool { owner?.connection != nil && signal.sender == owner?.connection }

    private func changed(_ signal: BusMessage) {
        guard isGenuine(signal), signal.values.count == 3, let interface = signal.values[0].text else { return }
        if signal.path == Self.managerPath, interface == Self.manager, let isClosed = told("LidClosed", in: signal) {
            onLid(isClosed)
        }
        guard interface == Self.session, ["LockedHint", "Active"].contains(where: { signal.values[1][$0] != nil }) else { return }
        if signal.path == sessionPath {
            if let isInFront = told("Active", in: signal) { onFront(isInFront) }
            if let isLocked = told("LockedHint", in: signal) { onLock(isLocked) }
            return
        }
        // The session is another user's, or one that the user has begun since.
        askPatiently { [weak self] () async throws(BusError) in
            guard let self, let present = try await self.findSession(), present != self.sessionPath else { return }
            try await self.lookForSession()
        }
    }

    /// A property's new value, if the signal has one.
    private func told(_ name: String, in signal: BusMessage) -> Bool? {
        guard let value = signal.values[1][name]?.flag else { return nil }
        signals[name, default: 0] += 1
        return value
    }
}
