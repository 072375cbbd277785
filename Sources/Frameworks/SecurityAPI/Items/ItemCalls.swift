package import Foundation
package import ThumbAccess
import ThumbClient

/// A keychain that answers while the caller waits.
package protocol KeychainDevice: Sendable {
    func add(_ item: NewItem) throws(KeychainFailure) -> FoundItem
    func find(_ query: Query) throws(KeychainFailure) -> [FoundItem]
    func update(_ query: Query, with change: ItemChange) throws(KeychainFailure)
    func remove(_ query: Query) throws(KeychainFailure)
}

extension DeviceClient: KeychainDevice {}

/// The four calls over some keychain: read the dictionary, hand it on, shape what comes back.
package struct ItemCalls<Device: KeychainDevice>: Sendable {
    let device: Device

    package init(_ device: Device) { self.device = device }

    /// Adds an item; the result is nil unless the dictionary asked for one.
    package func add(_ dictionary: NSDictionary) throws(KeychainFailure) -> CFTypeRef? {
        let item = try NewItem(dictionary)
        return shaped([try device.add(item)], as: item.shape, inArray: false)
    }

    /// Finds items; fails with `.parameter` if it asks for a result that `isWanted` says nobody takes.
    package func copyMatching(_ dictionary: NSDictionary, isWanted: Bool) throws(KeychainFailure) -> CFTypeRef? {
        let query = try Query(dictionary, for: .copyMatching)
        guard isWanted || query.shape.isEmpty else { throw .parameter }
        if query.limit == 0 { throw .itemNotFound }
        return shaped(try device.find(query), as: query.shape, inArray: query.limit != 1)
    }

    /// Changes every match.
    package func update(_ dictionary: NSDictionary, _ changes: NSDictionary) throws(KeychainFailure) {
        let query = try Query(dictionary, for: .update)
        guard let itemClass = query.itemClass ?? query.persistentRef.flatMap(ItemClass.init(persistentRef:)) else {
            throw .parameter
        }
        try device.update(query, with: try ItemChange(changes, to: itemClass))
    }

    /// Removes every match.
    package func delete(_ dictionary: NSDictionary) throws(KeychainFailure) {
        try device.remove(try Query(dictionary, for: .delete))
    }
}
