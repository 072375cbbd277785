public import ThumbLoop

/// Finds the owner of a well-known name, and checks that it is the right one. Calls go to the connection that was found and checked, never
/// to the name. A name can change hands between a question and its answer; a connection's own name never does.
@OnLoop public final class BusOwner {
    private let bus: Bus
    public let name: String
    private let expectedUsers: Set<UInt32>
    /// The connection that owns the name and runs as an expected user.
    public private(set) var connection: String?
    /// Called when that connection is gone, or was replaced.
    public var onLoss: (() -> Void)?
    /// Called when the name gets a new owner. `find` tells whether it is the right one.
    public var onArrival: (() -> Void)?
    private var subscription: BusSubscription?
    /// How often the name has changed hands.
    private var changes = 0
    /// How often the owner is looked for anew because the name changed hands meanwhile.
    private static let looks = 5

    public convenience init(_ bus: Bus, _ name: String, expectedUser: UInt32) {
        self.init(bus, name, expectedUsers: [expectedUser])
    }

    public init(_ bus: Bus, _ name: String, expectedUsers: Set<UInt32>) {
        self.bus = bus
        self.name = name
        self.expectedUsers = expectedUsers
        subscription = bus.listen(
            BusRule(Bus.driver, "NameOwnerChanged", path: "/org/freedesktop/DBus", first: name, from: Bus.driver)
        ) { [weak self] signal in self?.changed(signal) }
    }

    /// The owner's connection. The bus starts it if necessary.
    ///
    /// Fails if there is none, and if it runs as somebody else.
    public func find(within seconds: Double) async throws(BusError) -> String {
        for _ in 0..<Self.looks {
            if let connection { return connection }
            let before = changes
            let found = try await look(seconds)
            // What changed while this waited was told before it goes on here. Nobody would tell that owner's end a second time.
            if changes == before {
                connection = found
                return found
            }
        }
        throw BusError(.noOwner)
    }

    private func look(_ seconds: Double) async throws(BusError) -> String {
        let found: String
        do {
            found = try await ask("GetNameOwner", [.string(name)], seconds).text ?? ""
        } catch  where error.code == .noOwner {
            _ = try await ask("StartServiceByName", [.string(name), .uint32(0)], seconds)
            found = try await ask("GetNameOwner", [.string(name)], seconds).text ?? ""
        }
        guard found.hasPrefix(":") else { throw BusError(.malformed) }
        let user = try await ask("GetConnectionUnixUser", [.string(found)], seconds).number
        guard let user, expectedUsers.contains(where: { Int64($0) == user }) else { throw BusError(.wrongOwner) }
        return found
    }

    private func ask(_ member: String, _ values: [BusValue], _ seconds: Double) async throws(BusError) -> BusValue {
        let reply = try await bus.call(
            BusCall(Bus.driver, "/org/freedesktop/DBus", Bus.driver, member, values), within: seconds)
        guard reply.sender == Bus.driver, let value = reply.values.first else { throw BusError(.malformed) }
        return value
    }

    private func changed(_ signal: BusMessage) {
        guard signal.sender == Bus.driver, signal.values.count == 3, let old = signal.values[1].text,
            let new = signal.values[2].text, old != new
        else { return }
        changes += 1
        if connection != nil, new != connection {
            connection = nil
            onLoss?()
        }
        if !new.isEmpty, new != connection { onArrival?() }
    }
}
