import ThumbSignIn

/// The rows that a batch's deeds name. They are read before anything is decided.
struct Footprint: Sendable, Equatable {
    /// Keys whose rows are only read, and keys whose rows may change.
    struct Keys<Key: Hashable & Sendable>: Sendable, Equatable {
        private(set) var read: Set<Key> = []
        private(set) var locked: Set<Key> = []

        var isEmpty: Bool { read.isEmpty && locked.isEmpty }
        /// All keys. If one of them needs a lock, all are read with locks.
        var all: Set<Key> { read.union(locked) }

        fileprivate mutating func look(_ key: Key) { read.insert(key) }
        fileprivate mutating func lock(_ key: Key) { locked.insert(key) }
    }

    private(set) var accounts = Keys<AccountName>()
    private(set) var devices = Keys<DeviceID>()
    /// Accounts whose devices are all read.
    private(set) var owners: Set<AccountName> = []
    private(set) var challenges: Set<Digest32> = []
    private(set) var sessions = Keys<Digest32>()
    /// Sessions that are looked up by name.
    private(set) var named: Set<Name> = []
    /// Accounts whose sessions are listed.
    private(set) var holders: Set<AccountName> = []
    private(set) var pages: Set<Page> = []
    /// A session, by its name in its account.
    struct Name: Sendable, Hashable {
        let account: AccountName
        let id: SessionID
    }

    /// The accounts that follow one.
    struct Page: Sendable, Hashable {
        let after: AccountName?
    }

    /// Whether the batch may have something to write.
    private(set) var changes = false

    init(_ deeds: [Deed]) {
        for deed in deeds { add(deed) }
    }

    /// Whether any row has to be read.
    var readsNothing: Bool {
        accounts.isEmpty && devices.isEmpty && owners.isEmpty && challenges.isEmpty && sessions.isEmpty && named.isEmpty
            && holders.isEmpty && pages.isEmpty
    }

    private mutating func add(_ deed: Deed) {
        switch deed {
        case .readPassword(let account): accounts.look(account)
        case .readDevice(_, let device): devices.look(device)
        case .readDevices(let account): owners.insert(account)
        case .readSession(let token): sessions.look(token)
        case .readSessions(let account): holders.insert(account)
        case .readAccounts(let after): pages.insert(Page(after: after))
        default:
            changes = true
            addChange(deed)
        }
    }

    private mutating func addChange(_ deed: Deed) {
        switch deed {
        case .readPassword, .readDevice, .readDevices, .readSession, .readSessions, .readAccounts: break
        case .makeAccount(let account, _), .noteMiss(let account, _), .beginPasswordSession(let account, _, _),
            .setPassword(let account, _), .setLocked(let account, _):
            accounts.lock(account)
        case .removeAccount(let account):
            accounts.lock(account)
            owners.insert(account)
        case .endSessions(let account, let id):
            accounts.lock(account)
            if let id { named.insert(Name(account: account, id: id)) }
        case .act(let act): add(act)
        case .giveChallenge, .forget: break
        case .signIn(let account, let device, let challenge, _):
            // A sign-in only checks whether the account is locked. An account's sign-ins don't take turns.
            accounts.look(account)
            devices.lock(device)
            challenges.insert(challenge)
        case .register(let account, let device, let challenge, let session):
            if let session { sessions.lock(session) }
            // The lock makes an account's registrations take turns, because they count its devices.
            accounts.lock(account)
            devices.lock(device.id)
            owners.insert(account)
            challenges.insert(challenge)
        case .rename(_, let device, _), .revoke(_, let device): devices.lock(device)
        case .renewSession(let token, _, _), .endSession(let token): sessions.lock(token)
        }
    }

    private mutating func add(_ act: AccountAct) {
        // Acts on one account take turns, as its registrations do, because they count devices to find the last one.
        accounts.lock(act.account)
        sessions.lock(act.session)
        if case .statement(let device, let challenge) = act.proof {
            devices.lock(device)
            challenges.insert(challenge)
        }
        switch act.change {
        case .password, .endOtherSessions: break
        case .noPassword, .delete: owners.insert(act.account)
        case .endSession(let id): named.insert(Name(account: act.account, id: id))
        case .revoke(let device):
            devices.lock(device)
            owners.insert(act.account)
        }
    }
}
