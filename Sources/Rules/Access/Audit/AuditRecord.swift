/// A program as the audit tells it from others. That goes by what the daemon found out about it, never by what the program says.
public struct AuditProgram: Sendable, Hashable {
    public let uid: UInt32
    /// How surely it is known.
    public let kind: CallerClass
    /// The group that its items are kept under, byte for byte.
    public let own: [UInt8]

    public init(_ caller: Caller) {
        uid = caller.uid
        kind = caller.kind
        own = Array(caller.own.utf8)
    }

    /// Whether it can be told from others of its class. A program that can't has no records of its own.
    public var isKnown: Bool { !own.isEmpty }
}

/// What happened, in the form in which it is written down: never a secret, an attribute's value or an app's own words.
public struct AuditNote: Sendable, Hashable {
    /// Seconds since the reference date.
    public var date: Double
    public var event: AuditEvent
    /// nil: it succeeded.
    public var failure: KeychainFailure?
    /// What the owner had shown.
    public var factors: Set<Factor>
    /// How often.
    public var times: UInt32
    public var program: AuditProgram
    /// The executable's name, as prompts show it.
    public var name: String
    public var itemClass: ItemClass?
    /// The item's name in the store. It is half of a persistent reference, so nobody is shown it.
    public var item: [UInt8]?
    /// Whether the item is in a group that is neither the program's own nor made by it.
    public var isOthers: Bool

    public init(
        date: Double, event: AuditEvent, by caller: Caller, failure: KeychainFailure? = nil, factors: Set<Factor> = [],
        times: UInt32 = 1, itemClass: ItemClass? = nil, item: [UInt8]? = nil, isOthers: Bool = false
    ) {
        self.date = date
        self.event = event
        self.failure = failure
        self.factors = factors
        self.times = times
        program = AuditProgram(caller)
        name = caller.name
        self.itemClass = itemClass
        self.item = item
        self.isOthers = isOthers
    }

    /// Where it is kept.
    public var ring: AuditRing {
        // A refusal of an app is a decision of the owner's too.
        if event == .appJudged || event.changesProtection && failure == nil { return .protection }
        if failure != nil || isOthers || event == .auditRead || event == .companionAnswered { return .notice }
        return itemClass == .key && (event == .added || event == .removed) ? .notice : .everyday
    }
}

/// One line of the audit, as it is shown.
public struct AuditRecord: Sendable, Hashable {
    /// Its place in its program's chain; given when it is written.
    public var number: UInt64
    public var ring: AuditRing
    /// Seconds since the reference date. If it happened more than once, this is the first time.
    public var date: Double
    public var event: AuditEvent
    /// nil: it succeeded.
    public var failure: KeychainFailure?
    /// What the owner had shown.
    public var factors: Set<Factor>
    /// How often this happened within a minute.
    public var times: UInt32
    public var uid: UInt32
    /// The executable's name, as prompts show it.
    public var name: String
    /// A digest that is the same in all records of one program, and from which nothing else can be learnt. nil in records of earlier
    /// daemons.
    public var program: [UInt8]?
    /// How surely the program was known.
    public var kind: CallerClass
    public var itemClass: ItemClass?
    /// A digest that is the same in all records about one item, and by which nothing can be looked up.
    public var item: [UInt8]?
    /// A reference by which the item is found, for a caller that may see the item anyway.
    public var reference: [UInt8]?

    public init(
        number: UInt64 = 0, ring: AuditRing = .everyday, date: Double, event: AuditEvent, failure: KeychainFailure? = nil,
        factors: Set<Factor> = [], times: UInt32 = 1, uid: UInt32, name: String, program: [UInt8]? = nil,
        kind: CallerClass = .consented, itemClass: ItemClass? = nil, item: [UInt8]? = nil, reference: [UInt8]? = nil
    ) {
        self.number = number
        self.ring = ring
        self.date = date
        self.event = event
        self.failure = failure
        self.factors = factors
        self.times = times
        self.uid = uid
        self.name = name
        self.program = program
        self.kind = kind
        self.itemClass = itemClass
        self.item = item
        self.reference = reference
    }
}
