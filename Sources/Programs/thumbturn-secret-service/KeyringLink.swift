import CThumbLinux
import ThumbBus
import ThumbLoop

/// A provider of the Secret Service, and a session with it. Calls go to the connection that was found, never to a name: another provider in
/// its place wouldn't know our session.
@OnLoop final class KeyringLink {
    static let service = "org.freedesktop.secrets"
    static let root = "/org/freedesktop/secrets"
    static let interface = "org.freedesktop.Secret."
    static let properties = "org.freedesktop.DBus.Properties"
    /// This collection disappears at logout, so it isn't moved.
    static let sessionCollection = root + "/collection/session"
    /// How many seconds a call may take. The first call reads a large keyring from disk.
    private static let patience = 60.0
    /// How many seconds somebody has to answer a question of a provider's.
    private static let promptPatience = 180.0

    private let bus: Bus
    private let owner: BusOwner
    /// The provider's connection.
    private(set) var connection = ""
    /// The session's path.
    private(set) var session = ""

    /// - Parameter name: the name under which the provider answers.
    init(_ bus: Bus, _ name: String) {
        self.bus = bus
        owner = BusOwner(bus, name, expectedUser: getuid())
    }

    /// Finds the provider, which the bus starts if it can.
    func find() async throws(BusError) { connection = try await owner.find(within: Self.patience) }

    /// Begins a session in which secrets aren't encrypted. docs/users/moving-in.md says why that is enough.
    func openSession() async throws(BusError) {
        let words: [BusValue] = [.string("plain"), .variant(.string(""))]
        session = try await ask(Self.root, "Service", "OpenSession", words).last?.text ?? ""
    }

    /// Calls a method of one of the Secret Service's interfaces.
    func ask(
        _ path: String, _ interface: String, _ member: String, _ values: [BusValue], as signature: BusSignature? = nil
    ) async throws(BusError) -> [BusValue] {
        try await call(path, Self.interface + interface, member, values, as: signature)
    }

    func property(_ path: String, _ interface: String, _ name: String) async throws(BusError) -> BusValue? {
        try await call(path, Self.properties, "Get", [.string(Self.interface + interface), .string(name)]).first
    }

    /// All properties of an object.
    func facts(_ path: String, _ interface: String) async throws(BusError) -> BusValue {
        guard let all = try await call(path, Self.properties, "GetAll", [.string(Self.interface + interface)]).first else {
            throw BusError(.malformed)
        }
        return all
    }

    func paths(_ path: String, _ interface: String, _ name: String) async throws(BusError) -> [String] {
        try await property(path, interface, name)?.list?.compactMap(\.text) ?? []
    }

    /// Has the provider ask whatever it has to ask. Returns the result; nil if it was dismissed, or nobody answered.
    func answer(_ prompt: String) async throws(BusError) -> BusValue? {
        let asked = PromptAnswer()
        let rule = BusRule(Self.interface + "Prompt", "Completed", path: prompt, from: connection)
        let subscription = bus.listen(rule) { [connection] signal in
            if signal.sender == connection { asked.take(signal.values) }
        }
        defer { subscription.cancel() }
        _ = try await ask(prompt, "Prompt", "Prompt", [.string("")])
        return await asked.wait(within: Self.promptPatience)
    }

    /// Whether those objects are unlocked now. It asks, if somebody has to be asked.
    func unlock(_ paths: [String]) async throws(BusError) -> Bool {
        let answer = try await ask(Self.root, "Service", "Unlock", [.array(paths.map { .path($0) })])
        guard answer.count == 2, let open = answer[0].list, let prompt = answer[1].text else { throw BusError(.malformed) }
        if prompt == "/" { return open.count == paths.count }
        return try await self.answer(prompt)?.list?.count ?? 0 > 0
    }

    private func call(
        _ path: String, _ interface: String, _ member: String, _ values: [BusValue], as signature: BusSignature? = nil
    ) async throws(BusError) -> [BusValue] {
        guard owner.connection == connection else { throw BusError(.disconnected) }
        return try await bus.call(BusCall(connection, path, interface, member, values, as: signature), within: Self.patience)
            .values
    }
}

/// What came of a question: the first word counts.
@OnLoop private final class PromptAnswer {
    private var isThere = false
    private var result: BusValue?
    private var waiting: CheckedContinuation<BusValue?, Never>?

    func take(_ values: [BusValue]) {
        // Dismissed or not, and the result.
        settle(values.count == 2 && values[0].flag == false ? values[1] : nil)
    }

    func wait(within seconds: Double) async -> BusValue? {
        if isThere { return result }
        let timer = EventLoop.shared.after(seconds) { [weak self] in self?.settle(nil) }
        defer { timer.cancel() }
        return await withCheckedContinuation { waiting = $0 }
    }

    private func settle(_ value: BusValue?) {
        guard !isThere else { return }
        isThere = true
        result = value
        waiting?.resume(returning: value)
        waiting = nil
    }
}
