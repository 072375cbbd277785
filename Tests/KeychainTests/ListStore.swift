import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

/// A store that is a list: for the rules of backups, which need no machine.
final class ListStore: ItemStore {
    var items: [(place: Int64, item: StoredItem, secret: SecretBytes?)] = []
    /// Places whose attributes don't open, and accounts whose secrets don't.
    var damagedPlaces: Set<Int64> = []
    var damagedSecrets: Set<ItemID> = []
    var openClasses: Set<KeyClass> = Set(KeyClass.allCases)
    private(set) var writes = 0
    /// What was sealed for its maker. A sealed form is the place of its item in this list.
    private var detached: [(item: StoredItem, secret: SecretBytes)] = []

    func select(
        _ selection: Selection, after place: Int64?, _ body: (StoredItem) -> Bool
    ) throws(KeychainFailure) -> Int64? {
        var room = selection.limit ?? .max
        for (here, item, _) in items
        where room > 0 && here > place ?? 0 && selection.itemClass.map({ $0 == item.itemClass }) ?? true {
            let fits = selection.attributes.allSatisfy { item.attributes[$0.key]?.comparable == $0.value.comparable }
            guard selection.groups.contains(item.group), fits, selection.id.map({ $0 == item.id }) ?? true else { continue }
            room -= 1
            if !body(item) { return here }
        }
        return nil
    }

    var usage: StoreUsage {
        let bytes = items.reduce(0) { $0 + $1.item.attributes.byteCount + ($1.secret?.count ?? 0) }
        return StoreUsage(items: UInt64(items.count), bytes: UInt64(bytes))
    }

    func walk(after place: Int64, limit: Int) throws(KeychainFailure) -> [(place: Int64, record: WalkedRecord)] {
        items.filter { $0.place > place }.prefix(limit).map {
            ($0.place, damagedPlaces.contains($0.place) ? .damaged : .item($0.item))
        }
    }

    func secret(of item: StoredItem, applicationKey: SecretBytes?) throws(KeychainFailure) -> SecretBytes {
        if damagedSecrets.contains(item.id) { throw .damaged }
        guard let secret = items.first(where: { $0.item.id == item.id })?.secret else { throw .itemNotFound }
        return secret
    }

    func insert(_ item: StoredItem, secret: SecretBytes?, applicationKey: SecretBytes?) throws(KeychainFailure) {
        items.append(((items.last?.place ?? 0) + 1, item, secret))
    }

    func exchange(
        _ old: StoredItem, for item: StoredItem, secret: SecretBytes?, applicationKey: SecretBytes?
    ) throws(KeychainFailure) {
        try remove([old])
        try insert(item, secret: secret, applicationKey: applicationKey)
    }

    func write(
        adding: [(item: StoredItem, secret: SecretBytes?)], replacing: [(item: StoredItem, secret: SecretBytes?)]
    ) throws(KeychainFailure) {
        writes += 1
        for (item, secret) in replacing {
            guard let index = items.firstIndex(where: { $0.item.id == item.id }) else { throw .itemNotFound }
            items[index] = (items[index].place, item, secret)
        }
        for (item, secret) in adding { try insert(item, secret: secret, applicationKey: nil) }
    }

    func replace(
        _ changes: [(item: StoredItem, secret: SecretBytes?)], applicationKey: SecretBytes?
    ) throws(KeychainFailure) {
        // Without a new secret an item keeps the one that it has.
        let whole = changes.map { change in
            (change.item, change.secret ?? items.first { $0.item.id == change.item.id }?.secret)
        }
        try write(adding: [], replacing: whole)
    }

    func remove(_ removed: [StoredItem]) throws(KeychainFailure) {
        items.removeAll { held in removed.contains { $0.id == held.item.id } }
    }

    func markDead(_ item: StoredItem) throws(KeychainFailure) {
        for index in items.indices where items[index].item.id == item.id { items[index].item.isDead = true }
    }

    func detach(
        _ item: StoredItem, secret: SecretBytes, applicationKey: SecretBytes?
    ) throws(KeychainFailure) -> [UInt8] {
        var sealed = item
        (sealed.generation, sealed.hasSecret) = (0, true)
        detached.append((sealed, secret))
        return [UInt8(detached.count - 1)]
    }

    func attach(_ sealed: [UInt8]) throws(KeychainFailure) -> DetachedItem {
        DetachedItem(item: try opened(sealed).item, sealed: sealed)
    }

    func secret(of item: DetachedItem, applicationKey: SecretBytes?) throws(KeychainFailure) -> SecretBytes {
        try opened(item.sealed).secret
    }

    private func opened(_ sealed: [UInt8]) throws(KeychainFailure) -> (item: StoredItem, secret: SecretBytes) {
        guard let place = sealed.first, sealed.count == 1, place < detached.count else { throw .parameter }
        return detached[Int(place)]
    }

    func isOpen(_ keyClass: KeyClass) -> Bool { openClasses.contains(keyClass) }

    func makeItemID() throws(KeychainFailure) -> ItemID {
        guard let id = ItemID((0..<16).map { _ in .random(in: 0...255) }) else { throw .internalFailure }
        return id
    }
}

/// An audit that remembers in a list.
final class ListAudit: AuditTrail {
    var notes: [AuditNote] = []

    func note(_ note: AuditNote) { notes.append(note) }
    func noting<Result>(
        _ notes: [AuditNote], _ write: () throws(KeychainFailure) -> Result
    ) throws(KeychainFailure) -> Result {
        let result = try write()
        self.notes += notes
        return result
    }
    func settle() {}
    func flush() throws(KeychainFailure) {}
    func records(from place: UInt64, limit: Int, of program: AuditProgram?) throws(KeychainFailure) -> AuditPage {
        throw .unsupported
    }
    func verifyAudit(
        _ progress: inout AuditProgress, limit: Int, of program: AuditProgram?
    ) throws(KeychainFailure) -> Bool { throw .unsupported }
}
