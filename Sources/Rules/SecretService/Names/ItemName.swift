public import ThumbAccess

/// An item's name on the bus. This version names items by numbers. What is in the store may have another name: it came from elsewhere,
/// and programs may know it by its path.
public enum ItemName: Sendable, Hashable, Comparable {
    /// A number, from 1 on, in its one form: digits without a leading zero.
    case number(UInt64)
    /// Letters, digits and underscores of ASCII that are no such number.
    case word(ExactName)

    /// A name from a path or from the store; nil if it can't be part of a path.
    public init?(_ text: some StringProtocol) {
        if let number = SecretPath.number(text) {
            self = .number(number)
        } else {
            guard CollectionName.isElement(text) else { return nil }
            self = .word(ExactName(String(text)))
        }
    }

    /// The name, as it is in a path.
    public var text: String {
        switch self {
        case .number(let number): "\(number)"
        case .word(let word): word.text
        }
    }

    /// Numbers come first, in their order.
    public static func < (one: ItemName, other: ItemName) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): one < other
        case (.word(let one), .word(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        case (.number, .word): true
        case (.word, .number): false
        }
    }
}
