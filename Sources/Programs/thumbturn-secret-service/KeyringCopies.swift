/// What is there already. Each item stands for one.
struct KeyringCopies {
    private var items: [[UInt8]: [KeyringItem]] = [:]
    private var counts: [[UInt8]: Int] = [:]

    mutating func add(_ item: KeyringItem) {
        items[item.look, default: []].append(item)
        counts[item.look, default: 0] += 1
    }

    mutating func take(equalTo item: KeyringItem) -> KeyringItem? { take(item) { $0.hasSchema(of: item) } }

    /// One whose schema isn't told, or is told while the item's isn't.
    mutating func take(alike item: KeyringItem) -> KeyringItem? { take(item) { $0.mayHaveSchema(of: item) } }

    /// Whether there is one such item alone, of whatever schema. Among several a keyring that replaces one may choose another.
    func hasOne(like item: KeyringItem) -> Bool { counts[item.look] == 1 }

    private mutating func take(_ item: KeyringItem, where fits: (KeyringItem) -> Bool) -> KeyringItem? {
        let look = item.look
        guard let index = items[look]?.lastIndex(where: fits) else { return nil }
        return items[look]?.remove(at: index)
    }
}
