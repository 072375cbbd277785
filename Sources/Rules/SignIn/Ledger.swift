/// What a sign-in server keeps: accounts, devices, challenges and sessions (docs/developers/sign-in.md, What is kept).
///
/// A ledger decides only what a database alone can decide: which of two requests came first. Everything that is read and changed is a
/// `Deed`. A batch of them is one durable transaction, so that many requests share one commit.
public protocol Ledger: Sendable {
    /// Does the deeds in order, in one transaction, and returns when it is on disk. Each deed has its own outcome, and a refused one
    /// doesn't affect the others. Fails as a whole with `LedgerFailure`, which says what is then known about the batch.
    ///
    /// Called from one thread at a time; it blocks that thread.
    func settle(_ deeds: [Deed], at now: Moment) throws(LedgerFailure) -> [DeedOutcome]
}

/// Seconds since 1970; the caller passes the time in.
public struct Moment: Sendable, Hashable, Comparable {
    public var seconds: Int64

    public init(seconds: Int64) { self.seconds = seconds }

    public static func < (left: Moment, right: Moment) -> Bool { left.seconds < right.seconds }
    public static func + (moment: Moment, seconds: Int64) -> Moment { Moment(seconds: moment.seconds + seconds) }
}

/// Why a batch wasn't done, or may not have been done.
public enum LedgerFailure: Error, Sendable, Hashable {
    /// Nothing was done: the database can't be reached, is full, or is too busy. The same batch may succeed later.
    case unavailable(String)
    /// The connection or the disk failed while the batch was being committed, so all of it was done, or nothing. Don't repeat it.
    case uncertain(String)
    /// Nothing was done: the database isn't one of ours, is of a later version, or contradicts itself.
    case unusable(String)

    /// What failed, for the server's own log.
    public var words: String {
        switch self {
        case .unavailable(let words), .uncertain(let words), .unusable(let words): words
        }
    }
}

/// One thing to read or to change.
public enum Deed: Sendable, Hashable {
    /// Refused if there is such an account.
    case makeAccount(AccountName, StretchedPassword)
    /// Outcome: `password`, or `none` for an account that doesn't exist.
    case readPassword(AccountName)
    /// A wrong password: the account's misses grow by one, and the next attempt counts from `until` (which the rules compute). `none` for
    /// an account that doesn't exist.
    case noteMiss(AccountName, until: Moment)
    /// A right password: misses are cleared, the session begins. `none` for an account that doesn't exist. Refused if the compared password
    /// isn't the account's any more, and if the account is locked.
    case beginPasswordSession(AccountName, StretchedPassword, NewSession)

    case giveChallenge(ChallengeRecord)
    /// Outcome: `device`, revoked or not, or `none` if that account has no such device.
    case readDevice(AccountName, DeviceID)
    /// The rest of a verified sign-in: the device isn't revoked, the challenge is used up (once), the device's last use is noted, the
    /// session begins. All or nothing; otherwise `refused`.
    case signIn(AccountName, DeviceID, challenge: Digest32, NewSession)
    /// The same for a registration: the challenge is used up, the device is added. The same key again for its own account is
    /// `done` and uses no new challenge, unless it is revoked. If a session asks for it, refused if that has ended by now.
    case register(AccountName, DeviceRecord, challenge: Digest32, session: Digest32?)

    /// Outcome: `devices`, oldest first. Of the revoked ones only the newest are listed, `SignInLimit.revokedDevices` at most.
    case readDevices(AccountName)
    /// Outcome: `device` as it is now, or `none`.
    case rename(AccountName, DeviceID, to: String)
    /// Revokes the device and ends its sessions; `none` if there is no such device. For the operator; the owner does this by an act.
    case revoke(AccountName, DeviceID)
    /// Does something that the owner wants done to the account, with a session and a proof of this moment. All or nothing: if it is
    /// refused, the challenge isn't used up. Outcome: `session` if it goes on under another token, else `done`; `none` if what it names
    /// doesn't exist.
    case act(AccountAct)

    /// Outcome: `session`, or `none`; an expired session is none.
    case readSession(Digest32)
    /// Ends the old session and begins a new one (same account, kind, device, beginning). Outcome: `session`, the new one, or
    /// `none` if the old one doesn't exist.
    case renewSession(Digest32, to: Digest32, expires: Moment)
    /// Outcome: `done`, or `none` if there is no such session.
    case endSession(Digest32)
    /// Outcome: `sessions`, the newest first, from before the batch: at most `SignInLimit.listedSessions`.
    case readSessions(AccountName)

    /// Outcome: `accounts`, those after that name in order, at most `SignInLimit.listedAccounts`.
    case readAccounts(after: AccountName?)
    /// Sets the password, whether or not there was one. Misses are cleared, and all sessions end. `none` for an account that doesn't exist,
    /// as for the next three.
    case setPassword(AccountName, StretchedPassword)
    /// Locks the account, which then signs in nowhere, or unlocks it. Its sessions end either way.
    case setLocked(AccountName, Bool)
    /// Removes the account, its devices and its sessions.
    case removeAccount(AccountName)
    /// Ends that session, or all; also `none` if there is no such session.
    case endSessions(AccountName, SessionID?)

    /// Forgets challenges and sessions that ended before that moment, after the rest of the batch is done. At most 1,000 of each, so that
    /// nobody waits for it long.
    case forget(before: Moment)
}

/// The outcome of a deed.
public enum DeedOutcome: Sendable, Hashable {
    case done
    case none
    /// Nil for an account that only devices sign in to.
    case password(StretchedPassword?, misses: Int, until: Moment)
    case device(DeviceRecord)
    case devices([DeviceRecord])
    case session(SessionRecord)
    case sessions([SessionRecord])
    case accounts([AccountSummary])
    case refused(SignInRefusal)
}

/// A SHA-256, of a challenge or of a token.
public struct Digest32: Sendable, Hashable {
    public let bytes: [UInt8]

    /// - Returns: nil unless there are 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Takes eight bytes at a time, because every batch of a ledger looks its rows up by these.
    public func hash(into hasher: inout Hasher) {
        for start in stride(from: 0, to: 32, by: 8) {
            hasher.combine(bytes[start..<start + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        }
    }
}

/// Argon2id of a password, with everything that is needed to compute it again.
public struct StretchedPassword: Sendable, Hashable {
    public var salt: [UInt8]
    public var passes: UInt32
    public var kibibytes: UInt32
    public var hash: [UInt8]

    public init(salt: [UInt8], passes: UInt32, kibibytes: UInt32, hash: [UInt8]) {
        self.salt = salt
        self.passes = passes
        self.kibibytes = kibibytes
        self.hash = hash
    }
}

public struct ChallengeRecord: Sendable, Hashable {
    public var digest: Digest32
    public var account: AccountName
    public var purpose: Purpose
    public var expires: Moment

    public init(digest: Digest32, account: AccountName, purpose: Purpose, expires: Moment) {
        self.digest = digest
        self.account = account
        self.purpose = purpose
        self.expires = expires
    }
}

public struct DeviceRecord: Sendable, Hashable {
    public var id: DeviceID
    /// SubjectPublicKeyInfo in DER.
    public var key: [UInt8]
    public var name: String
    /// What the device said about its key. Nobody has verified it, and nothing depends on it.
    public var unverifiedProtection: String
    public var registered: Moment
    public var lastUsed: Moment?
    public var revoked: Moment?

    public init(
        id: DeviceID, key: [UInt8], name: String, unverifiedProtection: String, registered: Moment, lastUsed: Moment? = nil,
        revoked: Moment? = nil
    ) {
        self.id = id
        self.key = key
        self.name = name
        self.unverifiedProtection = unverifiedProtection
        self.registered = registered
        self.lastUsed = lastUsed
        self.revoked = revoked
    }
}

public enum SessionKind: String, Sendable, Hashable, CaseIterable {
    case password
    case device
}

/// A session as it begins. Its account and device are those of the deed.
public struct NewSession: Sendable, Hashable {
    public var token: Digest32
    public var expires: Moment

    public init(token: Digest32, expires: Moment) {
        self.token = token
        self.expires = expires
    }
}

public struct SessionRecord: Sendable, Hashable {
    public var account: AccountName
    public var kind: SessionKind
    /// The device of a `.device` session.
    public var device: DeviceID?
    /// When it first began; renewing keeps it.
    public var began: Moment
    public var expires: Moment
    /// Tells it from others that began in the same second. Renewing keeps it.
    public var tag: [UInt8]

    public init(account: AccountName, kind: SessionKind, device: DeviceID?, began: Moment, expires: Moment, tag: [UInt8]) {
        self.account = account
        self.kind = kind
        self.device = device
        self.began = began
        self.expires = expires
        self.tag = tag
    }

    /// Its name in lists.
    public var id: SessionID { SessionID(began: began, tag: tag) }
}

/// An account in an operator's list.
public struct AccountSummary: Sendable, Hashable {
    public var account: AccountName
    public var hasPassword: Bool
    /// Devices that aren't revoked.
    public var devices: Int
    /// Since when it has been locked.
    public var locked: Moment?

    public init(account: AccountName, hasPassword: Bool, devices: Int, locked: Moment?) {
        self.account = account
        self.hasPassword = hasPassword
        self.devices = devices
        self.locked = locked
    }
}
