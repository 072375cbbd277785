import ThumbSignIn

// The rows of docs/contributors/ledgers.md, without their keys.

struct AccountRow: Sendable, Equatable {
    /// Nil if only devices sign in.
    var password: StretchedPassword?
    var misses: Int64 = 0
    var attemptsFrom = Moment(seconds: 0)
    var locked: Moment?
}

struct DeviceRow: Sendable, Equatable {
    let account: AccountName
    /// The database counts this up. A row that this batch adds comes after all others.
    var number = Int64.max
    var record: DeviceRecord
}

struct ChallengeRow: Sendable, Equatable {
    let account: AccountName
    let purpose: Purpose
    let expires: Moment
    var used: Moment?
}

struct SessionRow: Sendable, Equatable {
    var record: SessionRecord
    /// Whether its device was revoked, or its account locked or gone, when the session was read.
    var isBlocked = false
    /// Its token in the table; nil if it isn't in the table.
    var stored: Digest32?
}

/// Everything that a batch uses.
struct Rows: Sendable {
    var accounts = Touched<AccountName, AccountRow>()
    var devices = Touched<DeviceID, DeviceRow>()
    var challenges = Touched<Digest32, ChallengeRow>()
    /// By the token that is valid now.
    var sessions: [Digest32: SessionRow] = [:]
    /// Tokens in the table that aren't valid any more.
    var ended: [Digest32] = []
    /// Accounts whose sessions in the table all end, except those that are still in `sessions`.
    var cleared: Set<AccountName> = []
    /// Lists as they were read.
    var listedSessions: [AccountName: [SessionRecord]] = [:]
    var listedAccounts: [Footprint.Page: [AccountSummary]] = [:]
    /// Challenges and sessions that ended before this moment are forgotten.
    var forgotten: Moment?

    /// Takes a session from the table, whichever question found it.
    mutating func found(_ row: SessionRow) {
        if let token = row.stored { sessions[token] = row }
    }

    var newSessions: [(token: Digest32, record: SessionRecord)] {
        sessions.compactMap { token, row in row.stored == nil ? (token, row.record) : nil }
    }

    /// Tokens that stay in the table although their account's others are cleared.
    var sparedSessions: [(account: AccountName, token: Digest32)] {
        sessions.values.compactMap { row in
            guard let stored = row.stored, cleared.contains(row.record.account) else { return nil }
            return (row.record.account, stored)
        }
    }

    var renewedSessions: [(old: Digest32, new: Digest32, expires: Moment)] {
        sessions.compactMap { token, row in
            guard let stored = row.stored, stored != token else { return nil }
            return (stored, token, row.record.expires)
        }
    }
}
