import ThumbAccess

/// A persistent reference: four letters for the class, then the item's name. It is opaque to apps, and only references made here are
/// accepted.
enum PersistentRef {
    static func make(_ item: StoredItem) -> [UInt8] { make(item.itemClass, item.id) }

    static func make(_ itemClass: ItemClass, _ id: ItemID) -> [UInt8] { letters(itemClass) + id.bytes }

    static func read(_ bytes: [UInt8]) throws(KeychainFailure) -> (ItemClass, ItemID) {
        guard let kind = ItemClass.allCases.first(where: { bytes.starts(with: letters($0)) }),
            let id = ItemID(Array(bytes.dropFirst(4)))
        else { throw .parameter }
        return (kind, id)
    }

    private static func letters(_ itemClass: ItemClass) -> [UInt8] {
        switch itemClass {
        case .genericPassword: Array("genp".utf8)
        case .internetPassword: Array("inet".utf8)
        case .certificate: Array("cert".utf8)
        case .key: Array("keys".utf8)
        case .identity: Array("idnt".utf8)
        }
    }
}
