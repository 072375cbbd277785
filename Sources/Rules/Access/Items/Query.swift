public import ThumbSecrets

/// Which rows of the synchronizable column a query sees.
public enum SyncFilter: UInt8, Sendable, Hashable {
    case localOnly = 0
    case syncedOnly = 1
    case any = 2
}

/// What a caller wants back for each match.
public struct ResultShape: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let data = ResultShape(rawValue: 1)
    public static let attributes = ResultShape(rawValue: 2)
    public static let persistentRef = ResultShape(rawValue: 4)
    public static let ref = ResultShape(rawValue: 8)
}

/// What happens when a secret needs the owner and no context has shown enough.
public enum PromptPermission: UInt8, Sendable, Hashable {
    case allow = 0
    /// Fail with `.interactionNotAllowed` instead of asking.
    case fail = 1
    /// Leave out what would have to ask.
    case skip = 2
}

/// How a call that may have to ask the owner should do that.
public struct AskingTerms: Sendable, Hashable {
    /// The context whose evaluation counts; nil for a new one of the call's own.
    public var context: UInt64?
    public var permission: PromptPermission
    /// How long ago, in seconds, the device may have been unlocked by biometry for the unlock to count.
    public var reuseSeconds: Double
    public var words: PromptWords

    public init(
        context: UInt64? = nil, permission: PromptPermission = .allow, reuseSeconds: Double = 0,
        words: PromptWords = PromptWords(reason: "")
    ) {
        self.context = context
        self.permission = permission
        self.reuseSeconds = reuseSeconds
        self.words = words
    }
}

/// A search as the keychain understands it. Everything is typed, and nothing of the original dictionary is left.
public struct Query: Sendable, Hashable {
    /// nil only beside a persistent reference.
    public var itemClass: ItemClass?
    public var attributes: Attributes
    public var sync: SyncFilter
    public var persistentRef: [UInt8]?
    /// Internet passwords only: those whose server is this host or lies in it.
    public var hostOrSubdomain: String?
    /// nil: every match.
    public var limit: Int?
    public var shape: ResultShape
    public var asking: AskingTerms

    public init(
        itemClass: ItemClass?, attributes: Attributes = [:], sync: SyncFilter = .localOnly, persistentRef: [UInt8]? = nil,
        hostOrSubdomain: String? = nil, limit: Int? = 1, shape: ResultShape = [], asking: AskingTerms = AskingTerms()
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.sync = sync
        self.persistentRef = persistentRef
        self.hostOrSubdomain = hostOrSubdomain
        self.limit = limit
        self.shape = shape
        self.asking = asking
    }
}

/// An item to be added.
public struct NewItem: Sendable {
    public var itemClass: ItemClass
    public var attributes: Attributes
    public var rule: AccessRule
    /// nil: an item without data, which is not the same as empty data.
    public var secret: SecretBytes?
    public var shape: ResultShape
    public var asking: AskingTerms

    public init(
        itemClass: ItemClass, attributes: Attributes, rule: AccessRule, secret: SecretBytes?, shape: ResultShape = [],
        asking: AskingTerms = AskingTerms()
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.rule = rule
        self.secret = secret
        self.shape = shape
        self.asking = asking
    }
}

/// What an update changes in every match of its query.
public struct ItemChange: Sendable {
    public var attributes: Attributes
    public var rule: AccessRule?
    public var secret: SecretBytes?

    public init(attributes: Attributes = [:], rule: AccessRule? = nil, secret: SecretBytes? = nil) {
        self.attributes = attributes
        self.rule = rule
        self.secret = secret
    }
}

/// One match, with as much of it as the caller asked for.
public struct FoundItem: Sendable {
    public var itemClass: ItemClass
    public var attributes: Attributes
    public var rule: AccessRule
    public var persistentRef: [UInt8]
    public var secret: SecretBytes?

    public init(
        itemClass: ItemClass, attributes: Attributes, rule: AccessRule, persistentRef: [UInt8], secret: SecretBytes? = nil
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.rule = rule
        self.persistentRef = persistentRef
        self.secret = secret
    }
}

/// The sizes that a query may have, each with its reason.
public enum QueryLimit {
    /// One secret. People keep keys and passwords as secrets; a megabyte is generous and still fits one frame.
    public static let secretBytes = 1 << 20
    /// One attribute's value: labels and names, never documents.
    public static let attributeBytes = 64 << 10
    /// All attributes of one item together.
    public static let attributesBytes = 256 << 10
    /// The secrets that one call may release together. An answer stays in memory until it is read. A caller that wants more asks twice.
    public static let releasedBytes = 8 << 20
    /// The attributes of all items that one call may look at before it answers, if it has to look at all of them.
    public static let gatheredBytes = 16 << 20
    /// The keys and certificates that one call may pair to identities. A store holds as many items.
    public static let pairedItems = 100_000
    /// A prompt's reason or title on arrival. What is shown is shorter still.
    public static let wordsBytes = 4 << 10
}
