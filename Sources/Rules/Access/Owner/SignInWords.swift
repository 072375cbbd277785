/// What signing a statement is for. The numbers travel on the wire.
public enum StatementPurpose: UInt8, Sendable, Hashable, CaseIterable {
    case signIn = 1
    /// To have a server know the key from now on.
    case register = 2
    /// To give the account a new password, even if it has none yet.
    case changePassword = 3
    /// To remove the account's password, so that only its devices can sign in.
    case removePassword = 4
    /// To end a session of the account, or all others.
    case endSessions = 5
    /// To make a server refuse a device's key for good.
    case revokeDevice = 6
    /// To have a server forget the account.
    case deleteAccount = 7
}

/// Where a statement signs in, as whom, and for what. A prompt says this in its own words.
public struct SignInWords: Sendable, Hashable {
    public var origin: ExactName
    public var account: ExactName
    public var purpose: StatementPurpose

    public init(origin: ExactName, account: ExactName, purpose: StatementPurpose) {
        self.origin = origin
        self.account = account
        self.purpose = purpose
    }
}

/// A statement to be signed with a sign-in key (docs/developers/sign-in.md). The daemon adds its last line, the device's.
public struct StatementUse: Sendable, Hashable {
    public var key: KeyName
    public var words: SignInWords
    /// The server's random bytes.
    public var challenge: [UInt8]
    /// How to ask. Its reason and button titles aren't shown, because the prompt has its own words for signing in.
    public var asking: AskingTerms

    public init(_ key: KeyName, _ words: SignInWords, challenge: [UInt8], asking: AskingTerms = AskingTerms()) {
        self.key = key
        self.words = words
        self.challenge = challenge
        self.asking = asking
    }
}
