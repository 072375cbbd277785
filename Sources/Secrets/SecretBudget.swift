/// Locked memory that several arenas share: what one takes, the others can't have.
///
/// An arena without a budget is bounded by its own limit alone, and takes nothing from those that have one.
public final class SecretBudget: Sendable {
    /// How much all of them lock at most.
    public let limit: Int
    private let taken = Locked(0)

    /// Makes a budget of `limit` bytes.
    public init(limit: Int) { self.limit = limit }

    /// The bytes that arenas have taken.
    public var locked: Int { taken.withLock { $0 } }

    internal func take(_ size: Int) -> Bool {
        taken.withLock { taken in
            guard size <= limit - taken else { return false }
            taken += size
            return true
        }
    }

    internal func give(_ size: Int) { taken.withLock { $0 -= size } }
}
