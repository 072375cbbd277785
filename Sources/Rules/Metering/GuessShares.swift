/// Shares out the wrong guesses that a chip forgives before it refuses everybody.
///
/// A chip counts all users' guesses together, and forgets them one after another. So this keeps the guesses in order, each with its user.
/// If the chip counts fewer than this does, the oldest are forgotten. In this way a user recovers exactly as the chip does, without a
/// clock.
public struct GuessShares<User: Hashable & Sendable>: Sendable {
    /// The user of each guess that the chip may still count, the oldest first.
    public private(set) var guesses: [User]

    /// Begins with the stored guesses.
    public init(_ guesses: [User] = []) { self.guesses = guesses }

    /// Whether a user may guess now. If so, the guess is counted from now on.
    ///
    /// A user has a share of what the chip forgives. Beyond the user's first guess, none may be the one at which the chip locks itself. So
    /// a user who hasn't guessed may always guess, unless the chip counts guesses that didn't come this way.
    ///
    /// - Parameters:
    ///   - counted: how many guesses the chip counts.
    ///   - most: at which count it refuses any more.
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
    /// A user's share of the guesses that a chip forgives: one part in this many. Three users who guess as they like leave one part for
    /// others.
    public static let part = 4
    /// The least that a user gets: somebody who mistypes once may type again.
    public static let least = 2

    /// How many guesses of one user a chip may have counted if it forgives this many.
    public static func share(of most: Int) -> Int { max(least, most / part) }
}
