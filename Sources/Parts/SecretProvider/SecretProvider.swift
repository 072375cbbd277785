public import ThumbAccess
public import ThumbBus
public import ThumbLoop
import ThumbProtectedPrograms
import ThumbSecretService
import ThumbSecrets

/// The Secret Service on a bus: its objects, over the daemon.
@OnLoop public final class SecretProvider {
    /// The name under which programs look for it.
    public nonisolated static let name = "org.freedesktop.secrets"
    /// A name that nobody else has. Under it the provider answers while the desktop's old keyring still has the other one.
    public nonisolated static let ownName = "org.freedesktop.impl.portal.desktop.thumbturn"
    /// How many values a message may have: a client may name every object.
    public nonisolated static let valueLimit = SecretServiceLimit.objects + 64
    /// How many bytes a call may have: as many paths of items as may be named, with room for a collection's name of some length.
    public nonisolated static let argumentBytes = 8 << 20

    let bus: Bus
    let door = DaemonDoor()
    let changes = WorkLine(limit: 1)
    /// Questions that aren't about items.
    let evaluations = OwnersLine()
    let memory = MemoryItems()
    private let log: (String) -> Void
    private let protected: ProtectedRegistry

    var catalog = Catalog()
    /// Whether the catalog is what the daemon has.
    var isLoaded = false
    /// How many daemons have been lost. What one of them said last isn't what the next one has.
    private var daemons = 0
    var sessions = SessionBook<SessionCipher>()
    var prompts = PromptStates()
    var pickUps = PickUps()
    var refusals = Refusals()
    /// Clients that unlock what they want to read, so that no call of theirs has to wait for the owner.
    var unlockers: Set<String> = []
    /// What each prompt does once it is shown, and how it is taken back.
    var plans: [UInt64: PromptPlan] = [:]
    private var pickUpTimer: LoopTimer?
    private var objects: ServiceObjects?
    private(set) lazy var clients = Clients(bus, protected) { [weak self] in self?.left($0) }
    private(set) lazy var questions = Questions { [weak self] in self?.catalog[$0]?.reference }
    private lazy var portal = SecretPortal(self)
    /// Called whenever there may be nothing left to stay for.
    public var onQuiet: (() -> Void)?

    /// A provider on that bus. It answers once it has begun.
    ///
    /// - Parameters:
    ///   - protected: where the registry of protected programs is.
    ///   - log: gets what an administrator should know. It has nothing that a client chose.
    public init(_ bus: Bus, protected: String = ProtectedPrograms.path, log: @escaping (String) -> Void) {
        self.bus = bus
        self.log = log
        self.protected = ProtectedRegistry(path: protected, log: log)
    }

    /// Exports the objects, and reads what the daemon has.
    public func begin() async {
        let objects = ServiceObjects(self, others: [SecretPortal.path: [portal.interface]]) { [weak self] path in
            guard let portal = self?.portal, portal.hasRequest(at: path) else { return nil }
            return [portal.request]
        }
        self.objects = objects
        // From the first call on it is heard when a caller leaves.
        _ = clients
        bus.export(objects)
        door.watch { [weak self] in
            guard let self else { return }
            isLoaded = false
            daemons += 1
        }
        await loadIfPossible()
    }

    /// Whether somebody waits for something or has a session, or something is known in memory only: an item, or that a client has locked
    /// something.
    public var isNeeded: Bool {
        sessions.count > 0 || !memory.isEmpty || !prompts.numbers.isEmpty || bus.callsUnderWay > 0 || catalog.isAnythingLocked
    }

    // MARK: What the daemon has

    /// As `loadIfNeeded`, for calls that have an answer without the daemon. They answer from what was read before, and the next call
    /// tries again.
    func loadIfPossible() async {
        // Whoever needs the daemon for its answer hears of the failure from that.
        try? await loadIfNeeded()
    }

    /// Reads the catalog anew if the daemon may be another one. Fails as locked if it says nothing before the owner has opened the store.
    func loadIfNeeded() async throws(ServiceFailure) {
        if isLoaded { return }
        try await changes.run { () throws(ServiceFailure) in
            if isLoaded { return }
            let before = daemons
            let found = try await door.load()
            take(found)
            isLoaded = daemons == before
        }
    }

    private func take(_ found: [FoundItem]) {
        var fresh = Catalog()
        for content in found.map(KeptForm.read) { if case .collection(let collection)? = content { fresh.put(collection) } }
        for (item, content) in zip(found, found.map(KeptForm.read)) {
            switch content {
            case .item(let item): fresh.put(item)
            case .collection: break
            case nil:
                log("a kept item has another form than this version reads, and is left out: \(Self.number(item.persistentRef))")
            }
        }
        fresh.takeOver(catalog)
        catalog = fresh
    }

    /// The number under which the daemon has an item, in hexadecimal digits.
    private static func number(_ reference: [UInt8]) -> String {
        reference.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: Clients come and go

    private func left(_ client: String) {
        sessions.leave(client)
        pickUps.leave(client)
        refusals.leave(client)
        unlockers.remove(client)
        for number in prompts.leave(client) { plans.removeValue(forKey: number)?.withdraw() }
        onQuiet?()
    }

    /// Leaves a secret for a client to fetch once.
    func leave(_ secret: SecretBytes, of place: ItemPlace, for client: String) {
        guard clients.has(client) else { return }
        pickUps.leave(secret, of: place, for: client, at: EventLoop.now)
        expirePickUps()
    }

    private func expirePickUps() {
        pickUpTimer?.cancel()
        pickUpTimer = pickUps.expire(at: EventLoop.now).map { next in
            EventLoop.shared.after(max(0, next - EventLoop.now)) { [weak self] in self?.expirePickUps() }
        }
    }

    // MARK: Signals

    /// Emits a signal. A bus that takes none is gone, and ends the program.
    func emit(_ signal: String, of interface: BusInterface, at path: SecretPath, _ values: [BusValue]) {
        do throws(BusError) {
            try bus.emit(signal, of: interface, at: path.text, values)
        } catch {
            if bus.isConnected { log("a signal can't be sent") }
        }
    }

    /// Tells the values that properties have now.
    func tell(_ values: [String: BusValue], of interface: BusInterface, at path: SecretPath) {
        do throws(BusError) {
            try bus.tell(changed: values, of: interface, at: path.text)
        } catch {
            if bus.isConnected { log("a signal can't be sent") }
        }
    }

    // Items and Collections are never told by `PropertiesChanged`. libsecret 0.20 and 0.21 end the program that uses them at the next of these
    // signals, if the list was said to be invalid; and to say the list with each item costs as much as there are items.

    func itemCreated(_ place: ItemPlace) {
        let collection = SecretPath.collection(place.collection)
        emit("ItemCreated", of: interfaces.collection, at: collection, [.path(SecretPath.item(place).text)])
    }

    func itemDeleted(_ place: ItemPlace) {
        let collection = SecretPath.collection(place.collection)
        emit("ItemDeleted", of: interfaces.collection, at: collection, [.path(SecretPath.item(place).text)])
    }

    func itemChanged(_ place: ItemPlace) {
        emit(
            "ItemChanged", of: interfaces.collection, at: .collection(place.collection), [.path(SecretPath.item(place).text)])
    }

    /// Tells that a client has locked a collection, or that the owner has opened it. Both are so for every program. Whether an item is locked
    /// isn't, so that is never told.
    func tellLock(of name: CollectionName, _ isLocked: Bool) {
        tell(["Locked": .bool(isLocked)], of: interfaces.collection, at: .collection(name))
    }

    func collectionChanged(_ name: CollectionName) {
        emit("CollectionChanged", of: interfaces.service, at: .service, [.path(SecretPath.collection(name).text)])
    }

    /// The interfaces of all objects.
    private(set) lazy var interfaces = ServiceInterfaces(self)
}
