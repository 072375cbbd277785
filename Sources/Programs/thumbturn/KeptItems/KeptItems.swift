import ThumbAccess
import ThumbClient

/// An item that the desktop's programs keep, as the owner names it: by its label, or by its ID.
struct NamedItem: Sendable {
    let reference: [UInt8]
    /// Its name in the owner's answers, which is its ID here.
    let id: ExactName
    let label: String
    let maker: ExactName
    let rule: AccessRule

    fileprivate init?(_ found: FoundItem) {
        guard let id = KeptItem.name(ofReference: found.persistentRef) else { return nil }
        func text(_ name: AttributeName) -> String { if case .text(let text)? = found.attributes[name] { text } else { "" } }
        (reference, rule) = (found.persistentRef, found.rule)
        (self.id, label, maker) = (id, text(.label), ExactName(text(.comment)))
    }

    var wish: AppWish { .keptItem(id) }

    /// Its label, safe to print; its ID if it has none.
    var shown: String { label.isEmpty ? id.text : SafeText(label, limit: 60).description }

    var json: [(String, JSON)] { [("item", .text(id.text)), ("label", .text(label))] }
}

/// What the desktop's programs keep.
enum KeptItems {
    static func all() throws(Failure) -> [NamedItem] {
        do throws(KeychainFailure) {
            return try DeviceClient.shared.keptItems().compactMap(NamedItem.init)
        } catch {
            throw Failure(error, about: .keptItems)
        }
    }

    /// The item that the command line names: the only one with that label, or the one with that ID.
    static func item(_ name: String) throws(Failure) -> NamedItem {
        let all = try all()
        if let item = all.first(where: { $0.id == ExactName(name) }) { return item }
        let named = all.filter { ExactName($0.label) == ExactName(name) }
        guard let item = named.first else { throw .keptItemNotFound(name) }
        guard named.count == 1 else { throw .keptItemAmbiguous(name) }
        return item
    }

    /// The items that decisions are about, by their IDs. Nobody is asked for them if there is no such decision.
    static func named(in apps: [KnownApp]) throws(Failure) -> [ExactName: NamedItem] {
        let isNeeded = apps.contains { if case .keptItem = $0.wish { true } else { false } }
        guard isNeeded else { return [:] }
        return Dictionary(try all().map { ($0.id, $0) }) { first, _ in first }
    }
}
