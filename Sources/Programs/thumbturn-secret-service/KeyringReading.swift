import CThumbLinux
import ThumbBus
import ThumbLoop

/// Goes through everything in a Secret Service, item by item.
@OnLoop final class KeyringReading {
    enum Failure: UInt8, Error { case noBus = 1, noService, stopped }

    private static let service = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    private static let interface = "org.freedesktop.Secret."
    private static let properties = "org.freedesktop.DBus.Properties"
    /// How many seconds a call may take. The first call reads a large keyring from disk.
    private static let patience = 60.0
    /// How many values a message may have. A collection lists the paths of all its items at once.
    private static let valueLimit = 200_000
    /// This collection disappears at logout, so it isn't moved.
    private static let sessionCollection = root + "/collection/session"

    private let wantsSecrets: Bool
    private let records: RecordWriter
    private let bus: Bus
    private let owner: BusOwner
    /// The connection of the provider that we talk to. Another provider in its place wouldn't know our session.
    private var connection = ""
    private var session = ""

    init(wantsSecrets: Bool, _ records: RecordWriter) throws(Failure) {
        self.wantsSecrets = wantsSecrets
        self.records = records
        guard let address = Self.address else { throw .noBus }
        do throws(BusError) {
            bus = try Bus(address: address, valueLimit: Self.valueLimit)
        } catch {
            throw .noBus
        }
        owner = BusOwner(bus, Self.service, expectedUser: getuid())
    }

    /// The session bus: the one that the environment names, else the one where systemd has it. It must be a Unix socket, because an address
    /// may also name a program to start.
    private static var address: String? {
        func variable(_ name: String) -> String? {
            guard let value = unsafe getenv(name) else { return nil }
            return unsafe String(cString: value)
        }
        if let named = variable("DBUS_SESSION_BUS_ADDRESS"), !named.isEmpty {
            return named.split(separator: ";").map(String.init).first { $0.hasPrefix("unix:") }
        }
        return variable("XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
    }

    func run() async throws(Failure) {
        do throws(BusError) {
            connection = try await owner.find(within: Self.patience)
        } catch {
            throw error.code == .disconnected ? .noBus : .noService
        }
        do throws(BusError) {
            session =
                try await ask(Self.root, Self.interface + "Service", "OpenSession", [.string("plain"), .variant(.string(""))])
                .last?.text ?? ""
            let items = try await items()
            records.total(items.count)
            for item in items { try await read(item) }
        } catch {
            throw .stopped
        }
    }

    private struct Place {
        let path: String
        /// The collection's name, for an item without a label.
        let collection: String
        let isLasting: Bool
    }

    /// The places of all items, each once, collection by collection.
    private func items() async throws(BusError) -> [Place] {
        var found: [Place] = []
        var known: Set<String> = []
        for collection in try await list(Self.root, "Service", "Collections") {
            try await unlock(collection)
            let label = try await property(collection, "Collection", "Label")?.text ?? ""
            for path in try await list(collection, "Collection", "Items") where known.insert(path).inserted {
                found.append(Place(path: path, collection: label, isLasting: collection != Self.sessionCollection))
            }
        }
        return found
    }

    /// Unlocks a collection without a password. If somebody would have to be asked, it stays locked.
    private func unlock(_ collection: String) async throws(BusError) {
        do throws(BusError) {
            _ = try await ask(Self.root, Self.interface + "Service", "Unlock", [.array([.path(collection)])])
        } catch {
            guard error.code == .refused || error.code == .timedOut else { throw error }
        }
    }

    private func property(_ path: String, _ interface: String, _ name: String) async throws(BusError) -> BusValue? {
        let words: [BusValue] = [.string(Self.interface + interface), .string(name)]
        return try await ask(path, Self.properties, "Get", words).first
    }

    private func list(_ path: String, _ interface: String, _ name: String) async throws(BusError) -> [String] {
        try await property(path, interface, name)?.list?.compactMap(\.text) ?? []
    }

    /// Writes a record for one item. Only a missing service ends the walk.
    private func read(_ place: Place) async throws(BusError) {
        let item: BusValue
        do throws(BusError) {
            let words: [BusValue] = [.string(Self.interface + "Item")]
            guard let all = try await ask(place.path, Self.properties, "GetAll", words).first else { throw BusError(.malformed) }
            item = all
        } catch {
            return try leave(place.collection, error)
        }
        let label = item["Label"]?.text ?? ""
        // A locked item may not even tell its label.
        let shown = label.isEmpty ? place.collection : label
        if !place.isLasting { return records.left(shown, .untilLogout) }
        if item["Locked"]?.flag != false { return records.left(shown, .locked) }
        var attributes: [(name: String, value: String)] = []
        for case .entry(let pair) in item["Attributes"]?.list ?? [] where pair.count == 2 {
            guard let name = pair[0].text, let value = pair[1].text else { continue }
            attributes.append((name, value))
        }
        attributes.sort { $0.name < $1.name }
        guard wantsSecrets else { return records.item(label, attributes, []) }
        do throws(BusError) {
            let secret = try await ask(place.path, Self.interface + "Item", "GetSecret", [.path(session)]).first?.list
            // The fields are the session, its parameters, the secret and its content type.
            guard let secret, secret.count == 4, case .bytes(let bytes) = secret[2] else { throw BusError(.malformed) }
            records.item(label, attributes, bytes)
        } catch {
            try leave(shown, error)
        }
    }

    private func leave(_ label: String, _ error: BusError) throws(BusError) {
        switch error.code {
        case .disconnected, .noOwner, .wrongOwner, .timedOut, .cancelled: throw error
        case .malformed: records.left(label, .tooLarge)
        case .refused, .failed, .noRoom:
            records.left(label, error.name == "org.freedesktop.Secret.Error.IsLocked" ? .locked : .notReadable)
        }
    }

    private func ask(
        _ path: String, _ interface: String, _ member: String, _ values: [BusValue]
    ) async throws(BusError) -> [BusValue] {
        guard owner.connection == connection else { throw BusError(.disconnected) }
        return try await bus.call(BusCall(connection, path, interface, member, values), within: Self.patience).values
    }
}
