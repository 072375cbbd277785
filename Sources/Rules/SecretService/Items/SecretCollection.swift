public import ThumbAccess

/// A collection as the provider knows it.
public struct SecretCollection: Sendable, Hashable {
    /// Its name on the bus.
    public var name: CollectionName
    /// The daemon's name for it; empty if only the provider knows it.
    public var reference: [UInt8]
    /// What a person calls it.
    public var label: String
    /// The other names under which it is found.
    public var aliases: [ExactName]
    /// When it was made, in seconds since 1970.
    public var created: UInt64
    /// When it was last changed, in seconds since 1970.
    public var modified: UInt64

    /// A collection with these facts.
    public init(
        name: CollectionName, reference: [UInt8] = [], label: String, aliases: [ExactName] = [], created: UInt64 = 0,
        modified: UInt64 = 0
    ) {
        (self.name, self.reference, self.label) = (name, reference, label)
        (self.aliases, self.created, self.modified) = (aliases, created, modified)
    }

    /// The alias of the collection in which programs keep their passwords unless they say otherwise.
    public static let defaultAlias: ExactName = "default"
    /// The alias of the collection that is forgotten at logout.
    public static let sessionAlias: ExactName = "session"

    /// Whether it can be an alias: it is part of a path.
    public static func isAlias(_ name: ExactName) -> Bool { CollectionName.isElement(name.text) }

    /// The aliases in the kept form: each after its length.
    var keptAliases: [UInt8] {
        var bytes: [UInt8] = []
        for alias in aliases {
            let count = UInt32(clamping: alias.utf8.count)
            for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
            bytes.append(contentsOf: alias.utf8)
        }
        return bytes
    }

    /// The aliases of the kept form; nil if it is another form.
    static func aliases(kept bytes: [UInt8]) -> [ExactName]? {
        var aliases: [ExactName] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 4, aliases.count < SecretServiceLimit.aliases else { return nil }
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard count <= rest.count, let text = String(validating: rest.prefix(count), as: UTF8.self) else { return nil }
            let alias = ExactName(text)
            guard isAlias(alias) else { return nil }
            aliases.append(alias)
            rest = rest.dropFirst(count)
        }
        return aliases
    }
}
