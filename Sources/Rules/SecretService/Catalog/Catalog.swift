public import ThumbAccess

/// Every collection and every item, without secrets: what can be seen on the bus.
public struct Catalog: Sendable {
    struct Shelf: Sendable {
        var collection: SecretCollection
        /// The slots of its items by their names.
        var slots: [ItemName: UInt32] = [:]
        /// The highest number that an item ever had.
        var lastNumber: UInt64 = 0
    }

    var shelves: [CollectionName: Shelf] = [:]
    var items: [UInt32: SecretItem] = [:]
    private var index = AttributeIndex()
    private var lastSlot: UInt32 = 0
    /// What a client has locked. It is locked for everybody until the owner says otherwise.
    var lockedCollections: Set<CollectionName> = []
    var lockedItems: Set<ItemPlace> = []

    private let mostItems: Int

    /// A catalog with the two collections that always exist.
    ///
    /// - Parameter mostItems: how many items it takes.
    public init(mostItems: Int = SecretServiceLimit.items) {
        self.mostItems = mostItems
        shelves[.login] = Shelf(
            collection: SecretCollection(name: .login, label: "Login", aliases: [SecretCollection.defaultAlias]))
        shelves[.session] = Shelf(
            collection: SecretCollection(name: .session, label: "Session", aliases: [SecretCollection.sessionAlias]))
    }

    // MARK: Items

    /// How many items there are.
    public var itemCount: Int { items.count }

    /// Fails as too much if there are as many items as there may be.
    public func checkRoomForItem() throws(ServiceFailure) { guard items.count < mostItems else { throw .tooMuch } }

    /// Puts an item in, or in the place of the one that is there. Its collection is made if the store has lost it.
    public mutating func put(_ item: SecretItem) {
        let place = item.place
        let slot: UInt32
        if let old = shelves[place.collection]?.slots[place.name] {
            slot = old
            if let replaced = items[old] { index.remove(replaced.attributes, old) }
        } else {
            lastSlot += 1
            slot = lastSlot
            shelves[
                place.collection,
                default: Shelf(collection: SecretCollection(name: place.collection, label: place.collection.name.text))
            ].slots[place.name] = slot
        }
        items[slot] = item
        index.add(item.attributes, slot)
        guard case .number(let number) = place.name else { return }
        let lastNumber = shelves[place.collection]?.lastNumber ?? 0
        shelves[place.collection]?.lastNumber = max(lastNumber, number)
    }

    /// Takes an item out.
    @discardableResult
    public mutating func remove(_ place: ItemPlace) -> SecretItem? {
        guard let slot = shelves[place.collection]?.slots.removeValue(forKey: place.name),
            let item = items.removeValue(forKey: slot)
        else { return nil }
        index.remove(item.attributes, slot)
        lockedItems.remove(place)
        return item
    }

    /// The item at a place.
    public subscript(place: ItemPlace) -> SecretItem? { shelves[place.collection]?.slots[place.name].flatMap { items[$0] } }

    /// The number for a collection's next item. A number isn't used again while this process runs.
    public mutating func nextNumber(in name: CollectionName) -> UInt64? {
        guard shelves[name] != nil else { return nil }
        shelves[name]?.lastNumber += 1
        return shelves[name]?.lastNumber
    }

    /// The places of a collection's items, in the order of their names.
    public func places(in name: CollectionName) -> [ItemPlace] {
        (shelves[name]?.slots.keys.sorted() ?? []).map { ItemPlace(name, $0) }
    }

    /// How many items a collection has.
    public func count(in name: CollectionName) -> Int { shelves[name]?.slots.count ?? 0 }

    // MARK: Search

    /// The items that have all of these attributes: first those that `reader` made, then the others, each latest first.
    ///
    /// A probe is found by its maker alone.
    public func search(_ wanted: ItemAttributes, in name: CollectionName? = nil, for reader: ExactName) -> [SecretItem] {
        var own: [SecretItem] = []
        var others: [SecretItem] = []
        func take(_ item: SecretItem) {
            guard name.map({ $0 == item.place.collection }) ?? true, item.attributes.contain(wanted) else { return }
            if item.maker == reader { own.append(item) } else if !item.isProbe { others.append(item) }
        }
        if let candidates = index.candidates(wanted) {
            for slot in candidates.reversed() { if let item = items[slot] { take(item) } }
        } else {
            for slot in items.keys.sorted(by: >) { if let item = items[slot] { take(item) } }
        }
        return own.latestFirst + others.latestFirst
    }

    /// The item that a new one replaces: of the same maker, in the same collection, with identical attributes.
    public func replaced(by attributes: ItemAttributes, in name: CollectionName, of maker: ExactName) -> SecretItem? {
        search(attributes, in: name, for: maker).first { $0.maker == maker && $0.attributes == attributes }
    }
}

extension [SecretItem] {
    /// The latest change first. The order of those of one second stays.
    fileprivate var latestFirst: [SecretItem] {
        enumerated().sorted { ($1.element.modified, $0.offset) < ($0.element.modified, $1.offset) }.map(\.element)
    }
}
