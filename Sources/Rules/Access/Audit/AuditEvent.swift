/// What an audit record is about. The numbers are on disk and on the wire.
public enum AuditEvent: UInt8, Sendable, Hashable, CaseIterable {
    case released = 1
    case added = 2
    case changed = 3
    case removed = 4
    /// A policy or rule was evaluated without an item.
    case evaluated = 5
    /// The enrolment that an item was bound to was found changed. The item's secret stays sealed.
    case died = 6
    case passcodeSet = 7
    case passcodeRemoved = 8
    case recoveryCodeMade = 9
    case recovered = 10
    /// The owner allowed an app something or refused it.
    case appJudged = 11
    case exported = 12
    case imported = 13
    /// A private key was used once.
    case keyUsed = 14
    /// The owner allowed the device something that protects less, or forbade it again.
    case allowanceChanged = 15
    /// A sign-in key signed a statement.
    case statementSigned = 16
    /// Somebody read the whole audit, or had it verified.
    case auditRead = 17
    case fingerEnrolled = 20
    case fingerForgotten = 21
    /// Another machine was paired: it says yes for this one, or this one for it.
    case companionPaired = 24
    case companionRemoved = 25
    /// The owner said yes here for a paired machine.
    case companionAnswered = 26

    /// Whether it changes what protects the owner. Somebody who puts an old copy of the store back would undo it.
    public var changesProtection: Bool {
        switch self {
        case .died, .passcodeSet, .passcodeRemoved, .recoveryCodeMade, .recovered, .appJudged, .exported, .imported,
            .allowanceChanged, .fingerEnrolled, .fingerForgotten, .companionPaired, .companionRemoved:
            true
        case .released, .added, .changed, .removed, .evaluated, .keyUsed, .statementSigned, .auditRead,
            .companionAnswered:
            false
        }
    }
}

/// Where a record is kept. Its event decides that, so that records that matter aren't pushed out by others. The numbers are on disk and on
/// the wire.
public enum AuditRing: UInt8, Sendable, Hashable, CaseIterable {
    /// Records of daemons that had no rings, kept as they are.
    case earlier = 0
    /// Changes of what protects the owner.
    case protection = 1
    /// Everything else that the owner must learn.
    case notice = 2
    /// What programs do with items of their own.
    case everyday = 3
}

/// Whose records are asked for.
public enum AuditScope: UInt8, Sendable, Hashable, CaseIterable {
    /// What the caller itself did.
    case own = 1
    /// Everything. The owner has to allow this.
    case whole = 2
}
