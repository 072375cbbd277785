public import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

/// The keychain's rules over a store: who may see what, what is a duplicate, when the owner must be asked.
///
/// A call never waits. It answers, or says which rule the owner must satisfy first. The caller then evaluates and calls again.
public final class Keychain {
    let store: any ItemStore
    let audit: any AuditTrail
    let clock: () -> Double
    /// How much the store may hold.
    public let quota: StoreQuota
    /// The group of the provider, which keeps items for other programs.
    let keptGroup: ExactName
    let consents: Consents
    /// Which access groups belong to whom.
    public let groups: Groups
    /// Which programs may use which bundle identifiers.
    public let ties: Ties

    /// - Parameter mode: decides which program is the provider.
    /// - Parameter clock: seconds since the reference date, for the dates on items.
    public init(
        store: any ItemStore, audit: any AuditTrail, consents: Consents, mode: DeviceMode = .user,
        quota: StoreQuota = .standard, clock: @escaping () -> Double
    ) {
        self.store = store
        self.quota = quota
        self.consents = consents
        keptGroup = KeptItem.group(in: mode)
        groups = Groups(items: store, consents: consents, closed: keptGroup, clock: clock)
        ties = Ties(consents: consents)
        self.audit = audit
        self.clock = clock
    }

    /// Notes that an item was not released after all, because the owner refused or nobody could be asked.
    public func noteRefusal(of item: StoredItem, _ failure: KeychainFailure, _ authority: Authority) {
        audit.note(note(.released, item, authority, failure: failure))
    }

    /// The items that a query matches, with as much of each as it asked for. Never returns nothing: it fails with `.itemNotFound` instead.
    public func find(_ query: Query, _ authority: Authority) throws(KeychainFailure) -> KeychainStep<[FoundItem]> {
        if query.limit == 0 { throw .itemNotFound }
        if try asksForIdentity(query) { return try findIdentities(query, authority) }
        var found: [FoundItem] = []
        var released: [StoredItem] = []
        var releasedBytes = 0
        for item in try matches(query, authority.caller, to: .find) {
            var result = shown(item, query.shape)
            if query.shape.needsSecret(of: item.itemClass) && item.hasSecret && !item.isEnclaveKey {
                // What is kept for other programs leaves only by a call that names the program.
                if isKept(item) { throw .missingEntitlement }
                switch try release(item, query.asking.permission, authority) {
                case .secret(let secret):
                    releasedBytes += secret.count
                    guard releasedBytes <= QueryLimit.releasedBytes else { throw .outOfMemory }
                    result.secret = secret
                case .gone: continue
                case .skipped: continue
                case .ask(let demands): return .ask(item, demands)
                }
                released.append(item)
            }
            found.append(result)
        }
        guard !found.isEmpty else { throw .itemNotFound }
        for note in notes(.released, released, authority) { audit.note(note) }
        return .done(found)
    }

    /// Whether a query asks for nothing that would have to be opened. Then `list` answers it, and otherwise `find`.
    public func isList(_ query: Query) -> Bool {
        // Finding one match is faster than listing, and an identity is two items, one of which is opened.
        guard query.limit == nil, let itemClass = query.itemClass, itemClass != .identity else { return false }
        return !query.shape.needsSecret(of: itemClass)
    }

    /// Calls `body` for the matches of such a query, one by one, after `place` (nil: from the first), until it returns false. Returns that
    /// place, so that listing can go on from there once the peer has read. Fails as `find` does.
    public func list(
        _ query: Query, _ caller: Caller, after place: Int64?, _ body: (FoundItem) -> Bool
    ) throws(KeychainFailure) -> Int64? {
        var isEmpty = true
        let stopped = try eachMatch(query, caller, to: .find, after: place) {
            isEmpty = false
            return body(shown($0, query.shape))
        }
        if isEmpty, place == nil { throw .itemNotFound }
        return stopped
    }

    /// Removes every match. Never asks the owner, because a removed item can't be read.
    public func remove(_ query: Query, _ authority: Authority) throws(KeychainFailure) {
        let items =
            try asksForIdentity(query)
            ? try identities(query, authority.caller, to: .remove).flatMap { [$0.key, $0.certificate] }
            : try matches(query, authority.caller, to: .remove)
        guard !items.isEmpty else { throw .itemNotFound }
        try forgetAnswers(about: items)
        try audit.noting(notes(.removed, items, authority)) { () throws(KeychainFailure) in
            try store.remove(items)
        }
    }

    // MARK: What the calls share

    /// What matches are wanted for.
    enum Purpose { case find, change, remove }

    func matches(_ query: Query, _ caller: Caller, to purpose: Purpose) throws(KeychainFailure) -> [StoredItem] {
        var found: [StoredItem] = []
        var gathered = 0
        _ = try eachMatch(query, caller, to: purpose, after: nil) { item in
            var item = item
            // Removing needs only an item's name, so any number of items can be removed.
            if purpose == .remove { item.attributes = [:] }
            gathered += item.attributes.byteCount
            found.append(item)
            return gathered <= QueryLimit.gatheredBytes
        }
        guard gathered <= QueryLimit.gatheredBytes else { throw .outOfMemory }
        return found
    }

    private func eachMatch(
        _ query: Query, _ caller: Caller, to purpose: Purpose, after place: Int64?, _ body: (StoredItem) -> Bool
    ) throws(KeychainFailure) -> Int64? {
        if caller.groups.isEmpty { throw .missingEntitlement }
        var selection = Selection(
            itemClass: query.itemClass, groups: caller.groups, attributes: query.attributes, sync: query.sync,
            limit: query.limit)
        // For searches an item that can never be opened again doesn't exist, but it is removed with the rest.
        selection.showsDead = purpose == .remove
        if let reference = query.persistentRef {
            guard query.attributes.isEmpty, query.hostOrSubdomain == nil else { throw .parameter }
            let (itemClass, id) = try PersistentRef.read(reference)
            if let asked = query.itemClass, asked != itemClass { throw .itemNotFound }
            selection.itemClass = itemClass
            selection.id = id
            selection.sync = .any
        }
        guard let itemClass = selection.itemClass else { throw .parameter }
        try checkSizes(query.attributes)
        if let group = selection.attributes.removeValue(forKey: .group) {
            selection.groups = [try Self.group(group, of: caller, toRead: purpose == .find)]
        }
        // The class that an item is sealed under is a column of its own, and hosts are compared from the end. Both are checked here.
        let accessible = selection.attributes.removeValue(forKey: .accessible)
        selection.attributes[.accessControl] = nil
        // An Enclave key that can't be used any more is still found, and its row can be changed. Using it says why it fails.
        let findsDeadKeys = itemClass == .key && purpose != .remove
        guard accessible != nil || query.hostOrSubdomain != nil || findsDeadKeys else {
            return try store.select(selection, after: place, body)
        }
        selection.showsDead = selection.showsDead || findsDeadKeys
        guard query.hostOrSubdomain == nil || itemClass == .internetPassword else { throw .unsupported }
        selection.limit = nil
        var room = query.limit ?? .max
        return try store.select(selection, after: place) { item in
            guard room > 0, purpose == .remove || !item.isDead || item.isEnclaveKey,
                accessible.map({ Array(item.shownAccessibility.code.utf8) == $0.comparable }) ?? true,
                query.hostOrSubdomain.map({ item.isAt($0) }) ?? true
            else { return true }
            room -= 1
            return body(item)
        }
    }

    /// What the caller sees of an item without opening it: as much as it asked for.
    func shown(_ item: StoredItem, _ shape: ResultShape = .attributes) -> FoundItem {
        FoundItem(
            itemClass: item.itemClass, attributes: shape.isDisjoint(with: [.attributes, .ref]) ? [:] : shownAttributes(item),
            rule: item.rule, persistentRef: PersistentRef.make(item))
    }

    func checkSizes(_ attributes: Attributes) throws(KeychainFailure) {
        var total = 0
        for value in attributes.values {
            let size = value.byteCount
            guard size <= QueryLimit.attributeBytes else { throw .dataTooLarge }
            total += size
        }
        guard total <= QueryLimit.attributesBytes else { throw .dataTooLarge }
    }

    /// The group of items that tokens hold. Everybody may look into it and nobody may write there, whatever a program calls itself.
    static let tokenGroup: ExactName = "com.apple.token"

    static func group(
        _ value: AttributeValue, of caller: Caller, toRead: Bool = false
    ) throws(KeychainFailure) -> ExactName {
        guard case .text(let text) = value else { throw .parameter }
        let name = ExactName(text)
        guard name == tokenGroup ? toRead : caller.groups.contains(name) else { throw .missingEntitlement }
        return name
    }

    func shownAttributes(_ item: StoredItem) -> Attributes {
        var shown = item.attributes
        shown[.group] = .text(item.group.text)
        return shown
    }
}

extension ResultShape {
    /// Whether an item has to be opened for this result: for its data, and for a certificate's object, which is made from the data.
    func needsSecret(of itemClass: ItemClass) -> Bool {
        contains(.data) || contains(.ref) && (itemClass == .certificate || itemClass == .identity)
    }
}

extension StoredItem {
    /// The accessibility by which it is found. An Enclave key's row is always readable; its rule protects its use.
    fileprivate var shownAccessibility: Accessibility { isEnclaveKey ? .always : rule.accessibility }

    /// Whether its server is that host or one of its subdomains.
    fileprivate func isAt(_ host: String) -> Bool {
        guard case .text(let server) = attributes[.server], !host.isEmpty else { return false }
        let (mine, wanted) = (server.lowercased(), host.lowercased())
        return mine == wanted || mine.hasSuffix("." + wanted)
    }
}

extension Accessibility {
    /// Whether the item can't be read while the session is locked.
    public var needsUnlocked: Bool {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .always, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: false
        }
    }
}
