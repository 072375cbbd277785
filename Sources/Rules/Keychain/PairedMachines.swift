public import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

/// A machine that was paired, and this side's keys for it.
public struct PairedMachine: Sendable, Hashable {
    /// The row's name.
    public var id: [UInt8]
    /// Which side this machine is.
    public var side: PairingSide
    /// The other machine's name here.
    public var name: String
    /// Where its carrier is; empty if it comes to us.
    public var place: String
    /// The other side's link key, public.
    public var otherLink: [UInt8]
    /// The companion's yes key, public; empty on the companion itself.
    public var otherYes: [UInt8]
    /// This side's link key, sealed. Only this store opens it.
    public var link: [UInt8]
    /// This side's yes key, sealed; empty on the asking machine.
    public var yes: [UInt8]
    /// When it was paired, in seconds since the reference date.
    public var date: Double

    public init(
        id: [UInt8], side: PairingSide, name: String, place: String, otherLink: [UInt8], otherYes: [UInt8], link: [UInt8],
        yes: [UInt8], date: Double
    ) {
        (self.id, self.side, self.name, self.place) = (id, side, name, place)
        (self.otherLink, self.otherYes, self.link, self.yes, self.date) = (otherLink, otherYes, link, yes, date)
    }
}

/// The pairings: which there are, and this side's keys for them.
///
/// The keys are sealed like an item that its maker keeps, under the class that needs a passcode and stays on this device. Each is in a group
/// that no program can have.
public final class PairedMachines {
    /// Pairings in each direction.
    private let limit: Int
    private let tables: any HouseTables
    private let store: any ItemStore
    private let clock: () -> Double
    /// Grows when a pairing is removed.
    public private(set) var revision: UInt64 = 0
    /// What was last read; nil if something has changed since.
    private var known: [PairedMachine]?

    /// The group of the keys. It begins with a control character, so no program can name it.
    static let group: ExactName = "\u{1}companions"

    public init(tables: any HouseTables, store: any ItemStore, limit: Int, clock: @escaping () -> Double) {
        (self.tables, self.store, self.limit, self.clock) = (tables, store, limit, clock)
    }

    /// Every pairing, in order.
    public func all() throws(KeychainFailure) -> [PairedMachine] {
        if let known { return known }
        let read = try tables.machines()
        known = read
        return read
    }

    public func machine(_ id: [UInt8]) throws(KeychainFailure) -> PairedMachine? { try all().first { $0.id == id } }

    /// Whether another machine may be paired under that name. Fails with `.duplicateItem` if the name is taken, and with `.quotaReached` if
    /// there are as many as may be.
    public func checkRoom(_ side: PairingSide, named name: String) throws(KeychainFailure) {
        let all = try all()
        if all.contains(where: { $0.name.hasSameBytes(as: name) }) { throw .duplicateItem }
        if all.count(where: { $0.side == side }) >= limit { throw .quotaReached }
    }

    /// Keeps a pairing. Fails as `checkRoom` does.
    public func keep(_ machine: PairedMachine) throws(KeychainFailure) {
        try checkRoom(machine.side, named: machine.name)
        var machine = machine
        machine.date = clock()
        known = nil
        try tables.change(removing: [], keeping: [.machine(machine)])
    }

    /// Removes a pairing, and with it this side's keys. Fails with `.itemNotFound` if there is none.
    public func remove(_ id: [UInt8]) throws(KeychainFailure) {
        guard let machine = try machine(id) else { throw .itemNotFound }
        (known, revision) = (nil, revision + 1)
        try tables.change(removing: [.machine(machine)], keeping: [])
    }

    /// Removes every pairing: their keys went with the passcode.
    public func removeAll() throws(KeychainFailure) {
        let all = try all()
        if all.isEmpty { return }
        (known, revision) = (nil, revision + 1)
        try tables.change(removing: all.map { .machine($0) }, keeping: [])
    }

    // MARK: Keys

    /// Whether the keys can be opened: a passcode is set, and was given since the start.
    public var areOpen: Bool { store.isOpen(.passcode) }

    /// Seals a key that its custodian has just made.
    public func seal(_ made: MadeKey, by custodian: Custodian, asks: Bool) throws(KeychainFailure) -> [UInt8] {
        let rule = try AccessRule(.whenPasscodeSetThisDeviceOnly, asks ? [.userPresence, .privateKeyUsage] : [])
        let kind = KeyKind.elliptic(.p256)
        let attributes: Attributes = [
            .keyClass: .number(1), .type: .number(kind.typeNumber), .keySize: .number(Int64(kind.bits)),
            .publicKey: .data(made.publicKey), .custodian: .number(Int64(custodian.rawValue)),
        ]
        let item = StoredItem(
            id: try store.makeItemID(), itemClass: .key, group: Self.group, rule: rule, attributes: attributes, hasSecret: true)
        return try store.detach(item, secret: made.material, applicationKey: nil)
    }

    /// A link key, which nobody is asked for. Fails with `.interactionNotAllowed` while the passcode wasn't given.
    public func linkKey(of machine: PairedMachine) throws(KeychainFailure) -> ReleasedKey {
        let detached = try Self.attach(machine.link, store)
        guard detached.item.rule.constraints.isEmpty else { throw .damaged }
        return try Self.released(detached, try store.secret(of: detached, applicationKey: nil))
    }

    static func attach(_ sealed: [UInt8], _ store: any ItemStore) throws(KeychainFailure) -> DetachedItem {
        let detached = try store.attach(sealed)
        guard detached.item.group == group, detached.item.itemClass == .key else { throw .damaged }
        return detached
    }

    static func released(_ detached: DetachedItem, _ material: SecretBytes) throws(KeychainFailure) -> ReleasedKey {
        guard case .data(let publicKey)? = detached.item.attributes[.publicKey], let custodian = detached.item.custodian else {
            throw .damaged
        }
        let key = HeldKey(kind: .elliptic(.p256), material: material, publicKey: publicKey)
        return ReleasedKey(key: key, custodian: custodian)
    }
}

extension Keychain {
    /// A yes key for one signature, once its rule is satisfied: the owner has to be asked each time.
    public func hold(yesOf machine: PairedMachine, _ authority: Authority) throws(KeychainFailure) -> KeychainStep<ReleasedKey> {
        let secretStore = store
        let detached = try PairedMachines.attach(machine.yes, secretStore)
        var item = detached.item
        // A key that asks nobody would say yes for nobody.
        guard item.rule.asksForOwner else { throw .damaged }
        // The asking machine can't see which sensor was used here, and its items may refuse a weak one. So none counts.
        item.rule = try AccessRule(item.rule.accessibility, item.rule.constraints.union(.strongBiometry))
        let released = try release(item, .allow, authority) { () throws(KeychainFailure) in
            try secretStore.secret(of: detached, applicationKey: nil)
        }
        switch released {
        case .secret(let material): return .done(try PairedMachines.released(detached, material))
        case .gone: throw .damaged
        case .skipped: throw .interactionNotAllowed
        case .ask(let demands): return .ask(item, demands)
        }
    }
}
