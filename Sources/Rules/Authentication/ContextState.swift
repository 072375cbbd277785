public import ThumbAccess

/// What one of an app's contexts has earned. It lives in the daemon, bound to the connection, so that no app can claim
/// "already evaluated".
public struct ContextState: Sendable, Hashable {
    public private(set) var given: Set<Factor> = []
    /// The enrolment under which a finger matched.
    public private(set) var enrolment: Enrolment?
    public private(set) var isInvalidated = false

    public init() {}

    public mutating func remember(_ factors: Set<Factor>, _ enrolment: Enrolment?) {
        given.formUnion(factors)
        if factors.contains(.biometry) { self.enrolment = enrolment }
    }

    public mutating func invalidate() {
        self = ContextState()
        isInvalidated = true
    }

    /// The device was locked, so nothing that was shown before counts any more. The context itself stays valid.
    public mutating func forget() {
        given = []
        enrolment = nil
    }

    /// What still counts under the present enrolment. A match is worth nothing after a finger was added or removed.
    public func standing(under present: Enrolment) -> Set<Factor> {
        enrolment == present ? given : given.subtracting([.biometry])
    }
}
