import ThumbBus
import ThumbLoop

/// Copies everything in one Secret Service into another, and removes nothing. Run again, it copies what isn't there yet. What is there and was
/// changed since is copied back from Thumbturn, and told where it comes from another keyring: there Thumbturn's may be the newer one.
@OnLoop final class KeyringMove {
    /// How many items are unlocked by one question: as many as one question of Thumbturn's may be about.
    private static let batch = 64
    /// The property by which whoever stores an item says that it is somebody else's: it then belongs to nobody, and everybody who reads it
    /// is asked about. docs/contributors/secret-service.md has it. Only Thumbturn is told; others may refuse what they don't know.
    private static let moved = "org.thumbturn.Item.Moved"

    private let records: RecordWriter
    private let old: KeyringLink
    private let new: KeyringLink
    private let isToOurs: Bool

    init(from: String, to: String, _ records: RecordWriter) throws(Failure) {
        let bus = try SessionBus.connect()
        self.records = records
        old = KeyringLink(bus, from)
        new = KeyringLink(bus, to)
        isToOurs = to == Providers.ours
    }

    func run() async throws(Failure) {
        do throws(BusError) { try await old.find() } catch { throw error.code == .disconnected ? .noBus : .noService }
        do throws(BusError) { try await new.find() } catch { throw .noReceiver }
        guard old.connection != new.connection else { throw .noService }
        do throws(BusError) {
            try await old.openSession()
            try await new.openSession()
            let collections = try await collections()
            records.total(collections.reduce(0) { $0 + $1.items.count })
            for collection in collections { try await move(collection) }
        } catch {
            throw .stopped
        }
    }

    private struct Collection {
        let path: String
        let label: String
        let items: [String]
    }

    private func collections() async throws(BusError) -> [Collection] {
        var found: [Collection] = []
        for path in try await old.paths(KeyringLink.root, "Service", "Collections") where path != KeyringLink.sessionCollection {
            // What stays locked is told item by item.
            _ = try await unlock([path], old)
            let label = try await old.property(path, "Collection", "Label")?.text ?? ""
            found.append(Collection(path: path, label: label, items: try await old.paths(path, "Collection", "Items")))
        }
        return found
    }

    private func unlock(_ paths: [String], _ keyring: KeyringLink) async throws(BusError) -> Bool {
        do throws(BusError) {
            return try await keyring.unlock(paths)
        } catch {
            guard error.code == .refused else { throw error }
            return false
        }
    }

    private func move(_ collection: Collection) async throws(BusError) {
        if collection.items.isEmpty { return }
        guard let place = try await place(of: collection) else {
            for _ in collection.items { records.left(collection.label, .notTaken) }
            return
        }
        let (found, failure) = try await compared(collection, with: place)
        var missing: [(path: String, item: KeyringItem, replaces: Bool)] = []
        for (path, item, copy, isAlone) in found {
            if let copy, !item.isChanged(since: copy, isOurs: !isToOurs) {
                records.present()
            } else if copy != nil, isToOurs || !isAlone {
                records.left(item.label.isEmpty ? collection.label : item.label, .changed)
            } else {
                missing.append((path, item, copy != nil))
            }
        }
        var rest = missing[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.batch)
            rest = rest.dropFirst(some.count)
            let locked = some.filter(\.item.isLocked).map(\.path)
            let isOpen = locked.isEmpty ? true : try await unlock(locked, old)
            for (path, item, replaces) in some {
                try await move(path, item, to: place, replaces, isOpen || !item.isLocked, collection.label)
            }
        }
        if let failure { throw failure }
    }

    private typealias Compared = (path: String, item: KeyringItem, copy: KeyringItem?, isAlone: Bool)

    /// A collection's items, each with its copy and whether nothing else there looks like it; and the failure behind which no others could be
    /// read. What was found until then can still be copied.
    private func compared(
        _ collection: Collection, with place: String
    ) async throws(BusError) -> (found: [Compared], failure: BusError?) {
        var copies = KeyringCopies()
        for path in try await new.paths(place, "Collection", "Items") {
            copies.add(KeyringItem(try await new.facts(path, "Item")))
        }
        var found: [Compared] = []
        var failure: BusError?
        for path in collection.items where failure == nil {
            do throws(BusError) {
                let item = KeyringItem(try await old.facts(path, "Item"))
                found.append((path, item, copies.take(equalTo: item), copies.hasOne(like: item)))
            } catch {
                do throws(BusError) { try records.left(collection.label, after: error) } catch { failure = error }
            }
        }
        // Only now: an item's own copy isn't another one's.
        for index in found.indices where found[index].copy == nil { found[index].copy = copies.take(alike: found[index].item) }
        return (found, failure)
    }

    private func move(
        _ path: String, _ item: KeyringItem, to place: String, _ replaces: Bool, _ isOpen: Bool, _ collection: String
    ) async throws(BusError) {
        let shown = item.label.isEmpty ? collection : item.label
        if !isOpen { return records.left(shown, .locked) }
        let secret: (bytes: [UInt8], type: String)
        do throws(BusError) {
            secret = try await old.secret(of: path)
        } catch {
            return try records.left(shown, after: error)
        }
        do throws(BusError) {
            try await store(item, secret, in: place, replaces) ? records.moved() : records.left(shown, .notTaken)
        } catch {
            guard error.code == .refused else { throw error }
            records.left(shown, .notTaken)
        }
    }

    // MARK: Where it goes

    /// The collection there that stands for this one; nil if there is none and none can be made.
    private func place(of collection: Collection) async throws(BusError) -> String? {
        let all = try await new.paths(KeyringLink.root, "Service", "Collections")
        if try await alias("default", old) == collection.path, let usual = try await alias("default", new) {
            return try await unlock([usual], new) ? usual : nil
        }
        for path in all where path != KeyringLink.sessionCollection {
            guard try await new.property(path, "Collection", "Label")?.text == collection.label else { continue }
            return try await unlock([path], new) ? path : nil
        }
        return try await make(collection.label)
    }

    private func alias(_ name: String, _ keyring: KeyringLink) async throws(BusError) -> String? {
        let path = try await keyring.ask(KeyringLink.root, "Service", "ReadAlias", [.string(name)]).first?.text
        return path == "/" ? nil : path
    }

    private func make(_ label: String) async throws(BusError) -> String? {
        let properties = BusValue.array([.entry([.string(KeyringLink.interface + "Collection.Label"), .variant(.string(label))])])
        let answer = try await new.ask(KeyringLink.root, "Service", "CreateCollection", [properties, .string("")], as: "a{sv}s")
        guard answer.count == 2, let path = answer[0].text, let prompt = answer[1].text else { throw BusError(.malformed) }
        return prompt == "/" ? path : try await new.answer(prompt)?.text
    }

    private func store(
        _ item: KeyringItem, _ secret: (bytes: [UInt8], type: String), in place: String, _ replaces: Bool
    ) async throws(BusError) -> Bool {
        let attributes = BusValue.array(item.attributes.map { .entry([.string($0.name), .string($0.value)]) })
        var properties: [BusValue] = [
            .entry([.string(KeyringLink.interface + "Item.Label"), .variant(.string(item.label))]),
            .entry([.string(KeyringLink.interface + "Item.Attributes"), .typedVariant("a{ss}", attributes)]),
        ]
        if isToOurs { properties.append(.entry([.string(Self.moved), .variant(.bool(true))])) }
        let words: [BusValue] = [
            .array(properties),
            .structure([.path(new.session), .bytes([]), .bytes(secret.bytes), .string(secret.type)]), .bool(replaces),
        ]
        let answer = try await new.ask(place, "Collection", "CreateItem", words, as: "a{sv}(oayays)b")
        guard answer.count == 2, let path = answer[0].text, let prompt = answer[1].text else { throw BusError(.malformed) }
        if prompt == "/" { return path != "/" }
        return try await new.answer(prompt) != nil
    }
}
