extension ChallengeRecord {
    /// A challenge as a server that gives it now keeps it.
    public init(given digest: Digest32, to account: AccountName, for purpose: Purpose, at now: Moment) {
        self.init(digest: digest, account: account, purpose: purpose, expires: now + SignInLimit.secondsOfChallenge)
    }

    /// Why a challenge can't be used, or nil if it can: what a ledger asks inside its transaction, of the row it found.
    ///
    /// The moment it ends is the first at which it isn't good any more.
    public static func refusal(
        of found: ChallengeRecord?, isUsed: Bool, by account: AccountName, for purpose: Purpose, at now: Moment
    ) -> SignInRefusal? {
        guard let found else { return .challengeUnknown }
        if found.account != account { return .challengeForeign }
        if found.purpose != purpose { return .purpose }
        if now >= found.expires { return .challengeExpired }
        if isUsed { return .challengeUsed }
        return nil
    }
}
