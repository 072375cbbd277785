public import ThumbAccess
import ThumbSecrets

// Items: added, found, changed, removed.

/// Adds an item. The answer is a page with that one item.
public struct AddItem: Call {
    public static let wireKind = WordKind.addItem
    public typealias Reply = ItemPage

    public let item: NewItem

    public init(_ item: NewItem) { self.item = item }
    public func encode(to encoder: inout Encoder) { encoder.put(item) }
    public init(from decoder: inout Decoder) throws(Refusal) { item = try decoder.value() }
}

/// Adds an item in the place of the one with its name, if there is one. The answer is a page with that one item.
public struct PutItem: Call {
    public static let wireKind = WordKind.putItem
    public typealias Reply = ItemPage

    public let item: NewItem

    public init(_ item: NewItem) { self.item = item }
    public func encode(to encoder: inout Encoder) { encoder.put(item) }
    public init(from decoder: inout Decoder) throws(Refusal) { item = try decoder.value() }
}

/// Finds items.
public struct FindItems: Call {
    public static let wireKind = WordKind.findItems
    public typealias Reply = ItemPage
    public typealias Failure = ReleaseFailure

    public let query: Query

    public init(_ query: Query) { self.query = query }
    public func encode(to encoder: inout Encoder) { encoder.put(query) }
    public init(from decoder: inout Decoder) throws(Refusal) { query = try decoder.value() }
}

/// Changes the items that a query matches.
public struct UpdateItems: Call {
    public static let wireKind = WordKind.updateItems
    public typealias Reply = Done
    public typealias Failure = ReleaseFailure

    public let query: Query
    public let change: ItemChange

    public init(_ query: Query, _ change: ItemChange) { (self.query, self.change) = (query, change) }
    public func encode(to encoder: inout Encoder) { encoder.put(query, change) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), try decoder.value()) }
}

/// Removes the items that a query matches.
public struct RemoveItems: Call {
    public static let wireKind = WordKind.removeItems
    public typealias Reply = Done

    public let query: Query

    public init(_ query: Query) { self.query = query }
    public func encode(to encoder: inout Encoder) { encoder.put(query) }
    public init(from decoder: inout Decoder) throws(Refusal) { query = try decoder.value() }
}

/// Some of the items that a call found; pages follow each other until the last.
public struct ItemPage: Word {
    public static let wireKind = WordKind.itemPage

    public let items: [FoundItem]
    public let isLast: Bool

    public init(_ items: [FoundItem], isLast: Bool = true) { (self.items, self.isLast) = (items, isLast) }
    // Each secret is a send of its own. The flag comes first, so that nothing follows a single item's secret and two sends are enough.
    public func encode(to encoder: inout Encoder) { encoder.put(isLast, items) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        isLast = try decoder.value()
        items = try decoder.value()
    }
}

// MARK: What stands in them

extension NewItem: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(itemClass, attributes, rule, secret, shape, asking) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            itemClass: try decoder.value(), attributes: try decoder.value(), rule: try decoder.value(),
            secret: try decoder.value(), shape: try decoder.value(), asking: try decoder.value())
    }
}

extension ItemChange: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(attributes, rule, secret) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(attributes: try decoder.value(), rule: try decoder.value(), secret: try decoder.value())
    }
}

extension FoundItem: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(itemClass, attributes, rule, persistentRef, secret) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            itemClass: try decoder.value(), attributes: try decoder.value(), rule: try decoder.value(),
            persistentRef: try decoder.value(), secret: try decoder.value())
    }

    /// Roughly what it takes on the wire, for cutting a list into pages.
    public var wireSize: Int { attributes.reduce(64 + (secret?.count ?? 0)) { $0 + 16 + $1.value.byteCount } }
}

extension Query: WireValue {
    public func encode(to encoder: inout Encoder) {
        encoder.put(itemClass, attributes, sync, persistentRef, hostOrSubdomain)
        encoder.put(limit.map { UInt32(clamping: $0) }, shape, asking)
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            itemClass: try decoder.value(), attributes: try decoder.value(), sync: try decoder.value(),
            persistentRef: try decoder.value(), hostOrSubdomain: try decoder.value(),
            limit: try decoder.value(UInt32?.self).map { Int($0) }, shape: try decoder.value(), asking: try decoder.value())
    }
}

extension ResultShape: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(rawValue) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(rawValue: try decoder.value()) }
}

extension AskingTerms: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(context, permission, reuseSeconds, words) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            context: try decoder.value(), permission: try decoder.value(), reuseSeconds: try decoder.value(),
            words: try decoder.value())
    }
}

extension PromptWords: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(reason, fallbackTitle, cancelTitle) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        let reason = try decoder.value(String.self)
        let (fallback, cancel) = (try decoder.value(String?.self), try decoder.value(String?.self))
        for words in [reason, fallback ?? "", cancel ?? ""] where words.utf8.count > QueryLimit.wordsBytes { throw .malformed }
        self.init(reason: reason, fallbackTitle: fallback, cancelTitle: cancel)
    }
}

extension AccessRule: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(accessibility, constraints.rawValue) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        let accessibility = try decoder.value(Accessibility.self)
        let constraints = Constraints(rawValue: try decoder.value())
        do {
            self = try AccessRule(accessibility, constraints)
        } catch {
            throw .malformed
        }
    }
}

/// Attributes, each name at most once, in alphabetical order.
extension Dictionary: WireValue where Key == AttributeName, Value == AttributeValue {
    public func encode(to encoder: inout Encoder) {
        encoder.put(UInt32(count))
        for (name, value) in sorted(by: { $0.key < $1.key }) { encoder.put(name.code, value) }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        let count = try decoder.count()
        // Reserves room for as many attributes as an item has. A false count gets no more than that.
        self.init(minimumCapacity: Swift.min(count, 64))
        for _ in 0..<count {
            let name = AttributeName(code: try decoder.value())
            guard updateValue(try decoder.value(), forKey: name) == nil else { throw .malformed }
        }
    }
}

extension AttributeValue: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .text(let text): encoder.put(UInt8(1), text)
        case .data(let data): encoder.put(UInt8(2), data)
        case .number(let number): encoder.put(UInt8(3), UInt64(bitPattern: number))
        case .flag(let flag): encoder.put(UInt8(4), flag)
        case .date(let date): encoder.put(UInt8(5), date)
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .text(try decoder.value())
        case 2: self = .data(try decoder.value())
        case 3: self = .number(Int64(bitPattern: try decoder.value()))
        case 4: self = .flag(try decoder.value())
        case 5: self = .date(try decoder.value())
        default: throw .malformed
        }
    }
}

/// A name is a text on the wire, byte for byte.
extension ExactName: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(text) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value()) }
}
