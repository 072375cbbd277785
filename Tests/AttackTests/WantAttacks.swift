import CThumbSQLite
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets
import ThumbStorage
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_store

/// What an attacker takes away from the process that holds a store, by using it up.
enum Lack: String, Sendable, CaseIterable {
    case lockedMemory, memory, descriptors, roomOnDisk, workingDisk, readableDisk

    /// Where one is then.
    var name: String {
        switch self {
        case .lockedMemory: "out of locked memory"
        case .memory: "out of memory"
        case .descriptors: "out of descriptors"
        case .roomOnDisk: "on a full disk"
        case .workingDisk: "on a disk that fails when it is written"
        case .readableDisk: "on a disk that fails when it is read"
        }
    }

    /// How far it goes, from nothing left to all but enough.
    var levels: Int {
        switch self {
        case .lockedMemory, .memory: 30
        case .descriptors: 6
        case .roomOnDisk, .workingDisk, .readableDisk: 20
        }
    }

    func begin(_ level: Int, _ disk: Disk, _ ballast: Ballast) {
        var dice = Dice(UInt64(level))
        switch self {
        case .lockedMemory:
            ballast.fill()
            ballast.giveBack(3 * level, by: &dice)
        case .memory: Want.memory(level * 12_000)
        case .descriptors: Want.descriptors(level)
        case .roomOnDisk:
            disk.fail(at: level, .full, lasting: true)
            if level % 2 == 0 { Want.room(level * 512) }
        case .workingDisk: disk.fail(at: level, .broken, lasting: level % 2 == 0)
        // An error that goes away.
        case .readableDisk: disk.failReads(from: level, 1)
        }
    }

    static func end(_ disk: Disk, _ ballast: Ballast) {
        Want.memory(nil)
        Want.descriptors(nil)
        Want.room(nil)
        disk.mend()
        ballast.giveBackPlenty()
    }
}

/// What might be taken for damaged, and how whoever uses it tells.
enum Victim: String, Sendable, CaseIterable {
    case counters, itemBeforeAdding, itemBeforeChanging, itemSearchedFor, secret, record, audit, keybag, passcodeSlot,
        recoverySlot, backup
    case wholeStore

    /// What it is called, and when it is used.
    var name: String {
        switch self {
        case .counters: "the counters"
        case .itemBeforeAdding: "an item whose name is added"
        case .itemBeforeChanging: "an item that is changed"
        case .itemSearchedFor: "an item that is searched for"
        case .secret: "a secret"
        case .record: "the record of all items"
        case .audit: "the audit"
        case .keybag: "the keybag"
        case .passcodeSlot: "the passcode's slot"
        case .recoverySlot: "the recovery code's slot"
        case .backup: "a backup"
        case .wholeStore: "the whole store"
        }
    }

    /// What one wrong bit does to it, if it isn't spared.
    var flip: Flip {
        switch self {
        case .counters: .row("state", "sealed", "name = 2")
        case .itemBeforeAdding, .itemBeforeChanging, .itemSearchedFor, .wholeStore: .row("contents", "attributes", "row = 2")
        case .secret: .row("contents", "secret", "row = 2")
        case .record: .row("state", "sealed", "name = 1")
        case .audit: .row("audit", "sealed", "number = (SELECT min(number) FROM audit)")
        case .keybag, .passcodeSlot, .recoverySlot: .keybag
        case .backup: .backup
        }
    }

    enum Flip { case row(String, String, String), keybag, backup }
}

/// What using something said of it.
enum Told: Equatable {
    case whole, damaged, wanting
    case unclear(String)
}

/// A store with three items, counted misses, a passcode, a recovery code, an audit and a backup of it: what is attacked.
final class WantStage {
    private static let group: ExactName = "org.example.attacked"
    private static let misses = Attempts(biometric: 2, passcode: 1)

    let disk = Disk()
    let ballast = Ballast()
    private let scratch: Scratch
    private var start: [String: [UInt8]] = [:]
    private let words: SecretBytes
    private let secret: SecretBytes
    private var code: SecretBytes
    private let backup: (head: [UInt8], box: [UInt8])
    private var box: [UInt8]

    init() throws {
        scratch = try Scratch()
        words = try SecretBytes(copying: Array("tulips in spring".utf8))
        secret = try SecretBytes(copying: Array("a secret".utf8))
        let stretch = try Stretch(cost: .least)
        let sealer = try BackupSealer(stretched: stretch.stretch(passphrase: words), stretch)
        let item = BackupItem(
            itemClass: .genericPassword, group: Self.group, rule: AccessRule(.whenUnlocked), attributes: [.account: .text("b")],
            secret: secret)
        backup = (sealer.head, try sealer.seal([item], isLast: true))
        box = backup.box
        code = secret
        code = try found()
        start = try scratch.files
    }

    private func found() throws -> SecretBytes {
        let store = try scratch.open()
        let (way, key) = try PasscodeWay.make(for: words, cost: .least, chip: nil)
        try store.keybag.setPasscode(key: key, way)
        for account in ["a", "b", "c"] { try store.items.insert(item(account, store), secret: secret) }
        try store.items.commit(Self.misses)
        for event in [AuditEvent.released, .added, .changed] {
            store.items.note(
                AuditNote(
                    date: 1, event: event,
                    by: Caller(uid: 1000, pid: 1, kind: .consented, name: "attacked", groups: [Self.group])))
        }
        try store.items.flush()
        return try store.keybag.makeRecoveryCode()
    }

    private func item(_ account: String, _ store: Store) throws -> StoredItem {
        StoredItem(
            id: try store.items.makeItemID(), itemClass: .genericPassword, group: Self.group,
            rule: AccessRule(.alwaysThisDeviceOnly),
            attributes: [.account: .text(account), .service: .text("attacked")], hasSecret: true)
    }

    private func named(_ account: String? = nil) -> Selection {
        var selection = Selection(itemClass: .genericPassword, groups: [Self.group], attributes: [.service: .text("attacked")])
        if let account { selection.attributes[.account] = .text(account) }
        return selection
    }

    /// Puts everything back as it was at first, and flips a bit where one is to be flipped.
    func restore(flipping victim: Victim?) throws {
        try scratch.hold(start)
        box = backup.box
        switch victim?.flip {
        case nil: break
        case .backup?: box[box.count / 2] ^= 1
        case .keybag?:
            var files = start
            files["keybag"]?[200] ^= 1
            try scratch.hold(files)
        case .row(let table, let column, let condition)?:
            // The last byte, whatever it is, becomes another.
            let head = "substr(\(column), 1, length(\(column)) - 1)"
            try sql(
                """
                UPDATE \(table) SET \(column) = CAST(\(head) || CASE WHEN substr(\(column), -1) = x'00' THEN x'01' ELSE x'00' END AS BLOB)
                WHERE \(condition)
                """)
        }
    }

    private func sql(_ statement: String) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open(scratch.path + "/items.db", &connection) == SQLITE_OK,
            sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK
        else { throw Unprepared() }
    }

    struct Unprepared: Error {}

    func open() throws -> Store { try scratch.open(on: disk) }

    // MARK: What is told of it

    /// What using it says, whatever is wanting meanwhile. The store is opened unless it is.
    func told(of victim: Victim, _ store: Store? = nil) -> Told {
        do {
            if victim == .backup { return try toldOfBackup() }
            let store = try store ?? open()
            let told = try told(of: victim, in: store)
            return told == .whole && victim != .secret && store.items.quarantined > 0 ? .damaged : told
        } catch KeychainFailure.outOfMemory, KeychainFailure.storeUnavailable {
            return .wanting
        } catch KeychainFailure.damaged {
            return .damaged
        } catch let error as StorageError {
            switch error.code {
            case .outOfMemory, .full, .inputOutput, .cannotOpen: return .wanting
            case .keybagDamaged, .databaseDamaged, .recordsMismatch: return .damaged
            default: return .unclear("\(error)")
            }
        } catch BackupError.keychain(.outOfMemory), BackupError.keychain(.storeUnavailable) {
            return .wanting
        } catch let error as SecretError where error.code == .arenaFull || error.code == .lockRefused {
            return .wanting
        } catch {
            return .unclear("\(error)")
        }
    }

    private func told(of victim: Victim, in store: Store) throws -> Told {
        let items = store.items
        switch victim {
        case .counters: return items.wasLedgerDamaged || items.attempts != Self.misses ? .damaged : .whole
        case .itemBeforeAdding:
            do {
                try items.insert(item("b", store), secret: secret)
                return .damaged
            } catch KeychainFailure.duplicateItem {
                return .whole
            }
        case .itemBeforeChanging:
            guard var item = try items.select(named("b")).first else { return .damaged }
            item.generation += 1
            item.attributes[.label] = .text("changed")
            try items.replace([(item, secret)])
            return .whole
        case .itemSearchedFor: return try items.select(named()).count == 3 ? .whole : .damaged
        case .secret:
            guard let item = try items.select(named("b")).first else { return .damaged }
            return try items.secret(of: item) == secret ? .whole : .damaged
        case .record: return try items.select(named()).count == 3 ? .whole : .damaged
        case .audit: return try items.isAuditSound() ? .whole : .damaged
        case .keybag: return .whole
        case .passcodeSlot:
            guard let way = store.keybag.passcodeWay, let key = try way.key(of: words, chip: nil) else { return .damaged }
            return try store.keybag.openPasscodeSlot(key: key) ? .whole : .damaged
        case .recoverySlot: return try store.keybag.openRecoverySlot(code) ? .whole : .damaged
        case .backup: return try toldOfBackup()
        case .wholeStore: return try items.verify().isSound ? .whole : .damaged
        }
    }

    private func toldOfBackup() throws -> Told {
        do {
            let head = try BackupHead(reading: backup.head)
            let opener = try BackupOpener(head, stretched: head.stretch.stretch(passphrase: words))
            return try opener.open(box, isLast: true).first?.secret == secret ? .whole : .damaged
        } catch BackupError.backup {
            return .damaged
        }
    }

    /// What is wrong with the store now that everything is there again; nil if all of it is as it was.
    func loss() throws -> String? {
        let store = try scratch.open()
        guard store.items.quarantined == 0 else { return "\(store.items.quarantined) items in quarantine" }
        guard store.items.attempts == Self.misses, !store.items.wasLedgerDamaged else { return "the counters were reset" }
        let all = try store.items.select(named())
        guard all.count == 3 else { return "\(all.count) items of 3" }
        for item in all { guard try store.items.secret(of: item) == secret else { return "another secret" } }
        let report = try store.items.verify()
        guard report.isSound, try store.items.isAuditSound() else { return "not sound: \(report)" }
        return nil
    }
}

extension ItemDatabase {
    /// Whether every chain of the audit holds.
    fileprivate func isAuditSound() throws -> Bool {
        var progress = AuditProgress()
        while try !verifyAudit(&progress, limit: 256, of: nil) {}
        return progress.report.isSound
    }
}
