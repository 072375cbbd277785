extension ChallengeRecord {
    /// A challenge that a server gives out now, in the form in which it is kept.
    public init(given digest: Digest32, to account: AccountName, for purpose: Purpose, at now: Moment) {
        self.init(digest: digest, account: account, purpose: purpose, expires: now + SignInLimit.secondsOfChallenge)
    }

    /// Why a challenge can't be used, or nil if it can. A ledger asks this inside its transaction, about the row that it found.
    ///
    /// At the moment it ends it is no longer good.
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
