/// What the removal of the passcode would do to the items of all programs.
public struct PasscodeHold: Sendable, Hashable {
    /// Items that are removed with it, for good.
    public var erased: UInt64
    /// Items that stay, and that nothing opens until there is a passcode again.
    public var closed: UInt64
    /// Paired machines, whose keys are removed with it.
    public var pairings: UInt64

    public init(erased: UInt64 = 0, closed: UInt64 = 0, pairings: UInt64 = 0) {
        (self.erased, self.closed, self.pairings) = (erased, closed, pairings)
    }
}
