/// Locked memory that several arenas share. What one takes, the others can't have.
///
/// An arena without a budget has only its own limit, and takes nothing from those with a budget.
public final class SecretBudget: Sendable {
    /// How many bytes all of them together may lock.
    public let limit: Int
    private let taken = Locked(0)

    /// Makes a budget of `limit` bytes.
    public init(limit: Int) { self.limit = limit }

    /// How many bytes the arenas have taken.
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
