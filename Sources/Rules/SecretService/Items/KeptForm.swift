public import ThumbAccess

/// The form in which kept items and collections are the daemon's items (docs/contributors/secret-service.md).
public enum KeptForm {
    /// What a stored item is.
    public enum Content: Sendable, Hashable {
        case item(SecretItem)
        case collection(SecretCollection)
    }

    private static let itemPrefix: StaticString = "item in "
    private static let collectionService = "collection"
    /// Apple's reference date, 2001-01-01, in seconds since 1970.
    private static let referenceDate = 978_307_200.0

    /// The rule of everything that is kept. An item may get a stricter one.
    public static let rule = AccessRule(.afterFirstUnlock)

    /// The attributes of an item that is to be added.
    public static func attributes(of item: SecretItem) -> Attributes {
        var attributes = changes(to: item)
        attributes[.service] = .text("item in \(item.place.collection.name.text)")
        attributes[.account] = .text(item.place.name.text)
        attributes[.comment] = .text(item.maker.text)
        return attributes
    }

    /// The attributes of an item that can change later.
    public static func changes(to item: SecretItem) -> Attributes {
        [
            .label: .text(item.label), .description: .text(item.contentType), .generic: .data(item.attributes.bytes),
        ]
    }

    /// The attributes of a collection that is to be added.
    public static func attributes(of collection: SecretCollection) -> Attributes {
        var attributes = changes(to: collection)
        attributes[.service] = .text(collectionService)
        attributes[.account] = .text(collection.name.name.text)
        return attributes
    }

    /// The attributes of a collection that can change later.
    public static func changes(to collection: SecretCollection) -> Attributes {
        [.label: .text(collection.label), .generic: .data(collection.keptAliases)]
    }

    /// Reads what the daemon has; nil if it has another form.
    public static func read(_ found: FoundItem) -> Content? {
        guard let service = text(found, .service), let account = text(found, .account) else { return nil }
        let (created, modified) = (seconds(found, .created), seconds(found, .modified))
        if service.hasSameBytes(as: collectionService) {
            guard let name = CollectionName(account), name != .session,
                let aliases = SecretCollection.aliases(kept: data(found, .generic) ?? [])
            else { return nil }
            return .collection(
                SecretCollection(
                    name: name, reference: found.persistentRef, label: text(found, .label) ?? "", aliases: aliases,
                    created: created, modified: modified))
        }
        let exact = ExactName(service)
        guard exact.hasPrefix(itemPrefix),
            let collection = CollectionName(
                String(decoding: service.utf8.dropFirst(itemPrefix.utf8CodeUnitCount), as: UTF8.self)),
            collection != .session, let itemName = ItemName(account), let maker = text(found, .comment),
            let attributes = ItemAttributes(kept: data(found, .generic) ?? [])
        else { return nil }
        return .item(
            SecretItem(
                place: ItemPlace(collection, itemName), reference: found.persistentRef, maker: ExactName(maker),
                label: text(found, .label) ?? "", attributes: attributes, contentType: text(found, .description) ?? "",
                created: created, modified: modified))
    }

    private static func text(_ item: FoundItem, _ name: AttributeName) -> String? {
        if case .text(let text)? = item.attributes[name] { text } else { nil }
    }

    private static func data(_ item: FoundItem, _ name: AttributeName) -> [UInt8]? {
        if case .data(let data)? = item.attributes[name] { data } else { nil }
    }

    private static func seconds(_ item: FoundItem, _ name: AttributeName) -> UInt64 {
        guard case .date(let date)? = item.attributes[name], date.isFinite else { return 0 }
        return UInt64(max(0, min(date + referenceDate, 1e15)))
    }
}
