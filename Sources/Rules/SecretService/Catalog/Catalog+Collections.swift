public import ThumbAccess

// Collections and their aliases.
extension Catalog {
    /// The names of all collections, in the order of their bytes.
    public var collections: [CollectionName] {
        shelves.keys.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The collection of a name.
    public subscript(name: CollectionName) -> SecretCollection? { shelves[name]?.collection }

    /// Fails as too much if there are as many collections as there may be.
    public func checkRoomForCollection() throws(ServiceFailure) {
        guard shelves.count < SecretServiceLimit.collections else { throw .tooMuch }
    }

    /// Puts a collection in, or gives the one that is there other facts. An alias belongs to one collection, so others lose it.
    public mutating func put(_ collection: SecretCollection) {
        for alias in collection.aliases { removeAlias(alias, except: collection.name) }
        shelves[collection.name, default: Shelf(collection: collection)].collection = collection
    }

    /// Takes a collection out, with everything in it. The two that always exist stay.
    public mutating func remove(_ name: CollectionName) {
        guard Self.isRemovable(name), let shelf = shelves[name] else { return }
        for item in shelf.slots.keys { remove(ItemPlace(name, item)) }
        shelves[name] = nil
        lockedCollections.remove(name)
    }

    /// Whether a collection can be deleted.
    public static func isRemovable(_ name: CollectionName) -> Bool { name != .login && name != .session }

    /// The collection that an alias stands for. Without another answer, `default` is `login`.
    public func collection(alias: ExactName) -> CollectionName? {
        if let found = shelves.values.first(where: { $0.collection.aliases.contains(alias) }) { return found.collection.name }
        return alias == SecretCollection.defaultAlias ? .login : nil
    }

    /// Every alias, in the order of their bytes.
    public var aliases: [ExactName] {
        shelves.values.flatMap(\.collection.aliases).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func removeAlias(_ alias: ExactName, except kept: CollectionName) {
        for name in shelves.keys where name != kept { shelves[name]?.collection.aliases.removeAll { $0 == alias } }
    }

    /// The collections as they would be once an alias stands for that one, or for none: those that change.
    ///
    /// Fails as invalid if it can't be an alias, if there is no such collection, or if the collection is forgotten at logout.
    public func settingAlias(_ alias: ExactName, to name: CollectionName?) throws(ServiceFailure) -> [SecretCollection] {
        guard SecretCollection.isAlias(alias) else { throw .invalid }
        var changed: [SecretCollection] = []
        if let name {
            guard let target = shelves[name]?.collection else { throw .noSuchObject }
            guard name != .session || alias == SecretCollection.sessionAlias else { throw .notSupported }
            if target.aliases.contains(alias) { return [] }
            guard target.aliases.count < SecretServiceLimit.aliases else { throw .tooMuch }
            var collection = target
            collection.aliases.append(alias)
            changed.append(collection)
        }
        guard alias != SecretCollection.sessionAlias || name == .session else { throw .notSupported }
        for shelf in shelves.values where shelf.collection.name != name && shelf.collection.aliases.contains(alias) {
            var collection = shelf.collection
            collection.aliases.removeAll { $0 == alias }
            changed.append(collection)
        }
        return changed
    }

    // MARK: What a path means

    /// What there is at a path: a collection, an item, or what has no place in the catalog.
    public enum Found: Sendable, Hashable {
        case collection(CollectionName)
        case item(ItemPlace)
    }

    /// The collection or item at a path, whatever alias the path goes by; nil if there is none.
    public func find(_ path: SecretPath) -> Found? {
        switch path {
        case .collection(let name): return shelves[name] == nil ? nil : .collection(name)
        case .item(let place): return self[place] == nil ? nil : .item(place)
        case .alias(let alias): return collection(alias: alias).map { .collection($0) }
        case .aliasItem(let alias, let item):
            guard let name = collection(alias: alias) else { return nil }
            return find(.item(ItemPlace(name, item)))
        case .service, .session, .prompt: return nil
        }
    }

    // MARK: What clients lock

    /// Whether a client has locked it, or the collection that it is in.
    public func isLocked(_ found: Found) -> Bool {
        switch found {
        case .collection(let name): lockedCollections.contains(name)
        case .item(let place): lockedCollections.contains(place.collection) || lockedItems.contains(place)
        }
    }

    /// Whether clients have locked anything.
    public var isAnythingLocked: Bool { !lockedCollections.isEmpty || !lockedItems.isEmpty }

    /// Locks something for everybody. Returns whether it wasn't locked before.
    @discardableResult
    public mutating func lock(_ found: Found) -> Bool {
        switch found {
        case .collection(let name): lockedCollections.insert(name).inserted
        case .item(let place): lockedItems.insert(place).inserted
        }
    }

    /// Opens what a client has locked: the collection and everything in it, or an item and its collection.
    public mutating func unlock(_ found: Found) {
        switch found {
        case .collection(let name):
            lockedCollections.remove(name)
            lockedItems = lockedItems.filter { $0.collection != name }
        case .item(let place):
            lockedItems.remove(place)
            lockedCollections.remove(place.collection)
        }
    }
}

// After the daemon was replaced.
extension Catalog {
    /// Takes over from the catalog before it what the daemon doesn't have: items in memory, what clients have locked, and the numbers that
    /// were given out.
    public mutating func takeOver(_ old: Catalog) {
        for item in old.items.values where item.reference.isEmpty && self[item.place] == nil { put(item) }
        for (name, shelf) in old.shelves {
            guard let lastNumber = shelves[name]?.lastNumber else { continue }
            shelves[name]?.lastNumber = max(lastNumber, shelf.lastNumber)
        }
        lockedCollections = old.lockedCollections.filter { shelves[$0] != nil }
        lockedItems = old.lockedItems.filter { self[$0] != nil }
    }
}
