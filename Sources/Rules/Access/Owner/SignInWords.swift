/// What signing a statement is for. The numbers travel on the wire.
public enum StatementPurpose: UInt8, Sendable, Hashable, CaseIterable {
    case signIn = 1
    /// To have a server know the key from now on.
    case register = 2
    /// To give the account another password, or one where it has none.
    case changePassword = 3
    /// To leave the account without a password, to its devices alone.
    case removePassword = 4
    /// To end a session of the account, or all others.
    case endSessions = 5
    /// To have a server never take a device's key again.
    case revokeDevice = 6
    /// To have a server forget the account.
    case deleteAccount = 7
}

/// Where a statement signs in, as whom, and what for. A prompt says this in words of its own.
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

/// A statement to be signed with a sign-in key (docs/developers/sign-in.md). Its last line, the device's, is the daemon's own.
public struct StatementUse: Sendable, Hashable {
    public var key: KeyName
    public var words: SignInWords
    /// The server's random bytes.
    public var challenge: [UInt8]
    /// The reason and the buttons' titles in it aren't shown: the prompt has its own words for signing in.
    public var asking: AskingTerms

    public init(_ key: KeyName, _ words: SignInWords, challenge: [UInt8], asking: AskingTerms = AskingTerms()) {
        self.key = key
        self.words = words
        self.challenge = challenge
        self.asking = asking
    }
}
