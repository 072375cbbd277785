import ThumbAccess
import ThumbCrypto
import ThumbKeychain

/// The keyed names under which items are found: MACs cut to sixteen bytes.
struct LookupIndex {
    static let macBytes = 16
    let key: HMACKey

    /// What a query looks for.
    enum Probe: Equatable {
        case list
        case attribute(AttributeName)
        case together
    }

    private enum Kind: UInt8 {
        case uniqueness = 0
        case list = 1
        case attribute = 2
        case together = 3
    }

    /// Whether items are found by this attribute. Dates, rules, and values that most items share are left out.
    static func isIndexed(_ name: AttributeName) -> Bool {
        switch name {
        case .created, .modified, .group, .accessible, .accessControl, .synchronizable: false
        default: true
        }
    }

    func uniqueness(_ item: StoredItem) throws -> [UInt8] {
        try mac(.uniqueness, item.itemClass, item.group) { $0.raw(item.uniqueness) }
    }

    /// All index rows of an item.
    func lookups(_ item: StoredItem) throws -> Set<[UInt8]> {
        var probes: [Probe] = [.list]
        probes += item.attributes.keys.filter(Self.isIndexed).map { .attribute($0) }
        if Self.hasAll(item.attributes, item.itemClass) { probes.append(.together) }
        return try Set(probes.compactMap { try mac($0, item.itemClass, item.group, item.attributes) })
    }

    /// The probes that would find everything with these attributes, the most specific first.
    static func probes(_ attributes: Attributes, _ itemClass: ItemClass) -> [Probe] {
        if hasAll(attributes, itemClass) { return [.together] }
        let names = attributes.keys.filter(isIndexed).sorted()
        return names.isEmpty ? [.list] : names.map { .attribute($0) }
    }

    private static func hasAll(_ attributes: Attributes, _ itemClass: ItemClass) -> Bool {
        let names = itemClass.lookupAttributes
        return !names.isEmpty && names.allSatisfy { attributes[$0] != nil }
    }

    /// The MAC that a probe looks for in one class and group.
    func mac(_ probe: Probe, _ itemClass: ItemClass, _ group: ExactName, _ attributes: Attributes) throws -> [UInt8] {
        func add(_ name: AttributeName, _ writer: inout ByteWriter) {
            writer.integer(name.code)
            writer.counted(attributes[name] ?? .data([]))
        }
        switch probe {
        case .list: return try mac(.list, itemClass, group) { _ in }
        case .attribute(let name): return try mac(.attribute, itemClass, group) { add(name, &$0) }
        case .together:
            return try mac(.together, itemClass, group) { for name in itemClass.lookupAttributes { add(name, &$0) } }
        }
    }

    private func mac(
        _ kind: Kind, _ itemClass: ItemClass, _ group: ExactName, _ rest: (inout ByteWriter) -> Void
    ) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 128)
        writer.byte(kind.rawValue)
        writer.byte(itemClass.rawValue)
        writer.counted(group.text)
        rest(&writer)
        return Array(try HMAC256.authenticate(writer.bytes, key: key).prefix(Self.macBytes))
    }
}
