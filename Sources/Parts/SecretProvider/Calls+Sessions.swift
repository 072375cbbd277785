import ThumbAccess
import ThumbBus
import ThumbLoop
import ThumbSecretService

// Sessions, and what a call's values say.
extension SecretProvider {
    func openSession(_ call: BusInvocation) throws(ServiceFailure) -> [BusValue] {
        guard let algorithm = call.values[0].text, case .variant(let input) = call.values[1] else { throw .invalid }
        try clients.note(call.sender)
        let (cipher, output) = try SessionCipher.begin(algorithm, input)
        let number = try sessions.open(call.sender, cipher)
        return [output, .path(SecretPath.session(number).text)]
    }

    func closeSession(_ call: BusInvocation) throws(ServiceFailure) -> [BusValue] {
        guard case .session(let number)? = SecretPath(call.path) else { throw .noSession }
        try sessions.close(number, of: call.sender)
        onQuiet?()
        return []
    }

    /// The cipher of a session of the caller's.
    func cipher(at path: String?, for client: String) throws(ServiceFailure) -> SessionCipher {
        guard let path, case .session(let number)? = SecretPath(path) else { throw .noSession }
        return try sessions.cipher(of: number, for: client)
    }

    // MARK: Objects

    /// The collection at a path.
    func collection(at path: String) throws(ServiceFailure) -> SecretCollection {
        guard let place = SecretPath(path), case .collection(let name)? = catalog.find(place), let found = catalog[name] else {
            throw .noSuchObject
        }
        return found
    }

    /// The item at a path.
    func item(at path: String) throws(ServiceFailure) -> SecretItem {
        guard let place = SecretPath(path), case .item(let found)? = catalog.find(place), let item = catalog[found] else {
            throw .noSuchObject
        }
        return item
    }

    /// The objects at paths, each once. Those that aren't there are left out.
    func objects(_ paths: BusValue) throws(ServiceFailure) -> [Catalog.Found] {
        guard let list = paths.list, list.count <= SecretServiceLimit.objects else { throw .invalid }
        var known: Set<Catalog.Found> = []
        return list.compactMap { $0.text.flatMap { SecretPath($0) }.flatMap { catalog.find($0) } }.filter {
            known.insert($0).inserted
        }
    }
}

extension Catalog.Found {
    /// The collection that it is, or that it is in.
    var collection: CollectionName {
        switch self {
        case .collection(let name): name
        case .item(let place): place.collection
        }
    }

    /// Where it is.
    var path: SecretPath {
        switch self {
        case .collection(let name): .collection(name)
        case .item(let place): .item(place)
        }
    }
}

extension BusValue {
    /// Paths as a value.
    static func paths(_ found: [Catalog.Found]) -> BusValue { .array(found.map { .path($0.path.text) }) }

    /// Attributes as a value.
    static func attributes(_ attributes: ItemAttributes) -> BusValue {
        .array(attributes.pairs.map { .entry([.string($0.name.text), .string($0.value.text)]) })
    }

    /// Attributes in a dictionary of texts.
    var attributes: ItemAttributes {
        get throws(ServiceFailure) {
            guard let entries = list else { throw .invalid }
            var pairs: [ItemAttributes.Pair] = []
            for case .entry(let entry) in entries where entry.count == 2 {
                guard let name = entry[0].text, let value = entry[1].text else { throw .invalid }
                pairs.append(ItemAttributes.Pair(ExactName(name), ExactName(value)))
            }
            return try ItemAttributes(pairs)
        }
    }
}
