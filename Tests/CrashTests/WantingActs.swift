import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets
import ThumbStorage
import thumbturn_test_programs

// What is done to a store while things are wanting: everything that it can do.
extension WantingStore {
    enum Act: CaseIterable {
        case add, addAgain, find, read, list, relabel, rewrite, remove, count, say, unsay, hear, note, verifyAudit, readAudit,
            walk, verify, detach
        case backUp, setPasscode, givePasscode, giveWrongPasscode, dropKeys, removePasscode, makeCode, giveCode, reopen
    }

    func perform(_ act: Act, by dice: inout Dice) throws {
        let account = model.items.keys.sorted().randomElement(using: &dice)
        switch act {
        case .add: try add(by: &dice)
        case .addAgain: if let account { try addAgain(account) }
        case .find: if let account { try find(account) }
        case .read: if let account { try read(account) }
        case .list: try list()
        case .relabel: if let account { try change(account, secret: nil) }
        case .rewrite: if let account { try change(account, secret: dice.roll(secrets.count)) }
        case .remove: if let account { try remove(account) }
        case .count: try count(Attempts(biometric: dice.roll(6), passcode: dice.roll(4)))
        case .say: try say(by: &dice)
        case .unsay: if let app = model.words.keys.sorted().randomElement(using: &dice) { try unsay(app) }
        case .hear: try hear()
        case .note: try note(by: &dice)
        case .verifyAudit: try verifyAudit()
        case .readAudit: _ = try attempt("reading the audit") { try $0.items.records(from: 0, limit: 20, of: nil) }
        case .walk: try walk()
        case .verify: try verify()
        case .detach: try detach(by: &dice)
        case .backUp: try backUp()
        case .setPasscode: try setPasscode()
        case .givePasscode: try givePasscode()
        case .giveWrongPasscode: try giveWrongPasscode()
        case .dropKeys:
            store?.keybag.dropKeys()
            passcode?.isGiven = false
        case .removePasscode: try removePasscode()
        case .makeCode: try makeCode()
        case .giveCode: try giveCode()
        case .reopen:
            close()
            _ = try attempt("opening") { _ in }
        }
    }

    // MARK: Items

    private func isOpen(_ keyClass: KeyClass) -> Bool { store?.items.isOpen(keyClass) ?? false }

    private func item(_ account: String, _ item: Item, _ store: Store, generation: UInt64 = 1) throws -> StoredItem {
        let accessibility: Accessibility =
            switch item.keyClass {
            case .device: .alwaysThisDeviceOnly
            case .firstUnlock: .afterFirstUnlock
            case .passcode: .whenPasscodeSetThisDeviceOnly
            }
        return StoredItem(
            id: try store.items.makeItemID(), generation: generation, itemClass: .genericPassword, group: Self.group,
            rule: AccessRule(accessibility),
            attributes: [.account: .text(account), .service: .text("want"), .creator: .number(Int64(item.label))], hasSecret: true
        )
    }

    private func selection(_ account: String) -> Selection {
        Selection(
            itemClass: .genericPassword, groups: [Self.group], attributes: [.account: .text(account), .service: .text("want")],
            limit: 1)
    }

    private func add(by dice: inout Dice) throws {
        guard model.items.count < Self.mostItems,
            let keyClass = KeyClass.allCases.filter(isOpen).randomElement(using: &dice)
        else { return }
        version += 1
        let (account, new) = ("account \(version)", Item(secret: dice.roll(secrets.count), label: version, keyClass: keyClass))
        try write("adding \(account)", { $0.items[account] = new }) {
            try $0.items.insert(item(account, new, $0), secret: secrets[new.secret])
        }
    }

    /// An item that is there stays, whatever else is wanting.
    private func addAgain(_ account: String) throws {
        let other = Item(secret: 0, label: -1, keyClass: .device)
        _ = try attempt("adding \(account) again") {
            do {
                try $0.items.insert(item(account, other, $0), secret: secrets[0])
                throw Wrong(description: "it took the place of the one that was there")
            } catch KeychainFailure.duplicateItem {}
        }
    }

    private func find(_ account: String) throws {
        guard let found = try attempt("finding \(account)", { try $0.items.select(selection(account)) }) else { return }
        guard found.count == 1, Self.read(found[0])?.label == model.items[account]?.label else {
            throw wrong("\(account) isn't found as it was written")
        }
    }

    private func read(_ account: String) throws {
        guard let known = model.items[account], isOpen(known.keyClass) else { return }
        let secret = try attempt("reading \(account)") { store in
            guard let item = try store.items.select(selection(account)).first else { throw Wrong(description: "it isn't there") }
            return try store.items.secret(of: item)
        }
        if let secret, secret != secrets[known.secret] { throw wrong("\(account) has another secret") }
    }

    private func list() throws {
        let all = try attempt("listing") { try $0.items.select(Selection(itemClass: .genericPassword, groups: [Self.group])) }
        guard let all else { return }
        let labels = Set(all.compactMap { Self.read($0)?.label })
        if all.count != model.items.count || labels != Set(model.items.values.map(\.label)) {
            throw wrong("it lists \(all.count) items, not \(model.items.count)")
        }
    }

    private func change(_ account: String, secret: Int?) throws {
        guard var next = model.items[account], isOpen(next.keyClass) else { return }
        version += 1
        next.label = version
        if let secret { next.secret = secret }
        let after = next
        try write("changing \(account)", { $0.items[account] = after }) { store in
            guard var item = try store.items.select(selection(account)).first else { throw Wrong(description: "it isn't there") }
            item.generation += 1
            item.attributes[.creator] = .number(Int64(after.label))
            try store.items.replace([(item, secret.map { secrets[$0] })])
        }
    }

    private func remove(_ account: String) throws {
        try write("removing \(account)", { $0.items[account] = nil }) { store in
            guard let item = try store.items.select(selection(account)).first else { throw Wrong(description: "it isn't there") }
            try store.items.remove([item])
        }
    }

    private func detach(by dice: inout Dice) throws {
        let secret = secrets[dice.roll(secrets.count)]
        let back = try attempt("sealing a key for its maker, and reading it again") { store in
            let key = try item("key", Item(secret: 0, label: 0, keyClass: .device), store)
            let form = try store.items.detach(key, secret: secret, applicationKey: nil)
            return try store.items.secret(of: store.items.attach(form), applicationKey: nil)
        }
        if let back, back != secret { throw wrong("a key comes back as another") }
    }

    // MARK: The owner's words

    private func say(by dice: inout Dice) throws {
        version += 1
        let (app, version) = ("app \(dice.roll(Self.mostItems))", version)
        try write("saying something on \(app)", { $0.words[app] = version }) {
            let known = KnownApp(app: ExactName(app), name: app, verdict: .allowed, date: Double(version))
            try $0.items.change(removing: [], keeping: [.consent(Consent(known))])
        }
    }

    private func unsay(_ app: String) throws {
        try write("taking back the word on \(app)", { $0.words[app] = nil }) { store in
            guard let known = try store.items.consents(.on(ExactName(app), .face)).first else {
                throw Wrong(description: "it isn't there")
            }
            try store.items.change(removing: [.consent(known)], keeping: [])
        }
    }

    private func hear() throws {
        guard let all = try attempt("hearing all words", { try $0.items.consents(.all) }) else { return }
        let heard = Dictionary(all.map { ($0.known.app.text, Int($0.known.date)) }) { $1 }
        if heard != model.words { throw wrong("it says \(heard), not \(model.words)") }
    }

    // MARK: Counters, audit, whole store

    private func count(_ attempts: Attempts) throws {
        try write("counting misses", { $0.attempts = attempts }) { try $0.items.commit(attempts) }
        if let now = store?.items.attempts, now != model.attempts { throw wrong("it counts \(now), not \(model.attempts)") }
    }

    private func note(by dice: inout Dice) throws {
        let item = (0..<ItemID.length).map { _ in UInt8(dice.roll(256)) }
        _ = try attempt("noting") {
            $0.items.note(
                AuditNote(
                    date: 1, event: .released,
                    by: Caller(uid: 1000, pid: 1, kind: .consented, name: "want", groups: [Self.group]),
                    itemClass: .genericPassword, item: item))
            try $0.items.flush()
        }
    }

    func verifyAudit() throws {
        let report = try attempt("verifying the audit") { store in
            var progress = AuditProgress()
            while try !store.items.verifyAudit(&progress, limit: 256, of: nil) {}
            return progress.report
        }
        if let report, !report.isSound { throw wrong("the audit is broken: \(report)") }
    }

    private func walk() throws {
        let all = try attempt("walking") { try $0.items.walk(after: 0, limit: 1000) }
        for (_, record) in all ?? [] { if case .damaged = record { throw wrong("a record is damaged") } }
    }

    func verify() throws {
        let report = try attempt("verifying") { try $0.items.verify() }
        if let report, !report.isSound { throw wrong("it isn't sound: \(report)") }
    }

    private func backUp() throws {
        let items = [
            BackupItem(
                itemClass: .genericPassword, group: Self.group, rule: AccessRule(.whenUnlocked),
                attributes: [.account: .text("b")],
                secret: secrets[0])
        ]
        let back = try attempt("a backup") { _ in
            let stretch = try Stretch(cost: .least)
            let key = try stretch.stretch(passphrase: secrets[1])
            let sealer = try BackupSealer(stretched: key, stretch)
            let box = try sealer.seal(items, isLast: true)
            let head = try BackupHead(reading: sealer.head)
            return try BackupOpener(head, stretched: head.stretch.stretch(passphrase: secrets[1])).open(box, isLast: true)
        }
        if let back, back.first?.secret != secrets[0] { throw wrong("a backup comes back as another") }
    }

    // MARK: Passcode and recovery code

    private func setPasscode() throws {
        guard isOpen(.firstUnlock), passcode?.isGiven ?? true else { return }
        let words = secrets[2 + version % 8]
        let isSet: Bool? = try attempt("setting a passcode") { store in
            let (way, key) = try PasscodeWay.make(for: words, cost: .least, chip: nil)
            if store.keybag.isPasscodeSet {
                try store.keybag.changePasscode(key: key, way)
            } else {
                try store.keybag.setPasscode(key: key, way)
            }
            return true
        }
        if isSet == true { passcode = (words, true) }
        try comparePasscode()
    }

    private func comparePasscode() throws {
        guard let store, store.keybag.isPasscodeSet != (passcode != nil) else { return }
        throw wrong("whether a passcode is set isn't as it was acknowledged")
    }

    private func givePasscode() throws {
        guard let words = passcode?.words else { return }
        let isRight = try attempt("giving the passcode") { store in
            guard let way = store.keybag.passcodeWay else { throw Wrong(description: "there is no slot") }
            guard let key = try way.key(of: words, chip: nil) else { return false }
            return try store.keybag.openPasscodeSlot(key: key)
        }
        if isRight == false { throw wrong("the right passcode is wrong") }
        if isRight == true { passcode?.isGiven = true }
    }

    private func giveWrongPasscode() throws {
        guard passcode != nil else { return }
        let isRight = try attempt("giving a wrong passcode") { store in
            guard let way = store.keybag.passcodeWay else { throw Wrong(description: "there is no slot") }
            guard let key = try way.key(of: secrets[0], chip: nil) else { return false }
            return try store.keybag.openPasscodeSlot(key: key)
        }
        if isRight == true { throw wrong("a wrong passcode is right") }
    }

    private func removePasscode() throws {
        guard passcode?.isGiven == true, version % 4 == 0 else { return }
        if try attempt("removing the passcode", { try $0.removePasscode() }) != nil {
            passcode = nil
            forgetPasscodeItems()
        }
        try comparePasscode()
    }

    private func makeCode() throws {
        guard isOpen(.firstUnlock) else { return }
        if let code = try attempt("making a recovery code", { try $0.keybag.makeRecoveryCode() }) { recoveryCode = code }
    }

    private func giveCode() throws {
        guard let recoveryCode else { return }
        if try attempt("giving the recovery code", { try $0.keybag.openRecoverySlot(recoveryCode) }) == false {
            throw wrong("the right recovery code is wrong")
        }
    }
}
