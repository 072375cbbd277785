public import ThumbAccess

/// What one of an app's contexts has earned. It lives in the daemon, bound to the connection, so that no app can claim
/// "already evaluated".
public struct ContextState: Sendable, Hashable {
    public private(set) var given: Set<Factor> = []
    /// The enrolment under which a finger matched.
    public private(set) var enrolment: Enrolment?
    /// The pairings under which a companion said yes.
    public private(set) var pairings: UInt64 = 0
    public private(set) var isInvalidated = false

    public init() {}

    /// - Parameter pairings: the companions' revision.
    public mutating func remember(_ factors: Set<Factor>, _ enrolment: Enrolment?, pairings: UInt64 = 0) {
        given.formUnion(factors)
        if factors.contains(.biometry) { self.enrolment = enrolment }
        if factors.contains(.companion) { self.pairings = pairings }
    }

    public mutating func invalidate() {
        self = ContextState()
        isInvalidated = true
    }

    /// The device was locked, so nothing that was shown before counts any more. The context itself stays valid.
    public mutating func forget() {
        given = []
        enrolment = nil
        pairings = 0
    }

    /// What still counts under the present enrolment and pairings. A match is worth nothing after a finger was added or removed, and a
    /// companion's yes nothing after a pairing was removed.
    public func standing(under present: Enrolment, pairings: UInt64 = 0) -> Set<Factor> {
        var standing = given
        if enrolment != present { standing.remove(.biometry) }
        if self.pairings != pairings { standing.remove(.companion) }
        return standing
    }
}
