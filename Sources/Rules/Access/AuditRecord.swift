/// What the audit tells of. The numbers are on disk and on the wire.
public enum AuditEvent: UInt8, Sendable, Hashable, CaseIterable {
    case released = 1
    case added = 2
    case changed = 3
    case removed = 4
    /// A policy or rule was evaluated without an item.
    case evaluated = 5
    /// The enrolment an item was bound to was found changed: its secret stays sealed.
    case died = 6
    case passcodeSet = 7
    case passcodeRemoved = 8
    case recoveryCodeMade = 9
    case recovered = 10
    /// The owner allowed or refused an app something.
    case appJudged = 11
    case exported = 12
    case imported = 13
    /// A private key was used once.
    case keyUsed = 14
    /// The owner allowed the device something that protects less, or took it back.
    case allowanceChanged = 15
    /// A sign-in key signed a statement.
    case statementSigned = 16
    case fingerEnrolled = 20
    case fingerForgotten = 21

    /// Whether it changes what protects the owner: whoever puts an old copy of the store back would undo it.
    public var changesProtection: Bool {
        switch self {
        case .died, .passcodeSet, .passcodeRemoved, .recoveryCodeMade, .recovered, .appJudged, .exported, .imported,
            .allowanceChanged, .fingerEnrolled, .fingerForgotten:
            true
        case .released, .added, .changed, .removed, .evaluated, .keyUsed, .statementSigned: false
        }
    }
}

/// One line of the audit: never a secret, an attribute's value or an app's own words.
public struct AuditRecord: Sendable, Hashable {
    /// Its place in the chain; given when it is written.
    public var number: UInt64
    /// Seconds since the reference date.
    public var date: Double
    public var event: AuditEvent
    /// nil: it came to pass.
    public var failure: KeychainFailure?
    /// What the owner had shown.
    public var factors: Set<Factor>
    /// How often this happened within a moment, without anything else between.
    public var times: UInt32
    public var uid: UInt32
    /// The executable's name, as prompts show it.
    public var program: String
    /// How surely the program was known.
    public var kind: CallerClass
    public var itemClass: ItemClass?
    /// The item's name in the store, which says nothing to who can't look it up.
    public var item: [UInt8]?

    public init(
        number: UInt64 = 0, date: Double, event: AuditEvent, failure: KeychainFailure? = nil, factors: Set<Factor> = [],
        times: UInt32 = 1, uid: UInt32, program: String, kind: CallerClass = .consented, itemClass: ItemClass? = nil,
        item: [UInt8]? = nil
    ) {
        self.number = number
        self.date = date
        self.event = event
        self.failure = failure
        self.factors = factors
        self.times = times
        self.uid = uid
        self.program = program
        self.kind = kind
        self.itemClass = itemClass
        self.item = item
    }

    /// Whether the other tells of the same, but for the moment.
    public func isLike(_ other: AuditRecord) -> Bool {
        // What mostly differs, before a copy is made.
        guard item == other.item, event == other.event else { return false }
        var same = other
        (same.number, same.date, same.times) = (number, date, times)
        return same == self
    }
}

/// Whether the audit's chain holds.
public struct AuditReport: Sendable, Hashable {
    /// The number of the oldest record there should be.
    public var first: UInt64
    /// How many there should be.
    public var records: UInt64
    /// The numbers of records that are missing, altered or don't follow the one before.
    public var broken: [UInt64]
    /// Whether the latest record is the one the store remembers.
    public var endsWhereItShould: Bool

    public init(first: UInt64, records: UInt64, broken: [UInt64], endsWhereItShould: Bool) {
        self.first = first
        self.records = records
        self.broken = broken
        self.endsWhereItShould = endsWhereItShould
    }

    public var isSound: Bool { broken.isEmpty && endsWhereItShould }
}
