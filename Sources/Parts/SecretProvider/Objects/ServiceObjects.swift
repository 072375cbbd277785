import ThumbAccess
import ThumbBus
import ThumbLoop
import ThumbSecretService

/// The tree of objects, looked up at each call.
@OnLoop final class ServiceObjects: BusObjects {
    private unowned let provider: SecretProvider
    /// Objects of other services on the same connection, by their paths.
    private let others: [String: [BusInterface]]
    /// Objects that come and go, at paths that whoever calls has chosen. None is shown to whoever walks through the tree.
    private let passing: (_ path: String) -> [BusInterface]?

    init(
        _ provider: SecretProvider, others: [String: [BusInterface]] = [:],
        passing: @escaping (_ path: String) -> [BusInterface]? = { _ in nil }
    ) {
        self.provider = provider
        self.others = others
        self.passing = passing
    }

    func interfaces(at path: String) -> [BusInterface]? {
        if let other = others[path] { return other }
        guard let place = SecretPath(path) else { return passing(path) }
        switch place {
        case .service: return [provider.interfaces.service]
        case .session(let number): return provider.sessions.has(number) ? [provider.interfaces.session] : nil
        case .prompt(let number): return provider.prompts.has(number) ? [provider.interfaces.prompt] : nil
        case .collection, .alias, .item, .aliasItem:
            switch provider.catalog.find(place) {
            case .collection: return [provider.interfaces.collection]
            case .item: return [provider.interfaces.item]
            case nil: return nil
            }
        }
    }

    func children(of path: String) -> [String] {
        var children = Set(others.keys.compactMap { Self.next(of: $0, below: path) })
        if let next = Self.next(of: SecretPath.root, below: path) { children.insert(next) }
        return own(path) + children.sorted()
    }

    private func own(_ path: String) -> [String] {
        let catalog = provider.catalog
        switch path {
        case SecretPath.root:
            let now = [("prompt", provider.prompts.numbers), ("session", provider.sessions.numbers)]
            return ["aliases", "collection"] + now.filter { !$0.1.isEmpty }.map(\.0)
        case SecretPath.root + "/aliases": return catalog.aliases.map(\.text)
        case SecretPath.root + "/collection": return catalog.collections.map(\.name.text)
        case SecretPath.root + "/session": return provider.sessions.numbers.map { "\($0)" }
        case SecretPath.root + "/prompt": return provider.prompts.numbers.map { "\($0)" }
        default: break
        }
        guard let place = SecretPath(path), case .collection(let name)? = catalog.find(place) else { return [] }
        return catalog.places(in: name).map { $0.name.text }
    }

    /// The element of a path that follows another path.
    private static func next(of path: String, below parent: String) -> String? {
        let prefix = parent == "/" ? "/" : parent + "/"
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: path.utf8.dropFirst(prefix.utf8.count).prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }
}
