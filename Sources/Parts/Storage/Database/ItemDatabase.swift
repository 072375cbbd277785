import ThumbAccess
public import ThumbAuthentication
import ThumbCrypto
import ThumbKeychain
import ThumbSQLite

/// The items of one user in SQLite. Everything in them is sealed under the keybag's keys.
///
/// It is the `ItemStore`, `HouseTables`, `AuditTrail` and `AttemptLedger`. Not thread-safe: it lives on the loop, as its keybag does.
public final class ItemDatabase {
    let keybag: Keybag
    let connection: ItemConnection
    let seals: ItemSeals
    let index: LookupIndex
    let stateSeals: StateSeals
    let auditSeals: AuditSeals
    let houseSeals: HouseSeals
    var recordsKey: HMACKey { keybag.deviceKeys.records }

    /// The tables of the house's that the file has.
    private(set) var forms = houseForms

    /// The totals over all records, as they are on disk.
    var total = Total()
    /// The misses on disk.
    var misses = Attempts()
    /// Items whose secret was found damaged and stays until it is replaced.
    var damagedSecrets: Set<ItemID> = []
    /// How many damaged items are set apart, and how many more will be once the present transaction succeeds.
    var (setApart, settingApart) = (0, 0)

    /// The part of the audit that is in memory.
    var audit = AuditState()

    /// The item that the latest query wanted, opened, with the seals of its attributes and its secret. Most secrets are asked for right
    /// after their item was found, and many items again and again. Any write drops it.
    var latest: OpenedItem?
    private(set) var isWriting = false

    /// The counter that shows whether the total is the latest; nil if there is none.
    let anchor: Anchor?
    /// Whether the total is one ahead of the counter, which is counting just now or didn't answer, and whether it has to move again.
    var anchoring = Anchoring()

    /// Raises the counter on a thread other than the store's, then passes the result to `anchored`. Returns false if that isn't possible
    /// now. Without this function the store itself waits for the counter.
    public var countElsewhere: ((_ work: @escaping @Sendable () -> Result<UInt64, StorageError>) -> Bool)?
    /// Why the counter isn't used, or didn't count; for the log.
    public internal(set) var anchorRefusal: StorageError?

    /// How many transactions the store has seen, and how many of them wrote the counters' row. For the bench.
    package var changes: UInt64 { total.changes }
    package var countersWritten: UInt64 { total.missesSerial }

    /// Whether the counters of misses were found damaged or put back. They then count as locked out until the passcode clears them.
    public internal(set) var wasLedgerDamaged = false

    /// Makes a database for a new keybag. It is a draft, and gets its name once it is complete.
    static func found(for keybag: Keybag) throws {
        try keybag.folder.remove(Schema.draft + "-wal")
        try keybag.folder.makeEmpty(Schema.draft)
        do {
            let connection = try ItemConnection(path: "\(keybag.folder.path)/\(Schema.draft)", disk: keybag.folder.disk)
            try Schema.prepare(connection)
            try Schema.found(connection)
            let database = try ItemDatabase(keybag, connection, anchor: nil)
            try database.transaction { total in
                try connection.run(Self.putState, .integer(Int64(StateSeals.Name.keybag.rawValue)), .bytes(keybag.id))
                try database.writeMisses(Attempts(), &total)
            }
            // This comes before renaming: a log that couldn't be folded at closing would stay behind under the draft's name.
            try connection.foldLog()
            try connection.foldLogOnClose()
        }
        try keybag.folder.rename(Schema.draft, to: Schema.file)
    }

    /// Opens the keybag's database and checks what docs/STORE.md says is checked.
    static func open(for keybag: Keybag, acceptingLosses: Bool) throws -> ItemDatabase {
        let anchor = try keybag.anchor()
        let counter = anchor.map { CounterReading($0) }
        let hadLog = try keybag.folder.size(of: Schema.log) ?? 0 > 0
        let connection = try ItemConnection(path: "\(keybag.folder.path)/\(Schema.file)", disk: keybag.folder.disk)
        try Schema.prepare(connection)
        let format = try Schema.check(connection)
        let database = try ItemDatabase(keybag, connection, anchor: anchor)
        try database.load(format, hadLog: hadLog, counter, acceptingLosses: acceptingLosses)
        // The anchor matches from now on, so nobody would distrust an old copy's counters again.
        let keepsDistrust = database.wasLedgerDamaged && (acceptingLosses || keybag.wasRecovered)
        do {
            try database.transaction(isWork: false) {
                if format < Schema.format {
                    try Schema.migrate(connection, from: format)
                    database.forms = houseForms
                }
                if format < Schema.houseFormat { try database.moveHouseItems(&$0) }
                if keepsDistrust { try database.writeMisses(database.misses, &$0) }
                $0.inUse = true
            }
            // Not earlier: if a start fails after a crash, that crash's log must stay, or the next start would miss it.
            try connection.foldLogOnClose()
            // From here on the file itself records that it has a log.
            try connection.foldLog()
        } catch let error as StorageError
            where error.code == .full && !keepsDistrust && (format == Schema.format || database.total.inUse)
        {
            // Reading goes on with a full disk. The only loss is that a log that goes missing then wouldn't be noticed; the existing log
            // stays. An older store waits for room, because the first call needs the tables that it lacks.
        }
        try database.dropAnchor()
        return database
    }

    private init(_ keybag: Keybag, _ connection: ItemConnection, anchor: Anchor?) throws {
        self.keybag = keybag
        self.anchor = anchor
        self.connection = connection
        seals = ItemSeals(keybag: keybag.id, attributes: keybag.deviceKeys.attributes)
        index = LookupIndex(key: keybag.deviceKeys.index)
        stateSeals = StateSeals(keybag: keybag.id, key: keybag.deviceKeys.state)
        auditSeals = AuditSeals(keybag: keybag.id, keys: keybag.deviceKeys)
        houseSeals = HouseSeals(keybag: keybag.id, keys: keybag.deviceKeys)
    }

    /// Notes the clean end. If that can't be noted, the log stays, even an empty one: a file in use isn't opened without its log.
    deinit {
        guard total.inUse else { return }
        // Nobody is left who could hear from a counter.
        anchoring.isCounting = true
        // Nobody is left to hear why it couldn't be written. The next opening does what is left to do.
        do { try transaction(isWork: false) { $0.inUse = false } } catch {
            try? connection.foldLogOnClose(false)  // This is an option of an open connection, so it doesn't fail.
        }
    }

    // MARK: The state rows

    private func load(_ format: Int64, hadLog: Bool, _ counter: CounterReading?, acceptingLosses: Bool) throws {
        guard try state(.keybag) == keybag.id else {
            throw StorageError(.foreignDatabase, "the items database belongs to another keybag")
        }
        let hasHouse = format >= Schema.houseFormat
        // Until the file is brought to this format.
        forms = format >= Schema.machinesFormat ? houseForms : houseFormsBeforeMachines
        if let known = try opened(.total, { try stateSeals.openTotal($0, hasHouse: hasHouse) }) {
            if known.inUse, !hadLog, !acceptingLosses {
                throw StorageError(.logMissing, "the service did not end cleanly and its log is gone")
            }
            total = known
        } else {
            guard acceptingLosses else { throw StorageError(.recordsMismatch, "the records' total doesn't open") }
            total = Total()
        }
        total.inUse = false
        try loadMisses()
        try loadAudit(acceptingLosses: acceptingLosses)
        try checkAnchor(counter, acceptingLosses: acceptingLosses)
        let wereIndexesWhole = try mendIndexes()
        try checkRecords(acceptingLosses: acceptingLosses)
        if hasHouse {
            try checkHouse(acceptingLosses: acceptingLosses)
        } else {
            try checkNoHouse(acceptingLosses: acceptingLosses)
        }
        if !wereIndexesWhole { try refile() }
        try loadQuarantine()
    }

    /// Only damaged counters are distrusted. If the counters can't be read just now, the store doesn't open.
    private func loadMisses() throws {
        let serial = total.missesSerial
        if let known = try opened(.misses, { try stateSeals.openMisses($0, serial: serial) }) {
            misses = known
        } else {
            distrustMisses()
        }
    }

    /// The contents of a state row; nil if it is missing or damaged.
    private func opened<Content>(_ name: StateSeals.Name, _ open: ([UInt8]) throws -> Content) throws -> Content? {
        guard let box = try state(name) else { return nil }
        return try undamaged { try open(box) }
    }

    /// Sets the counters to a lockout, so that nobody gains attempts by damaging them or by putting old ones back.
    func distrustMisses() {
        misses = Attempts(biometric: Attempts.biometricLimit, passcode: Self.passcodesWhenDamaged)
        wasLedgerDamaged = true
    }

    /// How many wrong passcodes a damaged counter stands for: enough for the longest delay.
    private static let passcodesWhenDamaged = 9

    static let putState = "INSERT OR REPLACE INTO state(name, sealed) VALUES(?, ?)"

    private func state(_ name: StateSeals.Name) throws -> [UInt8]? {
        var result: [UInt8]?
        try connection.rows("SELECT sealed FROM state WHERE name = ?", [.integer(Int64(name.rawValue))]) {
            result = $0.optionalBytes(0)
            return false
        }
        return result
    }

    func writeMisses(_ attempts: Attempts, _ total: inout Total) throws {
        total.missesSerial += 1
        let box = try stateSeals.seal(attempts, serial: total.missesSerial)
        try connection.run(Self.putState, .integer(Int64(StateSeals.Name.misses.rawValue)), .bytes(box))
    }

    // MARK: Transactions

    /// Runs `body` whole or not at all. When this returns, the changes are on disk and in the total.
    ///
    /// On a full disk it folds the log into the file, which makes room in the log, and tries once more. `isWork` is false if the store only
    /// notes something about itself.
    func transaction(isWork: Bool = true, _ body: (inout Total) throws -> Void) throws {
        do {
            try attempt(isWork, body)
        } catch let error as StorageError where error.code == .full {
            try? connection.foldLog()  // If that makes no room either, the second attempt says so.
            try attempt(isWork, body)
        }
        countIfDue()
    }

    private func attempt(_ isWork: Bool, _ body: (inout Total) throws -> Void) throws {
        var next = total
        next.keybag = keybag.revision
        if isWork { next.isBehind = true }
        isWriting = true
        latest = nil
        settingApart = 0
        defer { isWriting = false }
        let (isRaised, book): (Bool, AuditBook)
        do {
            try connection.run("BEGIN IMMEDIATE")
            try body(&next)
            book = try writeAudit(&next)
            if audit.waiting.notes.contains(where: \.event.changesProtection) { anchoring.isDue = true }
            isRaised = raiseAnchor(&next)
            next.changes += 1
            let box = try stateSeals.seal(next)
            try connection.run(Self.putState, .integer(Int64(StateSeals.Name.total.rawValue)), .bytes(box))
            try connection.run("COMMIT")
        } catch {
            connection.rollBack()
            throw error
        }
        total = next
        setApart += settingApart
        audit.book = book
        audit.waiting.written()
        if isRaised { (anchoring.isDue, anchoring.isAhead) = (false, true) }
    }
}

extension ItemDatabase: AttemptLedger {
    /// The misses on disk. While the counters are damaged, they amount to a lockout.
    public var attempts: Attempts { misses }

    /// Puts the counters on disk. Fails with `KeychainFailure` as any write may; then nothing changed.
    public func commit(_ attempts: Attempts) throws {
        if attempts.biometric > misses.biometric || attempts.passcode > misses.passcode { anchoring.isDue = true }
        try keeping {
            try transaction { try writeMisses(attempts, &$0) }
            misses = attempts
            wasLedgerDamaged = false
        }
    }
}
