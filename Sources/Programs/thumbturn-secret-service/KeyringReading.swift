import CThumbLinux
import ThumbBus
import ThumbLoop

/// Goes through everything in a Secret Service, item by item.
@OnLoop final class KeyringReading {
    private let wantsSecrets: Bool
    private let records: RecordWriter
    private let keyring: KeyringLink

    init(wantsSecrets: Bool, _ records: RecordWriter) throws(Failure) {
        self.wantsSecrets = wantsSecrets
        self.records = records
        keyring = KeyringLink(try SessionBus.connect(), KeyringLink.service)
    }

    func run() async throws(Failure) {
        do throws(BusError) {
            try await keyring.find()
        } catch {
            throw error.code == .disconnected ? .noBus : .noService
        }
        do throws(BusError) {
            try await keyring.openSession()
            let items = try await items()
            records.total(items.count)
            for item in items { try await read(item) }
        } catch {
            throw .stopped
        }
    }

    private struct Place {
        let path: String
        /// The collection's name, for an item without a label.
        let collection: String
        let isLasting: Bool
    }

    /// The places of all items, each once, collection by collection.
    private func items() async throws(BusError) -> [Place] {
        var found: [Place] = []
        var known: Set<String> = []
        for collection in try await keyring.paths(KeyringLink.root, "Service", "Collections") {
            try await unlock(collection)
            let label = try await keyring.property(collection, "Collection", "Label")?.text ?? ""
            for path in try await keyring.paths(collection, "Collection", "Items") where known.insert(path).inserted {
                found.append(Place(path: path, collection: label, isLasting: collection != KeyringLink.sessionCollection))
            }
        }
        return found
    }

    /// Unlocks a collection without a password. If somebody would have to be asked, it stays locked.
    private func unlock(_ collection: String) async throws(BusError) {
        do throws(BusError) {
            _ = try await keyring.ask(KeyringLink.root, "Service", "Unlock", [.array([.path(collection)])])
        } catch {
            guard error.code == .refused || error.code == .timedOut else { throw error }
        }
    }

    /// Writes a record for one item. Only a missing service ends the walk.
    private func read(_ place: Place) async throws(BusError) {
        let item: KeyringItem
        do throws(BusError) {
            item = KeyringItem(try await keyring.facts(place.path, "Item"))
        } catch {
            return try records.left(place.collection, after: error)
        }
        // A locked item may not even tell its label.
        let shown = item.label.isEmpty ? place.collection : item.label
        if !place.isLasting { return records.left(shown, .untilLogout) }
        if item.isLocked { return records.left(shown, .locked) }
        guard wantsSecrets else { return records.item(item.label, item.attributes, []) }
        do throws(BusError) {
            records.item(item.label, item.attributes, try await keyring.secret(of: place.path).bytes)
        } catch {
            try records.left(shown, after: error)
        }
    }
}
