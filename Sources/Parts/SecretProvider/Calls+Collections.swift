import ThumbAccess
import ThumbBus
import ThumbLoop
import ThumbSecretService

// Making, naming and deleting collections.
extension SecretProvider {
    func createCollection(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let label = call.values[0][ServiceInterfaces.prefix + "Collection.Label"]?.text ?? ""
        let alias = ExactName(call.values[1].text ?? "")
        guard label.utf8.count <= SecretServiceLimit.labelBytes, alias.isEmpty || SecretCollection.isAlias(alias) else {
            throw .invalid
        }
        let reader = try await clients.reader(call.sender)
        do throws(ServiceFailure) {
            let name = try await createCollection(label, alias)
            return [.path(SecretPath.collection(name).text), .path(SecretPath.none)]
        } catch {
            guard error == .isLocked else { throw error }
        }
        // The store has to be opened first.
        return [.path(SecretPath.none), try prompt(.createCollection(label, alias), reader, call.sender)]
    }

    /// Makes a collection, unless there is one of that alias.
    func createCollection(_ label: String, _ alias: ExactName) async throws(ServiceFailure) -> CollectionName {
        try await loadIfNeeded()
        return try await changes.run { () throws(ServiceFailure) in
            if !alias.isEmpty, let name = catalog.collection(alias: alias) { return name }
            try catalog.checkRoomForCollection()
            let name = CollectionName(label: label) { catalog[$0] != nil }
            let now = Self.now
            var collection = SecretCollection(
                name: name, label: label, aliases: alias.isEmpty ? [] : [alias], created: now, modified: now)
            collection.reference = try await door.add(KeptForm.attributes(of: collection), nil).persistentRef
            catalog.put(collection)
            emit("CollectionCreated", of: interfaces.service, at: .service, [.path(SecretPath.collection(name).text)])
            return name
        }
    }

    /// Keeps what has changed of a collection.
    private func write(_ changed: SecretCollection) async throws(ServiceFailure) {
        var collection = changed
        collection.modified = Self.now
        if collection.name != .session {
            if collection.reference.isEmpty {
                collection.reference = try await door.add(KeptForm.attributes(of: collection), nil).persistentRef
            } else {
                try await door.update(collection.reference, KeptForm.changes(to: collection))
            }
        }
        catalog.put(collection)
        collectionChanged(collection.name)
    }

    func labelCollection(_ call: BusInvocation) async throws(ServiceFailure) {
        guard let label = call.values.first?.text, label.utf8.count <= SecretServiceLimit.labelBytes else { throw .invalid }
        let reader = try await clients.reader(call.sender)
        try await loadIfNeeded()
        try await changes.run { () throws(ServiceFailure) in
            var collection = try collection(at: call.path)
            // Questions to the owner name the collection by its label: whoever chooses it chooses the words about others' items.
            let items = catalog.places(in: collection.name).compactMap { catalog[$0] }
            guard !catalog.isLocked(.collection(collection.name)), try mayChange(items, reader, call.sender) else {
                throw .isLocked
            }
            collection.label = label
            try await write(collection)
        }
        let labelled = try collection(at: call.path)
        tell(
            ["Label": .string(labelled.label), "Modified": .uint64(labelled.modified)], of: interfaces.collection,
            at: .collection(labelled.name))
    }

    // MARK: Aliases

    func readAlias(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        await loadIfPossible()
        let name = call.values[0].text.flatMap { catalog.collection(alias: ExactName($0)) }
        return [.path(name.map { SecretPath.collection($0).text } ?? SecretPath.none)]
    }

    func setAlias(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        guard let alias = call.values[0].text, let path = call.values[1].text else { throw .invalid }
        _ = try await clients.reader(call.sender)
        try await loadIfNeeded()
        try await changes.run { () throws(ServiceFailure) in
            let name = path.utf8.elementsEqual(SecretPath.none.utf8) ? nil : try collection(at: path).name
            for collection in try catalog.settingAlias(ExactName(alias), to: name) { try await write(collection) }
        }
        return []
    }

    // MARK: Deleting

    func deleteCollection(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let name = try collection(at: call.path).name
        guard Catalog.isRemovable(name) else { throw .notSupported }
        let reader = try await clients.reader(call.sender)
        let isRemoved = try await changes.run { () throws(ServiceFailure) in
            let items = catalog.places(in: name).compactMap { catalog[$0] }
            guard !catalog.isLocked(.collection(name)), try mayChange(items, reader, call.sender) else { return false }
            try await removeNow(name)
            return true
        }
        if isRemoved {
            onQuiet?()
            return [.path(SecretPath.none)]
        }
        return [try prompt(.deleteCollection(name), reader, call.sender)]
    }

    /// Removes a collection with everything in it.
    func remove(_ name: CollectionName) async throws(ServiceFailure) {
        try await changes.run { () throws(ServiceFailure) in try await removeNow(name) }
        onQuiet?()
    }

    /// The same in the line of changes. Meanwhile nothing is added to the collection.
    private func removeNow(_ name: CollectionName) async throws(ServiceFailure) {
        for place in catalog.places(in: name) { try await removeNow(place) }
        guard let collection = catalog[name] else { throw .noSuchObject }
        if !collection.reference.isEmpty { try await door.remove(collection.reference) }
        catalog.remove(name)
        emit("CollectionDeleted", of: interfaces.service, at: .service, [.path(SecretPath.collection(name).text)])
    }
}
