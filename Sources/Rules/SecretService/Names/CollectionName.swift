public import ThumbAccess

/// A collection's name on the bus: letters, digits and underscores of ASCII.
public struct CollectionName: Sendable, Hashable {
    /// The name, as it is in a path.
    public let name: ExactName

    /// The collection that always exists, and that `default` means unless told otherwise.
    public static let login = CollectionName(known: "login")
    /// The collection in this process's memory.
    public static let session = CollectionName(known: "session")

    private init(known name: ExactName) { self.name = name }

    /// A name from a path or from the store; nil if it can't be part of a path.
    public init?(_ text: String) {
        guard Self.isElement(text) else { return nil }
        name = ExactName(text)
    }

    /// The name for a new collection with that label: the label's letters and digits, and a number if the name is taken.
    public init(label: String, isTaken: (CollectionName) -> Bool) {
        var plain = ""
        for byte in label.utf8.prefix(64) {
            plain.unicodeScalars.append(Self.isLetter(byte) ? Unicode.Scalar(byte) : "_")
        }
        if plain.isEmpty { plain = "collection" }
        var candidate = CollectionName(known: ExactName(plain))
        var number = 1
        while isTaken(candidate) {
            number += 1
            candidate = CollectionName(known: ExactName("\(plain)_\(number)"))
        }
        self = candidate
    }

    /// Whether a text can be one element of an object path.
    static func isElement(_ text: some StringProtocol) -> Bool {
        let bytes = text.utf8
        return (1...SecretServiceLimit.nameBytes).contains(bytes.count) && bytes.allSatisfy(isLetter)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// An item's place on the bus: its collection, and its name there.
public struct ItemPlace: Sendable, Hashable {
    /// The collection that it is in.
    public let collection: CollectionName
    /// Its name there.
    public let name: ItemName

    /// The place of that item.
    public init(_ collection: CollectionName, _ name: ItemName) { (self.collection, self.name) = (collection, name) }

    /// The place of an item with a number.
    public init(_ collection: CollectionName, _ number: UInt64) { self.init(collection, .number(number)) }
}
