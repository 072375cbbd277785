public import ThumbSignIn

/// Accounts as the operator keeps them, without HTTP. All that this needs is the database, which a server may be using.
///
/// Each call fails with `account` if what it names doesn't exist or can't be, and with `ledger`.
public struct AccountKeeping {
    private let ledger: any Ledger
    private let now: Moment
    private let passwords: PasswordRule

    /// Works on that database, at that moment, and takes new passwords by that rule.
    public init(_ ledger: any Ledger, at now: Moment, passwords: PasswordRule = PasswordRule()) {
        (self.ledger, self.now, self.passwords) = (ledger, now, passwords)
    }

    /// Makes an account with the password that is typed, or that is a line on standard input.
    public func add(_ name: String) throws(ServerError) {
        let account = try account(name)
        let taken = ServerError(.account, "there is such an account already")
        // Checked before anybody types a password in vain.
        if case .password = try settle(.readPassword(account)) { throw taken }
        switch try settle(.makeAccount(account, try password(of: account))) {
        case .done: return
        case .refused(.accountExists): throw taken
        default: throw Self.contradiction
        }
    }

    /// Gives the account a new password, read as in `add`, even if it has none yet. Its sessions end.
    public func setPassword(_ name: String) throws(ServerError) {
        let account = try account(name)
        // Checked before anybody types a password in vain.
        if case .none = try settle(.readPassword(account)) { throw Self.noAccount }
        try done(.setPassword(account, try password(of: account)), or: Self.noAccount)
    }

    /// Locks or unlocks the account. Its sessions end either way.
    public func setLocked(_ name: String, _ isLocked: Bool) throws(ServerError) {
        try done(.setLocked(try account(name), isLocked), or: Self.noAccount)
    }

    /// Removes the account with its devices and sessions.
    public func remove(_ name: String) throws(ServerError) { try done(.removeAccount(try account(name)), or: Self.noAccount) }

    /// Calls `say` with a line about each account, in the order of their names.
    public func list(_ say: (String) -> Void) throws(ServerError) {
        var last: AccountName?
        while true {
            guard case .accounts(let page) = try settle(.readAccounts(after: last)) else { throw Self.contradiction }
            for summary in page { say(Self.line(summary)) }
            if page.count < SignInLimit.listedAccounts { return }
            last = page.last?.account
        }
    }

    /// Calls `say` with a line about each session of the account, the newest first.
    public func listSessions(_ name: String, _ say: (String) -> Void) throws(ServerError) {
        let account = try account(name)
        if case .none = try settle(.readPassword(account)) { throw Self.noAccount }
        guard case .sessions(let sessions) = try settle(.readSessions(account)) else { throw Self.contradiction }
        for session in sessions { say(Self.line(session)) }
        if sessions.count == SignInLimit.listedSessions { say("these are the newest; 'session end \(name)' ends older ones too") }
    }

    /// Ends that session of the account, or all of them.
    public func endSessions(_ name: String, _ session: String?) throws(ServerError) {
        let account = try account(name)
        guard let session else { return try done(.endSessions(account, nil), or: Self.noAccount) }
        let unknown = ServerError(.account, "the account has no such session; 'session list \(name)' tells which there are")
        guard let id = SessionID(text: session) else { throw unknown }
        try done(.endSessions(account, id), or: unknown)
    }

    /// Calls `say` with a line about each device of the account, the oldest first.
    public func listDevices(_ name: String, _ say: (String) -> Void) throws(ServerError) {
        let account = try account(name)
        if case .none = try settle(.readPassword(account)) { throw Self.noAccount }
        guard case .devices(let devices) = try settle(.readDevices(account)) else { throw Self.contradiction }
        for device in devices { say(Self.line(device)) }
    }

    /// Revokes a device of the account, even its last one.
    public func revoke(_ name: String, _ device: String) throws(ServerError) {
        let account = try account(name)
        let unknown = ServerError(.account, "the account has no such device; 'device list \(name)' tells which there are")
        guard let id = DeviceID(text: device) else { throw unknown }
        try done(.revoke(account, id), or: unknown)
    }

    // MARK: Shared

    private static let noAccount = ServerError(.account, "there is no such account; 'account list' tells which there are")
    private static let contradiction = ServerError(.ledger, "the database has an answer that it can't have")

    private func account(_ name: String) throws(ServerError) -> AccountName {
        guard let account = AccountName(name) else {
            throw ServerError(.account, "an account is 1 to 128 visible characters of ASCII")
        }
        return account
    }

    private func password(of account: AccountName) throws(ServerError) -> StretchedPassword {
        let password = try PasswordInput(rule: passwords, account: account).read()
        do throws(SignInRefusal) {
            return try Passwords.kept(password, .usual)
        } catch { throw ServerError(.account, "the password can't be stretched: there is no memory for it") }
    }

    private func settle(_ deed: Deed) throws(ServerError) -> DeedOutcome {
        let outcomes: [DeedOutcome]
        do throws(LedgerFailure) {
            outcomes = try ledger.settle([deed], at: now)
        } catch { throw ServerError(.ledger, error.words) }
        guard let outcome = outcomes.first else { throw Self.contradiction }
        return outcome
    }

    private func done(_ deed: Deed, or missing: ServerError) throws(ServerError) {
        switch try settle(deed) {
        case .done: return
        case .none: throw missing
        default: throw Self.contradiction
        }
    }

    // MARK: Lines

    private static func line(_ summary: AccountSummary) -> String {
        let devices = summary.devices == 1 ? "1 device" : "\(summary.devices) devices"
        let locked = summary.locked.map { ", locked since \($0.written)" } ?? ""
        return "\(summary.account.text)  \(summary.hasPassword ? "password" : "no password"), \(devices)\(locked)"
    }

    private static func line(_ session: SessionRecord) -> String {
        let way = session.device.map { "device \($0.text)" } ?? "password"
        return
            "\(session.id.text)  since \(session.began.written), until \(session.expires.written), by \(way)"
    }

    private static func line(_ device: DeviceRecord) -> String {
        let used = device.lastUsed.map { ", last used \($0.written)" } ?? ""
        let revoked = device.revoked.map { ", revoked \($0.written)" } ?? ""
        // The owner chose the name; it can't contain a control character.
        return "\(device.id.text)  registered \(device.registered.written)\(used)\(revoked), \"\(device.name)\""
    }
}
