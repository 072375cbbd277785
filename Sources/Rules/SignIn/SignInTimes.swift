/// How long an account's next attempt has to wait after wrong passwords.
public enum PasswordDelay {
    /// How many misses cost nothing: a slip, and attempts with the wrong keyboard layout.
    static let free = 3
    /// The longest wait. A guesser gets a hundred tries a day, and an owner whom a guesser locks out waits no longer than this.
    static let longest: Int64 = 15 * 60

    /// Seconds from the miss with that number, counted from one, to the next attempt that is checked.
    public static func seconds(afterMisses misses: Int) -> Int64 {
        let costly = misses - free
        guard costly > 0 else { return 0 }
        // Two to the tenth exceeds the longest wait.
        return min(longest, 1 << min(costly, 10))
    }

    /// When the next attempt counts, after a miss now that is the account's `misses`th in a row.
    public static func end(ofMiss misses: Int, at now: Moment) -> Moment { now + seconds(afterMisses: misses) }

    /// - Returns: How many seconds too early an attempt is; nil if it may be checked.
    public static func wait(until: Moment, at now: Moment) -> Int64? {
        now < until ? until.seconds - now.seconds : nil
    }
}

/// How long sessions last.
public enum SessionTimes {
    /// A day, and as long again with each renewal.
    static let length: Int64 = 24 * 60 * 60
    /// Even a renewed session ends thirty days after it first began. Then the owner has to sign in again.
    static let longest: Int64 = 30 * length
    /// Five minutes after the password was typed, it is still the same person at the machine. After that it has to be typed again.
    static let fresh: Int64 = 5 * 60

    /// When a session that begins now ends.
    public static func expiry(beginning now: Moment) -> Moment { now + length }

    /// When the session that replaces this one ends.
    public static func expiry(renewing session: SessionRecord, at now: Moment) -> Moment {
        min(now + length, session.began + longest)
    }
}

extension SessionRecord {
    /// At the moment it ends it is no longer good.
    public func isExpired(at now: Moment) -> Bool { now >= expires }

    /// Until when it may register a device; nil for a session that never could. Renewing doesn't change this.
    public var freshUntil: Moment? { kind == .password ? began + SessionTimes.fresh : nil }

    public func isFresh(at now: Moment) -> Bool { freshUntil.map { now < $0 } ?? false }
}
