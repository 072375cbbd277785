/// Finds items by their attributes without looking at all of them.
///
/// Each pair of name and value is known by a hash whose key is this process's own, so nobody can prepare pairs that fall together. A hash
/// only suggests an item; its attributes are compared.
struct AttributeIndex {
    /// The slots of the items that have a pair, ascending.
    private var slots: [Int: [UInt32]] = [:]

    private static func hash(_ pair: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        // Eight bytes at a time: one at a time would take as long as the lookup.
        var word: UInt64 = 0
        for (place, byte) in pair.enumerated() {
            word = word << 8 | UInt64(byte)
            if place & 7 == 7 {
                hasher.combine(word)
                word = 0
            }
        }
        hasher.combine(word)
        return hasher.finalize()
    }

    /// Adds an item. Its slot is higher than every one before it, or was removed a moment ago.
    mutating func add(_ attributes: ItemAttributes, _ slot: UInt32) {
        for field in attributes.fields {
            let key = Self.hash(field.both)
            guard let last = slots[key]?.last else {
                slots[key] = [slot]
                continue
            }
            if last < slot {
                slots[key]?.append(slot)
            } else if last != slot, let place = slots[key]?.firstPlace(notBelow: slot), slots[key]?[place] != slot {
                slots[key]?.insert(slot, at: place)
            }
        }
    }

    mutating func remove(_ attributes: ItemAttributes, _ slot: UInt32) {
        for field in attributes.fields {
            let key = Self.hash(field.both)
            guard let place = slots[key]?.firstPlace(notBelow: slot), slots[key]?[place] == slot else { continue }
            if slots[key]?.count == 1 { slots[key] = nil } else { slots[key]?.remove(at: place) }
        }
    }

    /// The slots that may have all of these attributes: those of the rarest one. nil if no attribute is wanted.
    func candidates(_ wanted: ItemAttributes) -> [UInt32]? {
        var rarest: [UInt32]?
        for field in wanted.fields {
            guard let found = slots[Self.hash(field.both)] else { return [] }
            if rarest.map({ found.count < $0.count }) ?? true { rarest = found }
        }
        return rarest
    }
}

extension [UInt32] {
    /// The place of the first element that isn't below a value, or of where it would be.
    fileprivate func firstPlace(notBelow value: UInt32) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
