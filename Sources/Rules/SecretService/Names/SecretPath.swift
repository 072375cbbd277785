public import ThumbAccess

/// What an object path of the service means.
public enum SecretPath: Sendable, Hashable {
    case service
    case collection(CollectionName)
    case item(ItemPlace)
    /// An alias, which stands for a collection.
    case alias(ExactName)
    /// An item by its collection's alias.
    case aliasItem(ExactName, ItemName)
    case session(UInt64)
    case prompt(UInt64)

    /// The path of the service, below which everything else is.
    public static let root = "/org/freedesktop/secrets"
    /// What stands where there is no object.
    public static let none = "/"

    /// The meaning of a path; nil if there is never an object at it.
    public init?(_ path: String) {
        guard path.utf8.starts(with: Self.root.utf8) else { return nil }
        let rest = Substring(path.utf8.dropFirst(Self.root.utf8.count))
        if rest.isEmpty {
            self = .service
            return
        }
        let parts = rest.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
        guard parts.count >= 3, parts[0].isEmpty else { return nil }
        switch (ExactName(String(parts[1])), parts.count) {
        case ("collection", 3):
            guard let name = CollectionName(String(parts[2])) else { return nil }
            self = .collection(name)
        case ("collection", 4):
            guard let name = CollectionName(String(parts[2])), let item = ItemName(parts[3]) else { return nil }
            self = .item(ItemPlace(name, item))
        case ("aliases", 3):
            guard CollectionName.isElement(parts[2]) else { return nil }
            self = .alias(ExactName(String(parts[2])))
        case ("aliases", 4):
            guard CollectionName.isElement(parts[2]), let item = ItemName(parts[3]) else { return nil }
            self = .aliasItem(ExactName(String(parts[2])), item)
        case ("session", 3):
            guard let number = Self.number(parts[2]) else { return nil }
            self = .session(number)
        case ("prompt", 3):
            guard let number = Self.number(parts[2]) else { return nil }
            self = .prompt(number)
        default: return nil
        }
    }

    /// The path in words.
    public var text: String {
        switch self {
        case .service: Self.root
        case .collection(let name): "\(Self.root)/collection/\(name.name.text)"
        case .item(let place): "\(Self.root)/collection/\(place.collection.name.text)/\(place.name.text)"
        case .alias(let name): "\(Self.root)/aliases/\(name.text)"
        case .aliasItem(let name, let item): "\(Self.root)/aliases/\(name.text)/\(item.text)"
        case .session(let number): "\(Self.root)/session/\(number)"
        case .prompt(let number): "\(Self.root)/prompt/\(number)"
        }
    }

    /// A number in its one form: digits without a leading zero.
    static func number(_ text: some StringProtocol) -> UInt64? {
        let bytes = text.utf8
        guard (1...19).contains(bytes.count), bytes.first != UInt8(ascii: "0") else { return nil }
        var number: UInt64 = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + UInt64(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
