public import ThumbAccess

/// The attributes by which an item is found, in the form in which they are kept: sorted by their names' bytes, each name and value after
/// its length. So two sets of attributes are identical if their bytes are.
public struct ItemAttributes: Sendable, Hashable {
    /// One attribute.
    public struct Pair: Sendable, Hashable {
        /// Its name.
        public let name: ExactName
        /// Its value.
        public let value: ExactName

        /// An attribute of that name and value.
        public init(_ name: ExactName, _ value: ExactName) { (self.name, self.value) = (name, value) }
    }

    /// The kept form.
    public let bytes: [UInt8]

    /// No attributes.
    public static let none = ItemAttributes(sorted: [])

    /// The name of the attribute by which libraries say what kind of item it is.
    public static let schema: ExactName = "xdg:schema"

    /// Those attributes. Fails as invalid if a name is there twice, or if they are over a limit.
    public init(_ pairs: [Pair]) throws(ServiceFailure) {
        guard pairs.count <= SecretServiceLimit.attributes else { throw .invalid }
        let sorted = pairs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.name == next.name { throw .invalid }
        self.init(sorted: sorted)
        guard bytes.count <= SecretServiceLimit.attributeBytes else { throw .invalid }
    }

    /// The attributes of the kept form; nil if it is another form.
    public init?(kept bytes: [UInt8]) {
        self.bytes = bytes
        var (place, count): (Int, Int) = (0, 0)
        var latest: ArraySlice<UInt8>?
        while place < bytes.count {
            guard let name = Self.text(bytes, &place), Self.text(bytes, &place) != nil else { return nil }
            if let latest, !latest.lexicographicallyPrecedes(name) { return nil }
            latest = name
            count += 1
        }
        guard count <= SecretServiceLimit.attributes else { return nil }
    }

    private init(sorted: [Pair]) {
        var bytes: [UInt8] = []
        for pair in sorted {
            Self.put(pair.name, &bytes)
            Self.put(pair.value, &bytes)
        }
        self.bytes = bytes
    }

    private static func put(_ text: ExactName, _ bytes: inout [UInt8]) {
        let count = UInt32(clamping: text.utf8.count)
        for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
        bytes.append(contentsOf: text.utf8)
    }

    /// The text at a place, behind which the place is moved; nil if there is none, or if it isn't UTF-8.
    private static func text(_ bytes: [UInt8], _ place: inout Int) -> ArraySlice<UInt8>? {
        guard bytes.count - place >= 4 else { return nil }
        let count = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        guard count <= bytes.count - place - 4 else { return nil }
        let text = bytes[place + 4..<place + 4 + count]
        guard String(validating: text, as: UTF8.self) != nil else { return nil }
        place += 4 + count
        return text
    }

    /// Each attribute, in order.
    public var pairs: [Pair] {
        fields.map {
            Pair(ExactName(String(decoding: $0.name, as: UTF8.self)), ExactName(String(decoding: $0.value, as: UTF8.self)))
        }
    }

    /// Each attribute's bytes, in order: name and value as they are, and `both` with their lengths.
    var fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>, both: ArraySlice<UInt8>)] {
        var fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>, both: ArraySlice<UInt8>)] = []
        var place = 0
        while place < bytes.count {
            let start = place
            let name = field(&place)
            let value = field(&place)
            fields.append((name, value, bytes[start..<place]))
        }
        return fields
    }

    /// Only for a form that has been checked.
    private func field(_ place: inout Int) -> ArraySlice<UInt8> {
        let count = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        defer { place += 4 + count }
        return bytes[place + 4..<place + 4 + count]
    }

    /// The value under a name.
    public subscript(name: ExactName) -> ExactName? {
        fields.first { $0.name.elementsEqual(name.utf8) }.map { ExactName(String(decoding: $0.value, as: UTF8.self)) }
    }

    /// Whether every one of the other's attributes is among these.
    public func contain(_ wanted: ItemAttributes) -> Bool {
        if wanted.bytes.isEmpty { return true }
        var rest = fields[...]
        for field in wanted.fields {
            // Both are sorted, so each is looked for from where the one before it was found.
            guard let place = rest.firstIndex(where: { $0.both == field.both }) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }
}
