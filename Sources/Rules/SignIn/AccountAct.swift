/// What an owner may want to do to the account, but a session alone must not, because its token may have been stolen.
public struct AccountAct: Sendable, Hashable {
    public var account: AccountName
    /// SHA-256 of the token that the request came with.
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

/// Proof that the owner is there now. It comes in the same request as the act: if a session counted as fresh for a minute, it would also
/// count as fresh for a thief with a copy of its token.
public enum FreshProof: Sendable, Hashable {
    /// The password was right for this stretched form, which must still be the account's when the act is done.
    case password(StretchedPassword)
    /// A device of the account has signed a statement with the act's own purpose over that challenge. The act uses the challenge up.
    case statement(DeviceID, challenge: Digest32)
}

/// What happens to the account.
public enum AccountChange: Sendable, Hashable {
    /// A new password, even if there was none. The asking session goes on under the new token.
    case password(StretchedPassword, OtherSessions, NewSession)
    /// No password: only devices sign in from then on. Refused if no device could.
    case noPassword(OtherSessions, NewSession)
    /// One session ends, whichever it is.
    case endSession(SessionID)
    /// All sessions but the asking one end, and that one goes on under the new token. A copy of the old token is another session too.
    case endOtherSessions(NewSession)
    /// Refused for the last device of an account without a password: nobody could sign in to it any more.
    case revoke(DeviceID)
    case delete

    /// The purpose that a statement must have.
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

/// What happens to the other sessions when the password changes. The raw value is the word that clients send.
public enum OtherSessions: String, Sendable, Hashable, CaseIterable {
    case end
    case keep
}

/// A session's name in lists: it opens nothing, and stays the same when the session is renewed.
public struct SessionID: Sendable, Hashable {
    /// Bytes of a tag: the first ones of the first token's SHA-256.
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

    /// - Returns: nil unless the text is a session's name in its one form.
    public init?(text: String) {
        guard text.utf8.count == 32, let bytes = Base64URL.decoded(text) else { return nil }
        self.init(
            began: Moment(seconds: bytes[..<8].reduce(0) { $0 << 8 | Int64($1) }), tag: Array(bytes[8...]))
    }
}
