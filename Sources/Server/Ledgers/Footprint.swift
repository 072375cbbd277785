internal import ThumbSignIn

/// Which rows the deeds of a batch name: what is read before anything is decided.
struct Footprint: Sendable, Equatable {
    /// Keys that are only looked at, and those whose rows may change.
    struct Keys<Key: Hashable & Sendable>: Sendable, Equatable {
        private(set) var read: Set<Key> = []
        private(set) var locked: Set<Key> = []

        var isEmpty: Bool { read.isEmpty && locked.isEmpty }
        /// All of them; one lock makes it a locked reading.
        var all: Set<Key> { read.union(locked) }

        fileprivate mutating func look(_ key: Key) { read.insert(key) }
        fileprivate mutating func lock(_ key: Key) { locked.insert(key) }
    }

    private(set) var accounts = Keys<AccountName>()
    private(set) var devices = Keys<DeviceID>()
    /// Accounts all of whose devices are read.
    private(set) var owners: Set<AccountName> = []
    private(set) var challenges: Set<Digest32> = []
    private(set) var sessions = Keys<Digest32>()
    /// Whether there may be something to write.
    private(set) var changes = false

    init(_ deeds: [Deed]) {
        for deed in deeds { add(deed) }
    }

    /// Whether any row has to be read.
    var readsNothing: Bool {
        accounts.isEmpty && devices.isEmpty && owners.isEmpty && challenges.isEmpty && sessions.isEmpty
    }

    private mutating func add(_ deed: Deed) {
        switch deed {
        case .readPassword(let account): accounts.look(account)
        case .readDevice(_, let device): devices.look(device)
        case .readDevices(let account): owners.insert(account)
        case .readSession(let token): sessions.look(token)
        default:
            changes = true
            addChange(deed)
        }
    }

    private mutating func addChange(_ deed: Deed) {
        switch deed {
        case .readPassword, .readDevice, .readDevices, .readSession: break
        case .makeAccount(let account, _), .noteMiss(let account, _, _), .beginPasswordSession(let account, _):
            accounts.lock(account)
        case .giveChallenge, .forget: break
        case .signIn(_, let device, let challenge, _):
            devices.lock(device)
            challenges.insert(challenge)
        case .register(let account, let device, let challenge):
            // The account's lock makes registrations of one account take turns: its devices are counted.
            accounts.lock(account)
            devices.lock(device.id)
            owners.insert(account)
            challenges.insert(challenge)
        case .rename(_, let device, _), .revoke(_, let device): devices.lock(device)
        case .renewSession(let token, _, _), .endSession(let token): sessions.lock(token)
        }
    }
}
