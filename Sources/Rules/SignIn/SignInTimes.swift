/// How long wrong passwords keep an account's next attempt waiting.
public enum PasswordDelay {
    /// Misses that cost nothing: a slip, and the one before the keyboard's language was noticed.
    static let free = 3
    /// The longest: a guesser gets a hundred a day, and an owner who is locked out by one waits no longer than this.
    static let longest: Int64 = 15 * 60

    /// Seconds from the miss with that number, counted from one, to the next attempt that is looked at.
    public static func seconds(afterMisses misses: Int) -> Int64 {
        let costly = misses - free
        guard costly > 0 else { return 0 }
        // Two to the tenth is longer than the longest.
        return min(longest, 1 << min(costly, 10))
    }

    /// When the next attempt counts after a miss made now, which is the account's `misses`th in a row.
    public static func end(ofMiss misses: Int, at now: Moment) -> Moment { now + seconds(afterMisses: misses) }

    /// - Returns: Seconds that an attempt is too early; nil if it may be looked at.
    public static func wait(until: Moment, at now: Moment) -> Int64? {
        now < until ? until.seconds - now.seconds : nil
    }
}

/// How long sessions last.
public enum SessionTimes {
    /// A day, and as long again with each renewal.
    static let length: Int64 = 24 * 60 * 60
    /// Thirty days after it first began even a renewed session ends: then the owner shows up again.
    static let longest: Int64 = 30 * length
    /// Five minutes after the password was typed it is still the same person at the machine; then it takes typing it again.
    static let fresh: Int64 = 5 * 60

    /// When a session that begins now ends.
    public static func expiry(beginning now: Moment) -> Moment { now + length }

    /// When the session that takes this one's place ends.
    public static func expiry(renewing session: SessionRecord, at now: Moment) -> Moment {
        min(now + length, session.began + longest)
    }
}

extension SessionRecord {
    /// The moment it ends is the first at which it isn't good any more.
    public func isExpired(at now: Moment) -> Bool { now >= expires }

    /// Until when it may register a device; nil for a session that never could. Renewing it changes nothing.
    public var freshUntil: Moment? { kind == .password ? began + SessionTimes.fresh : nil }

    public func isFresh(at now: Moment) -> Bool { freshUntil.map { now < $0 } ?? false }
}
