/// Shares out the wrong guesses that a chip forgives before it takes none from anybody.
///
/// A chip counts all users' guesses together, and forgets one after another. So they stand here in their order, each with its user, and
/// when the chip counts fewer than stand here the oldest are forgotten: a user recovers exactly as the chip does, without a clock.
public struct GuessShares<User: Hashable & Sendable>: Sendable {
    /// The user of each guess that the chip may still count, the oldest first.
    public private(set) var guesses: [User]

    /// Begins with what was kept.
    public init(_ guesses: [User] = []) { self.guesses = guesses }

    /// Whether a user may guess now; if so the guess stands here from now on.
    ///
    /// A user has a part of what the chip forgives. Beyond the first, no guess may be the one that the chip locks itself at. So whoever
    /// hasn't guessed always may, unless the chip counts guesses that didn't come this way.
    ///
    /// - Parameters:
    ///   - counted: how many guesses the chip counts.
    ///   - most: at how many it takes none any more.
    public mutating func take(_ user: User, counted: Int, most: Int) -> Bool {
        if guesses.count > counted { guesses.removeFirst(guesses.count - max(0, counted)) }
        guard counted < most else { return false }
        let own = guesses.count { $0 == user }
        guard own == 0 || (own < GuessLimit.share(of: most) && counted + 1 < most) else { return false }
        guesses.append(user)
        return true
    }

    /// The user's latest guess was right, or the chip didn't look at it.
    public mutating func giveBack(_ user: User) {
        if let place = guesses.lastIndex(of: user) { guesses.remove(at: place) }
    }
}

/// The limits of guesses.
public enum GuessLimit {
    /// A user's part of the guesses that a chip forgives: one in so many. Three users who guess as they like leave one part for others.
    public static let part = 4
    /// A user's least: who mistypes once may type again.
    public static let least = 2

    /// How many guesses of one user a chip may have counted that forgives so many.
    public static func share(of most: Int) -> Int { max(least, most / part) }
}
