public import ThumbAccess
public import ThumbSecrets

/// An item's name in the store: random, never used again.
public struct ItemID: Sendable, Hashable {
    public static let length = 16
    public let bytes: [UInt8]

    /// nil unless there are exactly sixteen bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }
}

/// An item without its secret, as the store gives it to the rules.
public struct StoredItem: Sendable, Hashable {
    public var id: ItemID
    /// Grows with every change of the item. The item's seals are bound to it.
    public var generation: UInt64
    public var itemClass: ItemClass
    public var group: ExactName
    public var rule: AccessRule
    public var attributes: Attributes
    public var hasSecret: Bool
    /// The enrolment an item with a current-set rule was made under.
    public var enrolment: [UInt8]?
    /// Set once, when the enrolment that the item was bound to is found changed. Its secret stays sealed until it is removed or another
    /// item takes its name.
    public var isDead: Bool

    public init(
        id: ItemID, generation: UInt64 = 1, itemClass: ItemClass, group: ExactName, rule: AccessRule, attributes: Attributes,
        hasSecret: Bool, enrolment: [UInt8]? = nil, isDead: Bool = false
    ) {
        self.id = id
        self.generation = generation
        self.itemClass = itemClass
        self.group = group
        self.rule = rule
        self.attributes = attributes
        self.hasSecret = hasSecret
        self.enrolment = enrolment
        self.isDead = isDead
    }
}

/// An item that isn't in the store, read from the sealed form that its maker keeps.
public struct DetachedItem: Sendable {
    public let item: StoredItem
    /// The form itself, which only the store reads.
    public let sealed: [UInt8]

    public init(item: StoredItem, sealed: [UInt8]) {
        self.item = item
        self.sealed = sealed
    }
}

/// Which items the rules want from the store.
public struct Selection: Sendable, Hashable {
    public var itemClass: ItemClass?
    public var groups: [ExactName]
    public var id: ItemID?
    /// Every one of these must be equal, byte for byte.
    public var attributes: Attributes
    public var sync: SyncFilter
    /// nil: every match, in the order of insertion.
    public var limit: Int?
    /// Whether dead items are among the matches.
    public var showsDead = true

    public init(
        itemClass: ItemClass?, groups: [ExactName], id: ItemID? = nil, attributes: Attributes = [:], sync: SyncFilter = .any,
        limit: Int? = nil
    ) {
        self.itemClass = itemClass
        self.groups = groups
        self.id = id
        self.attributes = attributes
        self.sync = sync
        self.limit = limit
    }
}

/// Where items are stored. Each call is done whole or not at all, and is on disk when it is acknowledged.
public protocol ItemStore: AnyObject {
    func select(_ selection: Selection) throws(KeychainFailure) -> [StoredItem]
    /// The same, one by one, keeping none of them: after `place` (nil: from the first), until `body` returns false. Returns that place, so
    /// that it can go on from there. A hundred thousand items are more than a service wants in memory at once.
    func select(
        _ selection: Selection, after place: Int64?, _ body: (StoredItem) -> Bool
    ) throws(KeychainFailure) -> Int64?
    /// How much the store holds.
    var usage: StoreUsage { get throws(KeychainFailure) }
    /// The records of all groups in the order of insertion, after `place` (0: from the first), at most `limit`, each with its own place. An
    /// empty result means that there are no more.
    func walk(after place: Int64, limit: Int) throws(KeychainFailure) -> [(place: Int64, record: WalkedRecord)]
    /// The secret of an item that was just selected; `.interactionNotAllowed` while its class key isn't available.
    ///
    /// An item with an application password opens only with its `applicationKey`: `.authenticationFailed` without it.
    func secret(of item: StoredItem, applicationKey: SecretBytes?) throws(KeychainFailure) -> SecretBytes
    /// Adds an item. `.duplicateItem` if one with the same `uniqueness` exists; a dead one is replaced.
    func insert(_ item: StoredItem, secret: SecretBytes?, applicationKey: SecretBytes?) throws(KeychainFailure)
    /// Removes an item and adds another one, both or neither. `.itemNotFound` if the first one is gone or was changed since.
    func exchange(
        _ old: StoredItem, for item: StoredItem, secret: SecretBytes?, applicationKey: SecretBytes?
    ) throws(KeychainFailure)
    /// Replaces items by id, all or none. A secret of nil keeps the present one, sealed again under the item's rule.
    func replace(
        _ changes: [(item: StoredItem, secret: SecretBytes?)], applicationKey: SecretBytes?
    ) throws(KeychainFailure)
    /// Adds items and replaces those with the given ids, all or none. A secret of nil means an item without data.
    func write(
        adding: [(item: StoredItem, secret: SecretBytes?)], replacing: [(item: StoredItem, secret: SecretBytes?)]
    ) throws(KeychainFailure)
    func remove(_ items: [StoredItem]) throws(KeychainFailure)
    func markDead(_ item: StoredItem) throws(KeychainFailure)
    /// Whether the class key is available.
    func isOpen(_ keyClass: KeyClass) -> Bool
    /// Seals an item for its maker instead of keeping it. Only this store can open it again.
    func detach(_ item: StoredItem, secret: SecretBytes, applicationKey: SecretBytes?) throws(KeychainFailure) -> [UInt8]
    /// The item in such a sealed form. Fails with `.parameter` for anything else, and for the form of another store.
    func attach(_ sealed: [UInt8]) throws(KeychainFailure) -> DetachedItem
    /// Its secret; fails as `secret(of:)` does.
    func secret(of item: DetachedItem, applicationKey: SecretBytes?) throws(KeychainFailure) -> SecretBytes
    /// Random bytes for names.
    func makeItemID() throws(KeychainFailure) -> ItemID
}

extension ItemStore {
    /// Calls `body` for all that fit, one by one.
    public func select(_ selection: Selection, _ body: (StoredItem) -> Void) throws(KeychainFailure) {
        _ = try select(selection, after: nil) {
            body($0)
            return true
        }
    }

    public func select(_ selection: Selection) throws(KeychainFailure) -> [StoredItem] {
        var found: [StoredItem] = []
        try select(selection) { found.append($0) }
        return found
    }

    /// The secret of an item without an application password.
    public func secret(of item: StoredItem) throws(KeychainFailure) -> SecretBytes { try secret(of: item, applicationKey: nil) }

    /// Adds an item without an application password.
    public func insert(_ item: StoredItem, secret: SecretBytes?) throws(KeychainFailure) {
        try insert(item, secret: secret, applicationKey: nil)
    }

    /// Replaces items without an application password.
    public func replace(_ changes: [(item: StoredItem, secret: SecretBytes?)]) throws(KeychainFailure) {
        try replace(changes, applicationKey: nil)
    }
}

extension StoredItem {
    /// The attributes of which a group may have each combination only once, as one unambiguous string of bytes.
    public var uniqueness: [UInt8] {
        var bytes: [UInt8] = [itemClass.rawValue]
        func append(_ part: [UInt8]) {
            let count = UInt32(part.count)
            bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
            bytes += part
        }
        append(Array(group.utf8))
        for name in itemClass.uniqueAttributes {
            append(attributes[name]?.comparable ?? [])
        }
        return bytes
    }
}
