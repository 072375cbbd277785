/// What the owner of an account wants done to it that a session alone mustn't do: a token may have been stolen.
public struct AccountAct: Sendable, Hashable {
    public var account: AccountName
    /// SHA-256 of the token that it is asked with.
    public var session: Digest32
    public var proof: FreshProof
    public var change: AccountChange

    public init(_ change: AccountChange, of account: AccountName, session: Digest32, proof: FreshProof) {
        self.account = account
        self.session = session
        self.proof = proof
        self.change = change
    }
}

/// What shows that the owner is there now. It comes with the very request that it is for: a session that were fresh for a minute would be
/// fresh for whoever has a copy of its token as well.
public enum FreshProof: Sendable, Hashable {
    /// The password was right that was kept so. It must still be the account's when the act is done.
    case password(StretchedPassword)
    /// A device of the account has signed a statement of the act's own purpose over that challenge, which the act uses up.
    case statement(DeviceID, challenge: Digest32)
}

/// What becomes of the account.
public enum AccountChange: Sendable, Hashable {
    /// Another password, or one where there was none. The asking session goes on under the new token.
    case password(StretchedPassword, OtherSessions, NewSession)
    /// No password: only devices sign in from then on. Refused where there is no device to do so.
    case noPassword(OtherSessions, NewSession)
    /// One session ends, whichever it is.
    case endSession(SessionID)
    /// All sessions end but the asking one, which goes on under the new token: who has a copy of the old one is another session too.
    case endOtherSessions(NewSession)
    /// Refused for the last device of an account without a password, to which nobody could sign in any more.
    case revoke(DeviceID)
    case delete

    /// What a statement must say that it is for.
    public var purpose: Purpose {
        switch self {
        case .password: .changePassword
        case .noPassword: .removePassword
        case .endSession, .endOtherSessions: .endSessions
        case .revoke: .revokeDevice
        case .delete: .deleteAccount
        }
    }
}

/// What another password does to the sessions beside the asking one. The raw value is the word that clients send.
public enum OtherSessions: String, Sendable, Hashable, CaseIterable {
    case end
    case keep
}

/// A session's name in lists: it opens nothing, and stays the same when the session is renewed.
public struct SessionID: Sendable, Hashable {
    /// Bytes of a tag: the first of the first token's SHA-256.
    public static let tagBytes = 16
    public let began: Moment
    public let tag: [UInt8]

    public init(began: Moment, tag: [UInt8]) {
        self.began = began
        self.tag = tag
    }

    /// The second it began, most significant byte first, and its tag, in base64url.
    public var text: String {
        Base64URL.encoded((0..<8).reversed().map { UInt8(truncatingIfNeeded: began.seconds >> (8 * $0)) } + tag)
    }

    /// - Returns: nil unless the text is what a session's name is written as.
    public init?(text: String) {
        guard text.utf8.count == 32, let bytes = Base64URL.decoded(text) else { return nil }
        self.init(
            began: Moment(seconds: bytes[..<8].reduce(0) { $0 << 8 | Int64($1) }), tag: Array(bytes[8...]))
    }
}
