import ThumbSignIn

// What is done to a whole account: by its owner, with a proof of this moment, or by the server's operator.

extension Settlement {
    // The owner

    mutating func settle(_ act: AccountAct) -> DeedOutcome {
        let account = act.account
        // The session or the account may have ended between the question who asks and this transaction.
        guard let row = live(act.session), row.record.account == account, let owner = rows.accounts[account], owner.locked == nil
        else { return .refused(.session) }
        if let refusal = refusal(act.proof, owner, account, act.change.purpose) { return .refused(refusal) }
        if let objection = objection(to: act.change, owner, account) { return objection }
        switch act.proof {
        case .password: clearMisses(of: account)
        case .statement(let device, let challenge): use(challenge, by: device)
        }
        return perform(act)
    }

    private func refusal(
        _ proof: FreshProof, _ owner: AccountRow, _ account: AccountName, _ purpose: Purpose
    ) -> SignInRefusal? {
        switch proof {
        case .password(let password): return owner.password == password ? nil : .credentials
        case .statement(let device, let challenge):
            guard let row = owned(device, by: account) else { return .deviceUnknown }
            guard row.record.revoked == nil else { return .deviceRevoked }
            return refusal(challenge, account, purpose)
        }
    }

    /// Why the change is refused. This is checked before anything is used up.
    private func objection(to change: AccountChange, _ owner: AccountRow, _ account: AccountName) -> DeedOutcome? {
        let active = devices(of: account).filter { $0.revoked == nil }.map(\.id)
        switch change {
        case .password, .endOtherSessions, .delete: return nil
        case .noPassword: return active.isEmpty ? .refused(.noDevice) : nil
        case .endSession(let id): return tokens(of: account, id).isEmpty ? DeedOutcome.none : nil
        case .revoke(let device):
            guard owned(device, by: account) != nil else { return DeedOutcome.none }
            return owner.password == nil && active == [device] ? .refused(.lastDevice) : nil
        }
    }

    private mutating func perform(_ act: AccountAct) -> DeedOutcome {
        let account = act.account
        switch act.change {
        case .password(let password, let others, let next):
            rows.accounts.change(account) { $0.password = password }
            return goOn(act, others, next)
        case .noPassword(let others, let next):
            rows.accounts.change(account) { $0.password = nil }
            return goOn(act, others, next)
        case .endOtherSessions(let next): return goOn(act, .end, next)
        case .endSession(let id): return endSessions(of: account, id)
        case .revoke(let device): return revoke(account, device)
        case .delete: return remove(account)
        }
    }

    /// The asking session goes on under another token, so that a copy of the old token ends with the other sessions.
    private mutating func goOn(_ act: AccountAct, _ others: OtherSessions, _ next: NewSession) -> DeedOutcome {
        switch others {
        case .end: clear(act.account, but: act.session)
        case .keep: break
        }
        return renew(act.session, next.token, next.expires)
    }

    // The operator

    mutating func setPassword(of account: AccountName, to password: StretchedPassword) -> DeedOutcome {
        guard rows.accounts[account] != nil else { return .none }
        rows.accounts.change(account) { $0.password = password }
        clearMisses(of: account)
        clear(account)
        return .done
    }

    mutating func setLocked(_ account: AccountName, _ isLocked: Bool) -> DeedOutcome {
        guard let row = rows.accounts[account] else { return .none }
        if isLocked != (row.locked != nil) { rows.accounts.change(account) { $0.locked = isLocked ? now : nil } }
        // Also when it is unlocked: while the lock was being written, a sign-in at another server may have begun a session.
        clear(account)
        return .done
    }

    // Both

    mutating func remove(_ account: AccountName) -> DeedOutcome {
        guard rows.accounts[account] != nil else { return .none }
        clear(account)
        for (device, row) in rows.devices.all where row.account == account { rows.devices.remove(device) }
        rows.accounts.remove(account)
        return .done
    }

    mutating func endSessions(of account: AccountName, _ id: SessionID?) -> DeedOutcome {
        guard rows.accounts[account] != nil else { return .none }
        guard let id else {
            clear(account)
            return .done
        }
        let tokens = tokens(of: account, id)
        for token in tokens { _ = end(token) }
        return tokens.isEmpty ? .none : .done
    }

    private func tokens(of account: AccountName, _ id: SessionID) -> [Digest32] {
        rows.sessions.filter { $0.value.record.account == account && $0.value.record.id == id && live($0.key) != nil }.map(\.key)
    }

    private mutating func clear(_ account: AccountName, but kept: Digest32? = nil) {
        rows.cleared.insert(account)
        rows.sessions = rows.sessions.filter { $0.value.record.account != account || $0.key == kept }
    }
}
