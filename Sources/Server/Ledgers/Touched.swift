/// One table's rows as a batch sees them: what it found, and what it made of them.
struct Touched<Key: Hashable & Sendable, Row: Sendable>: Sendable {
    private var rows: [Key: Row] = [:]
    /// Rows that the batch adds, in order.
    private(set) var added: [Key] = []
    private(set) var changed: Set<Key> = []
    /// Rows that were found and that the batch removes. The batch may add another one with the same key.
    private(set) var removed: [Key] = []

    subscript(key: Key) -> Row? { rows[key] }
    var all: [(key: Key, row: Row)] { rows.map { ($0.key, $0.value) } }

    mutating func found(_ row: Row, as key: Key) { rows[key] = row }

    mutating func add(_ row: Row, as key: Key) {
        rows[key] = row
        added.append(key)
    }

    mutating func remove(_ key: Key) {
        guard rows.removeValue(forKey: key) != nil else { return }
        changed.remove(key)
        if let place = added.firstIndex(of: key) { added.remove(at: place) } else { removed.append(key) }
    }

    mutating func change(_ key: Key, _ body: (inout Row) -> Void) {
        guard var row = rows[key] else { return }
        body(&row)
        rows[key] = row
        changed.insert(key)
    }

    /// The added rows in their final state, in order.
    var additions: [(key: Key, row: Row)] { added.compactMap { key in rows[key].map { (key, $0) } } }
    /// Rows that existed before and are different now.
    var changes: [(key: Key, row: Row)] {
        guard !changed.isEmpty else { return [] }
        let new = Set(added)
        return changed.compactMap { key in new.contains(key) ? nil : rows[key].map { (key, $0) } }
    }
}
