import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

@Suite("What goes into a backup and comes out of it")
struct BackupRulesTests {
    private let store = ListStore()
    private let keychain: Keychain
    private let enrolment: [UInt8] = [1, 2, 3]

    init() {
        keychain = Keychain(store: store, audit: ListAudit(), consents: Consents(tables: ListTables()) { 100 }) { 100 }
    }

    private func authority(_ given: Set<Factor> = [.passcode], isLocked: Bool = false) -> Authority {
        Authority(
            caller: Caller(uid: 1, pid: 1, kind: .consented, name: "thumbturn", groups: ["thumbturn"]), given: given,
            enrolment: .known(enrolment),
            device: DeviceState(
                kind: .touchID, condition: .ready, passcodeIsSet: true, passcodeWasGiven: true, attempts: Attempts()),
            isLocked: isLocked)
    }

    private func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

    @discardableResult
    private func put(
        _ account: String, _ rule: AccessRule = AccessRule(.whenUnlocked), group: ExactName = "app.example",
        isDead: Bool = false, secret text: String? = "secret"
    ) throws -> StoredItem {
        var item = StoredItem(
            id: try store.makeItemID(), itemClass: .genericPassword, group: group, rule: rule,
            attributes: [.account: .text(account), .created: .date(1), .modified: .date(2)], hasSecret: text != nil,
            enrolment: rule.isBoundToEnrolment ? enrolment : nil)
        item.isDead = isDead
        try store.insert(item, secret: try text.map(secret), applicationKey: nil)
        return item
    }

    private func exportAll(_ authority: Authority? = nil) throws -> (items: [BackupItem], tally: ExportTally, chunks: Int) {
        var run = ExportRun()
        var items: [BackupItem] = []
        for chunk in 1... {
            let (next, isLast) = try keychain.exportNext(&run, authority ?? self.authority())
            items += next
            if isLast { return (items, run.tally, chunk) }
        }
        return (items, run.tally, 0)
    }

    private func accounts(_ items: [BackupItem]) -> [String] {
        items.map { String(decoding: $0.attributes[.account]?.comparable ?? [], as: UTF8.self) }
    }

    @Test("Every rule: it goes along, or stays behind for its reason")
    func rules() throws {
        let passcode: Constraints = .devicePasscode
        let cases: [(AccessRule, StayingBehind?)] = [
            (AccessRule(.whenUnlocked), nil), (AccessRule(.afterFirstUnlock), nil), (AccessRule(.always), nil),
            (AccessRule(.whenUnlockedThisDeviceOnly), .thisDeviceOnly),
            (AccessRule(.afterFirstUnlockThisDeviceOnly), .thisDeviceOnly),
            (AccessRule(.alwaysThisDeviceOnly), .thisDeviceOnly),
            (AccessRule(.whenPasscodeSetThisDeviceOnly), .thisDeviceOnly),
            (try AccessRule(.whenUnlocked, .userPresence), nil), (try AccessRule(.whenUnlocked, passcode), nil),
            (try AccessRule(.whenUnlocked, .biometryAny), .notShown),
            (try AccessRule(.whenUnlocked, [.biometryAny, .or, passcode]), nil),
            (try AccessRule(.whenUnlocked, [.biometryAny, .and, passcode]), .notShown),
            (try AccessRule(.whenUnlocked, .biometryCurrentSet), .currentEnrolment),
            (try AccessRule(.whenUnlocked, [.biometryCurrentSet, .or, passcode]), .currentEnrolment),
            (try AccessRule(.whenUnlocked, .companion), .notShown),
            (try AccessRule(.whenUnlocked, .applicationPassword), .applicationPassword),
            (try AccessRule(.whenUnlocked, [.userPresence, .applicationPassword]), .applicationPassword),
            (try AccessRule(.whenUnlocked, .privateKeyUsage), .privateKey),
            (try AccessRule(.whenUnlockedThisDeviceOnly, [.userPresence, .privateKeyUsage]), .privateKey),
        ]
        for (number, (rule, _)) in cases.enumerated() { try put("\(number)", rule) }
        let (items, tally, _) = try exportAll()
        #expect(accounts(items) == cases.indices.filter { cases[$0].1 == nil }.map(String.init))
        let expected = Dictionary(cases.compactMap(\.1).map { ($0, UInt64(1)) }, uniquingKeysWith: +)
        #expect(tally == ExportTally(looked: UInt64(cases.count), exported: UInt64(items.count), left: expected))
    }

    @Test("What is dead or damaged stays behind and is counted")
    func unfit() throws {
        try put("good")
        try put("dead", isDead: true)
        store.damagedSecrets = [try put("damaged secret").id]
        try put("damaged")
        store.damagedPlaces = [4]
        try put("no data", secret: nil)
        let (items, tally, _) = try exportAll()
        #expect(accounts(items) == ["good", "no data"])
        #expect(items.map { $0.secret == nil } == [false, true])
        #expect(tally == ExportTally(looked: 5, exported: 2, left: [.dead: 1, .damaged: 2]))
    }

    @Test("Items of every group go along, in chunks that end with their bytes or their number", arguments: [0, 1, 128, 129, 400])
    func chunks(count: Int) throws {
        for number in 0..<count { try put("\(number)", group: ExactName("app\(number % 3)"), secret: "s") }
        let (items, tally, chunks) = try exportAll()
        #expect(accounts(items) == (0..<count).map(String.init))
        #expect(tally.looked == UInt64(count) && tally.exported == UInt64(count))
        #expect(chunks == count / BackupLimit.chunkRecords + 1)
    }

    @Test("A chunk ends with the item that fills it")
    func fullChunks() throws {
        for number in 0..<6 { try put("\(number)", secret: String(repeating: "x", count: BackupLimit.chunkBytes / 2)) }
        var run = ExportRun()
        var counts: [Int] = []
        while true {
            let (items, isLast) = try keychain.exportNext(&run, authority())
            counts.append(items.count)
            if isLast { break }
        }
        #expect(counts == [2, 2, 2])
    }

    @Test("Nothing goes out or in for anybody who hasn't shown the passcode, nor while the session is locked")
    func owner() throws {
        try put("one")
        for given: Set<Factor> in [[], [.biometry]] {
            #expect(throws: KeychainFailure.authenticationFailed) { try exportAll(authority(given)) }
            var run = ImportRun(replaces: true, countsOnly: false)
            #expect(throws: BackupError.keychain(.authenticationFailed)) { try keychain.importNext([], &run, authority(given)) }
        }
        #expect(throws: KeychainFailure.interactionNotAllowed) { try exportAll(authority(isLocked: true)) }
        var run = ImportRun(replaces: true, countsOnly: false)
        #expect(throws: BackupError.keychain(.interactionNotAllowed)) {
            try keychain.importNext([], &run, authority(isLocked: true))
        }
    }

    // MARK: Coming out

    private func item(
        _ account: String, _ text: String? = "new", rule: AccessRule = AccessRule(.whenUnlocked), group: ExactName = "app.example"
    ) throws -> BackupItem {
        BackupItem(
            itemClass: .genericPassword, group: group, rule: rule,
            attributes: [
                .account: .text(account), .service: .text(""), .synchronizable: .number(0), .created: .date(1),
                .modified: .date(2),
            ],
            secret: try text.map(secret))
    }

    @discardableResult
    private func take(_ items: [BackupItem], replaces: Bool = false, countsOnly: Bool = false) throws -> ImportTally {
        var run = ImportRun(replaces: replaces, countsOnly: countsOnly)
        try keychain.importNext(items, &run, authority())
        return run.tally
    }

    @Test("What is there stays, unless it is to be replaced; dates come along; twice is once")
    func present() throws {
        #expect(try take([item("one"), item("two", nil)]) == ImportTally(added: 2))
        #expect(store.items.map(\.item.attributes[.modified]) == [.date(2), .date(2)])
        let before = store.items.map(\.item)
        #expect(try take([item("one", "newer"), item("three"), item("three", "other")]) == ImportTally(added: 1, present: 2))
        #expect(store.items.prefix(2).map(\.item) == before)
        #expect(store.items[0].secret == (try secret("new")))
        #expect(
            try take([item("one", nil), item("two", "newer")], replaces: true) == ImportTally(added: 0, replaced: 2))
        #expect(store.items.prefix(2).map(\.item.id) == before.map(\.id))
        #expect(store.items.prefix(2).map(\.item.generation) == [2, 2])
        #expect(store.items.prefix(2).map(\.item.hasSecret) == [false, true])
        let newer = try secret("newer")
        #expect(store.items[0].secret == nil && store.items[1].secret == newer)
    }

    @Test("The same name in another group is another item")
    func groups() throws {
        #expect(try take([item("one"), item("one", group: "other.app")]) == ImportTally(added: 2))
    }

    @Test("What died is no reason to leave its name's item out")
    func dead() throws {
        var dead = try item("one")
        dead.rule = try AccessRule(.whenUnlocked, .biometryCurrentSet)
        try store.insert(
            StoredItem(
                id: store.makeItemID(), itemClass: .genericPassword, group: dead.group, rule: dead.rule,
                attributes: dead.attributes, hasSecret: true, enrolment: [9]),
            secret: secret("old"), applicationKey: nil)
        #expect(try take([item("one")]) == ImportTally(added: 1))
        #expect(store.items[0].item.isDead)
    }

    @Test("Counting changes nothing")
    func countsOnly() throws {
        try take([item("one")])
        let writes = store.writes
        #expect(try take([item("one"), item("two")], countsOnly: true) == ImportTally(added: 1, present: 1))
        #expect(try take([item("one"), item("two")], replaces: true, countsOnly: true) == ImportTally(added: 1, replaced: 1))
        #expect(store.writes == writes && store.items.count == 1)
    }

    @Test("A key that its custodian holds neither goes out nor gives way")
    func enclaveKey() throws {
        let names: Attributes = [.keyClass: .number(1), .applicationLabel: .text("key")]
        func key(_ attributes: Attributes) throws -> StoredItem {
            StoredItem(
                id: try store.makeItemID(), itemClass: .key, group: "app.example", rule: AccessRule(.whenUnlocked),
                attributes: attributes, hasSecret: true)
        }
        let held = try key(names.merging([.custodian: .number(1)]) { $1 })
        try store.insert(held, secret: secret("held"), applicationKey: nil)
        let (items, tally, _) = try exportAll()
        #expect(items.isEmpty && tally == ExportTally(looked: 1, left: [.privateKey: 1]))
        // As an export without a custodian would have written it.
        store.items[0].item.attributes[.custodian] = nil
        let (plain, _, _) = try exportAll()
        #expect(plain.count == 1)
        store.items[0].item.attributes[.custodian] = .number(1)
        for name in ItemClass.key.uniqueAttributes where name != .viewHint && name != .token {
            if store.items[0].item.attributes[name] == nil { store.items[0].item.attributes[name] = Self.empty(name) }
        }
        #expect(try take(plain, replaces: true) == ImportTally(present: 1))
        #expect(store.items.count == 1 && store.items[0].item.isEnclaveKey)
    }

    private static func empty(_ name: AttributeName) -> AttributeValue {
        switch name {
        case .validFrom, .validTo: .date(0)
        case .applicationTag: .text("")
        default: .number(0)
        }
    }

    @Test("What no export writes keeps its whole chunk out")
    func planted() throws {
        func changed(_ change: (inout BackupItem) throws -> Void) throws -> BackupItem {
            var item = try item("planted")
            try change(&item)
            return item
        }
        let wrong: [BackupItem] = try [
            changed { $0.group = "\u{1}consents" }, changed { $0.group = "" }, changed { $0.group = "com.apple.token" },
            changed { $0.itemClass = .identity }, changed { $0.rule = AccessRule(.whenUnlockedThisDeviceOnly) },
            changed { $0.rule = try AccessRule(.whenUnlocked, .biometryCurrentSet) },
            changed { $0.rule = try AccessRule(.whenUnlocked, .applicationPassword) },
            changed { $0.rule = try AccessRule(.whenUnlocked, .privateKeyUsage) },
            changed { $0.attributes[.created] = .date(.nan) }, changed { $0.attributes[.validTo] = .date(.infinity) },
            changed { $0.attributes[.group] = .text("another") }, changed { $0.attributes[.accessControl] = .data([1]) },
            changed { $0.attributes[.accessible] = .text("dk") }, changed { $0.attributes[.custodian] = .number(1) },
            changed {
                $0.rule = try AccessRule(.whenUnlocked, .userPresence)
                $0.attributes[.synchronizable] = .number(1)
            },
            changed { $0.attributes[.comment] = .data([UInt8](repeating: 0, count: QueryLimit.attributeBytes + 1)) },
        ]
        for (number, planted) in wrong.enumerated() {
            #expect(throws: BackupError.backup(.damaged), "\(number)") { try take([item("good"), planted]) }
        }
        #expect(store.items.isEmpty && store.writes == 0)
    }

    @Test("An item whose class key isn't at hand waits for it, and its chunk with it")
    func closed() throws {
        store.openClasses = [.device]
        #expect(throws: BackupError.keychain(.interactionNotAllowed)) {
            try take([item("one", rule: AccessRule(.always)), item("two")])
        }
        #expect(store.items.isEmpty)
        #expect(try take([item("one", rule: AccessRule(.always))]) == ImportTally(added: 1))
    }
}
