import ThumbAccess
import ThumbBus
import ThumbLoop
import ThumbSecretService
import ThumbSecrets

// Making and changing items. A change is told once the daemon has it on its disk.
extension SecretProvider {
    func createItem(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let (properties, isReplacing) = (call.values[0], call.values[2].flag ?? false)
        let (secret, contentType) = try secret(in: call.values[1], from: call.sender)
        let label = properties[ServiceInterfaces.prefix + "Item.Label"]?.text ?? ""
        let attributes = try Self.attributes(properties[ServiceInterfaces.prefix + "Item.Attributes"])
        // Whoever brings another program's item says so. It is nobody's then, and everybody who reads it is asked about.
        let isMoved = properties["org.thumbturn.Item.Moved"]?.flag ?? false
        guard SecretItem.isWithinLimits(label: label, contentType: contentType, secretBytes: secret.count) else { throw .invalid }
        let reader = try await clients.reader(call.sender)
        try await loadIfNeeded()
        return try await changes.run { () throws(ServiceFailure) in
            let name = try collection(at: call.path).name
            if catalog.isLocked(.collection(name)) { throw .isLocked }
            if isReplacing, !isMoved, var item = catalog.replaced(by: attributes, in: name, of: reader.identity) {
                if catalog.isLocked(.item(item.place)) { throw .isLocked }
                (item.label, item.contentType) = (label, contentType)
                try await write(item, secret)
                return [.path(SecretPath.item(item.place).text), .path(SecretPath.none)]
            }
            let item = try await add(
                label, attributes, secret, contentType: contentType, in: name, by: reader, maker: isMoved ? "" : reader.identity)
            return [.path(SecretPath.item(item).text), .path(SecretPath.none)]
        }
    }

    /// Adds an item for a reader; returns where it is. Only in the line of changes.
    ///
    /// - Parameter maker: whose the item is; empty: nobody's.
    @discardableResult
    func add(
        _ label: String, _ attributes: ItemAttributes, _ secret: SecretBytes, contentType: String, in name: CollectionName,
        by reader: Reader, maker: ExactName
    ) async throws(ServiceFailure) -> ItemPlace {
        try catalog.checkRoomForItem()
        guard let number = catalog.nextNumber(in: name) else { throw .noSuchObject }
        let now = Self.now
        let item = SecretItem(
            place: ItemPlace(name, number), maker: maker, label: label, attributes: attributes,
            contentType: contentType, created: now, modified: now)
        try await add(item, secret, by: reader)
        return item.place
    }

    private func add(_ new: SecretItem, _ secret: SecretBytes, by reader: Reader) async throws(ServiceFailure) {
        var item = new
        if item.place.collection == .session || item.isProbe {
            // A probe wants to know whether the store is open.
            if item.isProbe, try !door.readable([], by: reader).isOpen { throw .isLocked }
            try memory.keep(secret, of: item.place)
        } else {
            item.reference = try await door.add(KeptForm.attributes(of: item), secret).persistentRef
        }
        catalog.put(item)
        itemCreated(item.place)
    }

    /// Changes an item at the daemon, and then here.
    private func write(_ changed: SecretItem, _ secret: SecretBytes? = nil) async throws(ServiceFailure) {
        var item = changed
        if item.reference.isEmpty {
            if let secret { try memory.keep(secret, of: item.place) }
        } else {
            do throws(ServiceFailure) {
                try await door.update(item.reference, KeptForm.changes(to: item), secret)
            } catch {
                // Somebody has removed it.
                if error == .noSuchObject { forget(item.place) }
                throw error
            }
        }
        item.modified = Self.now
        catalog.put(item)
        if secret != nil { pickUps.forget { $0 == item.place } }
        itemChanged(item.place)
    }

    private func forget(_ place: ItemPlace) {
        guard catalog.remove(place) != nil else { return }
        memory.forget(place)
        pickUps.forget { $0 == place }
        itemDeleted(place)
    }

    /// Removes an item at the daemon, and then here.
    func remove(_ place: ItemPlace) async throws(ServiceFailure) {
        try await changes.run { () throws(ServiceFailure) in try await removeNow(place) }
        onQuiet?()
    }

    /// The same, in the line of changes.
    func removeNow(_ place: ItemPlace) async throws(ServiceFailure) {
        guard let item = catalog[place] else { throw .noSuchObject }
        if !item.reference.isEmpty { try await door.remove(item.reference) }
        forget(place)
    }

    // MARK: An item's own calls

    func setSecret(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let (secret, contentType) = try secret(in: call.values[0], from: call.sender)
        guard SecretItem.isWithinLimits(label: "", contentType: contentType, secretBytes: secret.count) else { throw .invalid }
        try await change(call, secret) { $0.contentType = contentType }
        return []
    }

    func labelItem(_ call: BusInvocation) async throws(ServiceFailure) {
        guard let label = call.values.first?.text,
            SecretItem.isWithinLimits(label: label, contentType: "", secretBytes: 0)
        else { throw .invalid }
        try await change(call) { $0.label = label }
        let item = try item(at: call.path)
        tell(["Label": .string(item.label), "Modified": .uint64(item.modified)], of: interfaces.item, at: .item(item.place))
    }

    func setAttributes(_ call: BusInvocation) async throws(ServiceFailure) {
        let attributes = try Self.attributes(call.values.first)
        try await change(call) { $0.attributes = attributes }
        let item = try item(at: call.path)
        tell(
            ["Attributes": .attributes(item.attributes), "Modified": .uint64(item.modified)], of: interfaces.item,
            at: .item(item.place))
    }

    private func change(
        _ call: BusInvocation, _ secret: SecretBytes? = nil, _ body: (inout SecretItem) -> Void
    ) async throws(ServiceFailure) {
        let reader = try await clients.reader(call.sender)
        try await changes.run { () throws(ServiceFailure) in
            var item = try item(at: call.path)
            guard try mayChange([item], reader, call.sender) else { throw .isLocked }
            body(&item)
            try await write(item, secret)
        }
    }

    /// Whether a client may change items without asking: those that it made, and those that it may read freely, while the store is open.
    func mayChange(_ items: [SecretItem], _ reader: Reader, _ client: String) throws(ServiceFailure) -> Bool {
        let (isOpen, standings) = try readable(items, by: reader, client)
        return isOpen
            && zip(items, standings).allSatisfy { item, standing in
                !catalog.isLocked(.item(item.place)) && (item.maker == reader.identity || standing == .free)
            }
    }

    func deleteItem(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let reader = try await clients.reader(call.sender)
        let item = try item(at: call.path)
        guard try mayChange([item], reader, call.sender) else {
            return [try prompt(.deleteItem(item.place), reader, call.sender)]
        }
        try await remove(item.place)
        return [.path(SecretPath.none)]
    }

    // MARK: What a call says

    /// The secret in a call, and its content type.
    private func secret(in value: BusValue, from client: String) throws(ServiceFailure) -> (SecretBytes, String) {
        guard case .structure(let parts) = value, parts.count == 4, let parameters = parts[1].secret,
            let sealed = parts[2].secret,
            let contentType = parts[3].text
        else { throw .invalid }
        return (try cipher(at: parts[0].text, for: client).open(sealed, parameters), contentType)
    }

    private static func attributes(_ value: BusValue?) throws(ServiceFailure) -> ItemAttributes {
        switch value {
        case nil: .none
        case .variant(let inner)?: try inner.attributes
        case let plain?: try plain.attributes
        }
    }

    /// Seconds since 1970, to be shown.
    static var now: UInt64 { UInt64(max(0, WallClock.now)) }
}
