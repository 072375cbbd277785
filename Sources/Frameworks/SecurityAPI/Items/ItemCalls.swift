package import Foundation
package import ThumbAccess
import ThumbClient
import ThumbCrypto

/// A keychain whose callers wait for the answer.
package protocol KeychainDevice: Sendable {
    func add(_ item: NewItem) throws(KeychainFailure) -> FoundItem
    func find(_ query: Query) throws(KeychainFailure) -> [FoundItem]
    func update(_ query: Query, with change: ItemChange) throws(KeychainFailure)
    func remove(_ query: Query) throws(KeychainFailure)
    func keepKey(detached: [UInt8], _ attributes: Attributes) throws(KeychainFailure) -> KeyRecord
}

extension DeviceClient: KeychainDevice {}

/// The four calls over any keychain: read the dictionary, pass it on, shape the answer.
package struct ItemCalls<Device: KeychainDevice>: Sendable {
    let device: Device

    package init(_ device: Device) { self.device = device }

    /// Adds an item; the result is nil unless the dictionary asked for one.
    package func add(_ dictionary: NSDictionary) throws(KeychainFailure) -> CFTypeRef? {
        if let identity = dictionary["v_Ref"] as? SecIdentity { return try add(identity, dictionary) }
        let new = try Addition(dictionary)
        let shape = new.item.shape
        let added: FoundItem
        if let sealed = new.detachedKey {
            added = try device.keepKey(detached: sealed, new.item.attributes).item
        } else {
            var item = new.item
            if item.itemClass == .key, shape.contains(.ref) { item.shape.insert(.data) }
            added = try device.add(item)
        }
        let objects = shape.contains(.ref) ? try objects(of: [added], new.item.asking, new.asking).objects : [:]
        return shaped([added], as: shape, inArray: false, objects)
    }

    /// Adds an identity's key and its certificate; `.duplicateItem` only if both exist already.
    private func add(_ identity: SecIdentity, _ dictionary: NSDictionary) throws(KeychainFailure) -> CFTypeRef? {
        let sorted = try SortedDictionary(dictionary)
        guard try (sorted.namedClass() ?? .identity) == .identity, sorted.values.count == 1 else { throw .parameter }
        var added: [[UInt8]] = []
        let key = try identity.privateKey()
        for object in [identity.certificate, key] as [NSObject] {
            let itemClass = try ItemReference(object).itemClass
            let part = dictionary.merging([:])
            part["v_Ref"] = object
            part["class"] = itemClass.name
            part.removeObjects(forKeys: ["r_Data", "r_Ref", "r_Attributes"])
            part["r_PersistentRef"] = true
            // Attributes that only one half has stay with that half.
            for (name, _) in sorted.attributes
            where AttributeSchema.kind(of: name, in: itemClass) == nil && AttributeSchema.kind(of: name, in: .identity) != nil {
                part.removeObject(forKey: name.letters)
            }
            do throws(KeychainFailure) {
                if let reference = try add(part) as? Data { added.append([UInt8](reference)) }
            } catch {
                if error == .duplicateItem { continue }
                // If only half an identity stayed in the keychain, somebody would find and use it. Should that fail too, the first failure
                // is the one to tell.
                for reference in added { try? device.remove(Query(itemClass: nil, persistentRef: reference, limit: nil)) }
                throw error
            }
        }
        guard !added.isEmpty else { throw .duplicateItem }
        guard !sorted.shape.isEmpty else { return nil }
        let query = Query(
            itemClass: .identity, attributes: try identity.certificate.certificate.identifying(), sync: .any, shape: sorted.shape)
        let found = try device.find(query)
        let objects = found.map { ($0.persistentRef, identity) }
        return shaped(found, as: sorted.shape, inArray: false, FoundObjects(objects) { first, _ in first })
    }

    /// Finds items. Fails with `.parameter` if the query asks for a result although `isWanted` says that nobody takes one.
    package func copyMatching(_ dictionary: NSDictionary, isWanted: Bool) throws(KeychainFailure) -> CFTypeRef? {
        let search = try Search(dictionary, for: .copyMatching)
        let query = search.query
        guard isWanted || query.shape.isEmpty else { throw .parameter }
        if query.limit == 0 { throw .itemNotFound }
        let found = search.certificates.isEmpty ? try device.find(query.withMaterial) : try filtered(search)
        guard query.shape.contains(.ref) else { return shaped(found, as: query.shape, inArray: query.limit != 1) }
        let (items, objects) = try objects(of: found, query.asking, search.asking)
        return shaped(items, as: query.shape, inArray: query.limit != 1, objects)
    }

    /// Finds every certificate, keeps those that the filter accepts, and returns as many as are wanted.
    private func filtered(_ search: Search) throws(KeychainFailure) -> [FoundItem] {
        var wide = search.query
        wide.limit = nil
        wide.shape.insert(.data)
        let all = try device.find(wide)
        var known: [[UInt8]: Certificate] = [:]
        if search.certificates.issuers != nil {
            let certificates = Query(itemClass: .certificate, sync: .any, limit: nil, shape: .data, asking: search.query.asking)
            for case let certificate? in try device.find(certificates).map(\.certificate) {
                known[certificate.subject] = certificate
            }
        }
        let accepted = all.filter { search.certificates.accepts($0, known: known) }
        guard !accepted.isEmpty else { throw .itemNotFound }
        return search.query.limit.map { Array(accepted.prefix($0)) } ?? accepted
    }

    /// Changes every match.
    package func update(_ dictionary: NSDictionary, _ changes: NSDictionary) throws(KeychainFailure) {
        let query = try Query(dictionary, for: .update)
        guard let itemClass = query.namedClass else { throw .parameter }
        try device.update(query, with: try ItemChange(changes, to: itemClass))
    }

    /// Removes every match.
    package func delete(_ dictionary: NSDictionary) throws(KeychainFailure) {
        try device.remove(try Query(dictionary, for: .delete))
    }
}
