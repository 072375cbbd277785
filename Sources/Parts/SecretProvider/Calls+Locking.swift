import ThumbAccess
import ThumbBus
import ThumbLoop
import ThumbSecretService

// Locking and unlocking.
extension SecretProvider {
    func lock(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        _ = try await clients.reader(call.sender)
        await loadIfPossible()
        let found = try objects(call.values[0])
        for object in found where catalog.lock(object) {
            switch object {
            case .collection(let name):
                collectionChanged(name)
                tellLock(of: name, true)
            case .item(let place): itemChanged(place)
            }
        }
        pickUps.forget { catalog.isLocked(.item($0)) }
        return [.paths(found), .path(SecretPath.none)]
    }

    func unlock(_ call: BusInvocation) async throws(ServiceFailure) -> [BusValue] {
        let reader = try await clients.reader(call.sender)
        unlockers.insert(call.sender)
        await loadIfPossible()
        let (open, shut) = try sorted(try objects(call.values[0]), reader, call.sender)
        guard !shut.isEmpty else { return [.paths(open), .path(SecretPath.none)] }
        return [.paths(open), try prompt(.unlock(shut), reader, call.sender)]
    }

    /// Which objects are open for a client, and for which of the others the owner has to be asked. What the owner refused is in neither.
    func sorted(
        _ objects: [Catalog.Found], _ reader: Reader, _ client: String
    ) throws(ServiceFailure) -> (open: [Catalog.Found], shut: [Catalog.Found]) {
        var items: [SecretItem] = []
        for case .item(let place) in objects { if let item = catalog[place] { items.append(item) } }
        let (isOpen, standings) = try readable(items, by: reader, client)
        let standing = Dictionary(zip(items.map(\.place), standings), uniquingKeysWith: { first, _ in first })
        var (open, shut): ([Catalog.Found], [Catalog.Found]) = ([], [])
        for object in objects {
            switch object {
            case .collection: if isOpen && !catalog.isLocked(object) { open.append(object) } else { shut.append(object) }
            case .item(let place):
                switch standing[place] {
                case .free: open.append(object)
                case .asks: shut.append(object)
                case .refused, .missing, nil: break
                }
            }
        }
        return (open, shut)
    }
}
