import ThumbSignIn

/// Does a batch's deeds in memory, on the rows that they name. Both stores use it.
struct Settlement {
    let now: Moment
    var rows: Rows

    mutating func settle(_ deed: Deed) -> DeedOutcome {
        switch deed {
        case .makeAccount(let account, let password): return make(account, password)
        case .readPassword(let account):
            guard let row = rows.accounts[account] else { return .none }
            return .password(row.password, misses: Int(row.misses), until: row.attemptsFrom)
        case .noteMiss(let account, let until):
            guard rows.accounts[account] != nil else { return .none }
            // Of two misses at the same time each counts, and the later time is kept.
            rows.accounts.change(account) { ($0.misses, $0.attemptsFrom) = ($0.misses + 1, max($0.attemptsFrom, until)) }
            return .done
        case .beginPasswordSession(let account, let password, let session): return begin(account, password, session)
        case .giveChallenge(let record): return give(record)
        case .readDevice(let account, let device):
            return owned(device, by: account).map { .device($0.record) } ?? .none
        case .signIn(let account, let device, let challenge, let session):
            return signIn(account, device, challenge, session)
        case .register(let account, let device, let challenge, let session):
            if let session, live(session)?.record.account != account { return .refused(.session) }
            return register(account, device, challenge)
        case .readDevices(let account): return .devices(listedDevices(of: account))
        case .rename(let account, let device, let name): return rename(account, device, name)
        case .revoke(let account, let device): return revoke(account, device)
        case .act(let act): return settle(act)
        case .readSession(let token): return live(token).map { .session($0.record) } ?? .none
        case .renewSession(let old, let new, let expires): return renew(old, new, expires)
        case .endSession(let token): return end(token)
        case .readSessions(let account):
            return .sessions(rows.listedSessions[account] ?? [])
        case .readAccounts(let after): return .accounts(rows.listedAccounts[Footprint.Page(after: after)] ?? [])
        case .setPassword(let account, let password): return setPassword(of: account, to: password)
        case .setLocked(let account, let isLocked): return setLocked(account, isLocked)
        case .removeAccount(let account): return remove(account)
        case .endSessions(let account, let id): return endSessions(of: account, id)
        case .forget(let before):
            rows.forgotten = max(before, rows.forgotten ?? before)
            return .done
        }
    }

    // Accounts

    private mutating func make(_ account: AccountName, _ password: StretchedPassword) -> DeedOutcome {
        guard rows.accounts[account] == nil else { return .refused(.accountExists) }
        rows.accounts.add(AccountRow(password: password), as: account)
        return .done
    }

    private mutating func begin(_ account: AccountName, _ password: StretchedPassword, _ session: NewSession) -> DeedOutcome {
        guard let row = rows.accounts[account] else { return .none }
        // It was compared before this transaction began. The account may have another password by now.
        guard row.password == password else { return .refused(.credentials) }
        guard row.locked == nil else { return .refused(.accountLocked) }
        clearMisses(of: account)
        add(session, account, .password, nil)
        return .done
    }

    mutating func clearMisses(of account: AccountName) {
        guard let row = rows.accounts[account], row.misses != 0 || row.attemptsFrom.seconds != 0 else { return }
        rows.accounts.change(account) { ($0.misses, $0.attemptsFrom) = (0, Moment(seconds: 0)) }
    }

    // Challenges and devices

    private mutating func give(_ record: ChallengeRecord) -> DeedOutcome {
        // Nobody draws the same 32 bytes twice. If it happened the first would stay, so that a used challenge never becomes unused.
        guard rows.challenges[record.digest] == nil else { return .done }
        let row = ChallengeRow(account: record.account, purpose: record.purpose, expires: record.expires)
        rows.challenges.add(row, as: record.digest)
        return .done
    }

    func owned(_ device: DeviceID, by account: AccountName) -> DeviceRow? {
        rows.devices[device].flatMap { $0.account == account ? $0 : nil }
    }

    func refusal(_ challenge: Digest32, _ account: AccountName, _ purpose: Purpose) -> SignInRefusal? {
        let row = rows.challenges[challenge]
        let found = row.map {
            ChallengeRecord(digest: challenge, account: $0.account, purpose: $0.purpose, expires: $0.expires)
        }
        return ChallengeRecord.refusal(of: found, isUsed: row?.used != nil, by: account, for: purpose, at: now)
    }

    private mutating func signIn(
        _ account: AccountName, _ device: DeviceID, _ challenge: Digest32, _ session: NewSession
    ) -> DeedOutcome {
        guard let row = owned(device, by: account) else { return .refused(.deviceUnknown) }
        guard row.record.revoked == nil else { return .refused(.deviceRevoked) }
        guard let owner = rows.accounts[account] else { return .refused(.deviceUnknown) }
        guard owner.locked == nil else { return .refused(.accountLocked) }
        if let refusal = refusal(challenge, account, .signIn) { return .refused(refusal) }
        use(challenge, by: device)
        add(session, account, .device, device)
        return .done
    }

    mutating func use(_ challenge: Digest32, by device: DeviceID) {
        rows.challenges.change(challenge) { $0.used = now }
        // Within one second the time is the same, and the row needn't be written again.
        if rows.devices[device]?.record.lastUsed != now { rows.devices.change(device) { $0.record.lastUsed = now } }
    }

    private mutating func register(_ account: AccountName, _ device: DeviceRecord, _ challenge: Digest32) -> DeedOutcome {
        guard Self.canKeep(device.name), Self.canKeep(device.unverifiedProtection) else { return .refused(.value) }
        guard let owner = rows.accounts[account] else { return .none }
        guard owner.locked == nil else { return .refused(.accountLocked) }
        if let there = rows.devices[device.id] {
            let isAsBefore = there.account == account && there.record.revoked == nil
            return isAsBefore ? .done : .refused(.deviceTaken)
        }
        if let refusal = refusal(challenge, account, .register) { return .refused(refusal) }
        guard devices(of: account).count(where: { $0.revoked == nil }) < SignInLimit.devices else {
            return .refused(.tooManyDevices)
        }
        rows.challenges.change(challenge) { $0.used = now }
        rows.devices.add(DeviceRow(account: account, record: device), as: device.id)
        return .done
    }

    func devices(of account: AccountName) -> [DeviceRecord] {
        let there = rows.devices.all.map(\.row).filter { $0.account == account && $0.number != .max }
            .sorted { $0.number < $1.number }
        let new = rows.devices.additions.map(\.row).filter { $0.account == account }
        return (there + new).map(\.record)
    }

    /// All devices that can sign in and, of the revoked ones, the newest.
    private func listedDevices(of account: AccountName) -> [DeviceRecord] {
        let all = devices(of: account)
        let dropped = Set(all.filter { $0.revoked != nil }.dropLast(SignInLimit.revokedDevices).map(\.id))
        return all.filter { !dropped.contains($0.id) }
    }

    private mutating func rename(_ account: AccountName, _ device: DeviceID, _ name: String) -> DeedOutcome {
        guard Self.canKeep(name) else { return .refused(.value) }
        guard owned(device, by: account) != nil else { return .none }
        rows.devices.change(device) { $0.record.name = name }
        return owned(device, by: account).map { .device($0.record) } ?? .none
    }

    mutating func revoke(_ account: AccountName, _ device: DeviceID) -> DeedOutcome {
        guard let row = owned(device, by: account) else { return .none }
        if row.record.revoked == nil { rows.devices.change(device) { $0.record.revoked = now } }
        return .done
    }

    /// PostgreSQL can't store a text with U+0000, so neither store accepts one.
    private static func canKeep(_ text: String) -> Bool { !text.utf8.contains(0) }

    // Sessions

    private mutating func add(_ session: NewSession, _ account: AccountName, _ kind: SessionKind, _ device: DeviceID?) {
        let tag = Array(session.token.bytes.prefix(SessionID.tagBytes))
        let record = SessionRecord(
            account: account, kind: kind, device: device, began: now, expires: session.expires, tag: tag)
        rows.sessions[session.token] = SessionRow(record: record)
    }

    func live(_ token: Digest32) -> SessionRow? {
        guard let row = rows.sessions[token], !row.record.isExpired(at: now), !row.isBlocked else { return nil }
        if let device = row.record.device, rows.devices[device]?.record.revoked != nil { return nil }
        return row
    }

    mutating func renew(_ old: Digest32, _ new: Digest32, _ expires: Moment) -> DeedOutcome {
        guard var row = live(old) else { return .none }
        row.record.expires = expires
        rows.sessions[old] = nil
        rows.sessions[new] = row
        return .session(row.record)
    }

    mutating func end(_ token: Digest32) -> DeedOutcome {
        guard let row = live(token) else { return .none }
        rows.sessions[token] = nil
        if let stored = row.stored { rows.ended.append(stored) }
        return .done
    }
}
