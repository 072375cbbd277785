import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets
import ThumbStorage
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_store

/// What isn't as the model says, or what was called damage.
struct Wrong: Error, CustomStringConvertible {
    let description: String
}

/// One user's store with a model of what it acknowledged, for a process in which memory, disk and descriptors run out.
///
/// An act is acknowledged, and the model follows; or it fails for want of something, and nothing has changed. Where the disk failed in the
/// middle of a write, the store may hold it or not, and says which when it is next opened.
final class WantingStore {
    struct Item: Equatable {
        /// Which of the secrets, and which version of the label.
        var secret: Int
        var label: Int
        var keyClass: KeyClass
    }

    struct Model: Equatable {
        var items: [String: Item] = [:]
        /// What the owner said, by app: which version.
        var words: [String: Int] = [:]
        var attempts = Attempts()
    }

    static let group: ExactName = "org.example.want"
    static let mostItems = 24

    let disk = Disk()
    let secrets: [SecretBytes]
    private let name: String
    private let folder: Scratch
    private(set) var store: Store?
    private(set) var model = Model()
    /// What the store may hold instead, since the disk failed in a write.
    private var maybe: [Model] = []
    private var wasClosed = false
    /// Whether the model may be behind: the disk failed in a write, and the store was closed since. `compare` settles it.
    var isUncertain: Bool { wasClosed && !maybe.isEmpty }
    /// The passcode in force, and whether it was given since the store was opened.
    var passcode: (words: SecretBytes, isGiven: Bool)?
    var recoveryCode: SecretBytes?
    /// Grows with each label.
    var version = 0
    /// Whether something is wanting just now: else nothing may fail.
    var isWanting = false
    /// Acts that were acknowledged, and those that failed for want of something.
    private(set) var (done, wanted) = (0, 0)

    deinit {
        // It writes when it closes, and the disk has to be there for that.
        store = nil
    }

    init(_ name: String, secrets: [SecretBytes]) throws {
        self.name = name
        self.secrets = secrets
        folder = try Scratch()
        store = try folder.open(on: disk)
    }

    // MARK: What may fail

    private static func isWant(_ error: any Error) -> Bool {
        switch error {
        case KeychainFailure.outOfMemory, KeychainFailure.storeUnavailable: true
        case BackupError.keychain(.outOfMemory), BackupError.keychain(.storeUnavailable): true
        case let error as StorageError: [.outOfMemory, .full, .inputOutput, .cannotOpen].contains(error.code)
        case let error as SecretError: [.arenaFull, .lockRefused].contains(error.code)
        default: false
        }
    }

    func wrong(_ what: String) -> Wrong { Wrong(description: "\(name): \(what)") }

    /// Does something; nil where it failed for want of something. No other failure is one.
    func attempt<Value>(_ what: String, _ body: (Store) throws -> Value) throws -> Value? {
        guard let store = try opened() else { return nil }
        do {
            let value = try body(store)
            done += 1
            return value
        } catch let error as Wrong {
            throw wrong("\(what): \(error)")
        } catch {
            guard isWanting, Self.isWant(error) else { throw wrong("\(what) failed with \(error)") }
            wanted += 1
            return nil
        }
    }

    /// Writes something; the model follows what was acknowledged.
    func write(_ what: String, _ change: (inout Model) -> Void, _ body: (Store) throws -> Void) throws {
        var next = model
        change(&next)
        guard try attempt(what, body) == nil else {
            (model, maybe) = (next, [])
            return
        }
        if disk.failures > 0 { maybe.append(next) }
    }

    /// A passcode of the class it guarded is gone, and what was sealed under it.
    func forgetPasscodeItems() {
        model.items = model.items.filter { $0.value.keyClass != .passcode }
        maybe = maybe.map { other in
            var other = other
            other.items = other.items.filter { $0.value.keyClass != .passcode }
            return other
        }
    }

    // MARK: Opening

    /// The store, opened if it isn't; nil where that is just what can't be done.
    private func opened() throws -> Store? {
        if let store { return store }
        do {
            let store = try folder.open(on: disk)
            self.store = store
            passcode?.isGiven = false
            try sayNothingOfDamage()
            return store
        } catch let error as StorageError {
            guard isWanting, Self.isWant(error) else { throw wrong("opening failed with \(error)") }
            wanted += 1
            return nil
        }
    }

    func close() {
        store = nil
        wasClosed = true
        passcode?.isGiven = false
    }

    /// What isn't damaged isn't said to be.
    func sayNothingOfDamage() throws {
        guard let items = store?.items else { return }
        if items.quarantined > 0 { throw wrong("\(items.quarantined) items in quarantine") }
        if items.wasLedgerDamaged { throw wrong("the counters were reset") }
    }

    /// Compares all of it with the model. Nothing may be wanting meanwhile.
    func compare() throws {
        guard let store = try opened() else { throw wrong("it isn't open") }
        try sayNothingOfDamage()
        var found = Model(items: [:], attempts: store.items.attempts)
        for item in try store.items.select(Selection(itemClass: .genericPassword, groups: [Self.group])) {
            guard let (account, label) = Self.read(item) else { throw wrong("an item has lost its name") }
            // The label tells which it is; the secret, where its key is at hand, must be that one's.
            guard let known = ([model] + maybe).lazy.compactMap({ $0.items[account] }).first(where: { $0.label == label }) else {
                throw wrong("\(account) has label \(label), which was never written")
            }
            if store.items.isOpen(known.keyClass), try store.items.secret(of: item) != secrets[known.secret] {
                throw wrong("\(account) has another secret")
            }
            found.items[account] = known
        }
        for word in try store.items.consents(.all) { found.words[word.known.app.text] = Int(word.known.date) }
        guard ([model] + maybe).contains(found) else {
            let lost = model.items.keys.filter { found.items[$0] == nil }.sorted()
            throw wrong(
                "it holds \(found.items.count) items, \(found.words), \(found.attempts), not \(model.items.count), \(model.words), "
                    + "\(model.attempts); lost: \(lost)"
            )
        }
        (model, maybe, wasClosed) = (found, [], false)
    }

    static func read(_ item: StoredItem) -> (account: String, label: Int)? {
        guard case .text(let account)? = item.attributes[.account], case .number(let label)? = item.attributes[.creator] else {
            return nil
        }
        return (account, Int(label))
    }
}
