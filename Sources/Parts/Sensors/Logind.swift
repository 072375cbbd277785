import ThumbBus
public import ThumbLoop

/// What logind knows of the machine and of one user's session: sleep, the lid, the lock.
@OnLoop public final class Logind {
    private static let service = "org.freedesktop.login1"
    private static let managerPath = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let patience = 5.0

    private let address: String
    private let ownerUser: UInt32
    private let uid: UInt32
    private var bus: Bus?
    private var owner: BusOwner?
    private var subscriptions: [BusSubscription] = []
    private var sessionPath: String?

    /// Called with true before the machine sleeps, with false when it is awake again.
    public var onSleep: (Bool) -> Void = { _ in }
    public var onLid: (_ isClosed: Bool) -> Void = { _ in }
    public var onLock: (_ isLocked: Bool) -> Void = { _ in }

    /// - Parameters:
    ///   - ownerUser: who logind must run as.
    ///   - uid: whose session.
    public init(bus address: String, ownerUser: UInt32 = 0, uid: UInt32) {
        self.address = address
        self.ownerUser = ownerUser
        self.uid = uid
    }

    /// Begins to watch, and reports the present state through the same closures. Without logind nothing is ever reported.
    public func start(_ then: @escaping () -> Void = {}) {
        if bus?.isConnected == true { return then() }
        EventLoop.shared.spawn { [self] in
            // Without logind there is neither a lid nor a session to know of.
            try? await watch()
            then()
        }
    }

    private func watch() async throws(BusError) {
        let bus = try Bus(address: address)
        let owner = BusOwner(bus, Self.service, expectedUser: ownerUser)
        self.bus = bus
        self.owner = owner
        subscriptions = [
            bus.listen(BusRule(Self.manager, "PrepareForSleep", from: Self.service)) { [weak self] signal in
                guard let self, self.isGenuine(signal), let isAsleep = signal.values.first?.flag else { return }
                self.onSleep(isAsleep)
            },
            bus.listen(BusRule(Self.properties, "PropertiesChanged", from: Self.service)) { [weak self] signal in
                self?.changed(signal)
            },
        ]
        // It was restarted, as in an upgrade: find it and ask it again.
        owner.onArrival = { [weak self] in
            EventLoop.shared.spawn { try? await self?.look() }
        }
        try await look()
    }

    /// Asks for what stands.
    private func look() async throws(BusError) {
        if let isClosed = try await property(Self.managerPath, Self.manager, "LidClosed")?.flag { onLid(isClosed) }
        try await lookForSession()
    }

    private func lookForSession() async throws(BusError) {
        sessionPath = try await findSession()
        if let sessionPath, let isLocked = try await property(sessionPath, Self.session, "LockedHint")?.flag {
            onLock(isLocked)
        }
    }

    /// The user's graphical session, which is the one that is locked and unlocked.
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
        let connection = try await owner.find(within: Self.patience)
        return try await bus.call(BusCall(connection, path, interface, member, values), within: Self.patience).values
    }

    private func isGenuine(_ signal: BusMessage) -> Bool { owner?.connection != nil && signal.sender == owner?.connection }

    private func changed(_ signal: BusMessage) {
        guard isGenuine(signal), signal.values.count == 3, let interface = signal.values[0].text else { return }
        if signal.path == Self.managerPath, interface == Self.manager, let isClosed = signal.values[1]["LidClosed"]?.flag {
            onLid(isClosed)
        }
        guard interface == Self.session, let isLocked = signal.values[1]["LockedHint"]?.flag else { return }
        if signal.path == sessionPath { return onLock(isLocked) }
        // Another user's session, or one that the user has begun since.
        EventLoop.shared.spawn { [weak self] in
            guard let self, let present = try? await self.findSession(), present != self.sessionPath else { return }
            try? await self.lookForSession()
        }
    }
}
