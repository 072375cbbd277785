import ThumbSignIn

// The rows of docs/contributors/ledgers.md, without their keys.

struct AccountRow: Sendable, Equatable {
    /// Nil where only devices sign in.
    var password: StretchedPassword?
    var misses: Int64 = 0
    var attemptsFrom = Moment(seconds: 0)
    var locked: Moment?
}

struct DeviceRow: Sendable, Equatable {
    let account: AccountName
    /// Counted up by the database; a row of this batch's own comes after all others.
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
    /// Whether its device was revoked, or its account locked or gone, when it was read.
    var isBlocked = false
    /// Its token in the table, where it is in the table.
    var stored: Digest32?
}

/// Everything that a batch touches.
struct Rows: Sendable {
    var accounts = Touched<AccountName, AccountRow>()
    var devices = Touched<DeviceID, DeviceRow>()
    var challenges = Touched<Digest32, ChallengeRow>()
    /// By the token that is good now.
    var sessions: [Digest32: SessionRow] = [:]
    /// Tokens of the table that are good no more.
    var ended: [Digest32] = []
    /// Accounts all of whose sessions in the table are over, but for those that `sessions` still has.
    var cleared: Set<AccountName> = []
    /// Lists, as they were found.
    var listedSessions: [AccountName: [SessionRecord]] = [:]
    var listedAccounts: [Footprint.Page: [AccountSummary]] = [:]
    /// Challenges and sessions that ended before then are forgotten.
    var forgotten: Moment?

    /// A session of the table, whichever question found it.
    mutating func found(_ row: SessionRow) {
        if let token = row.stored { sessions[token] = row }
    }

    var newSessions: [(token: Digest32, record: SessionRecord)] {
        sessions.compactMap { token, row in row.stored == nil ? (token, row.record) : nil }
    }

    /// Tokens of the table that stay, of accounts whose others are cleared.
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
