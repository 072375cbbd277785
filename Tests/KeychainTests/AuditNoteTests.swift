import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

/// The house's tables when nobody can say who made a group.
private final class SilentTables: HouseTables {
    private let list = ListTables()
    var isSilent = false

    func consents(_ search: Consent.Search) -> [Consent] { list.consents(search) }
    func groups(_ search: MadeGroup.Search) throws(KeychainFailure) -> [MadeGroup] {
        if isSilent { throw .storeUnavailable }
        return list.groups(search)
    }
    func allowances() -> [GivenAllowance] { list.allowances() }
    func machines() -> [PairedMachine] { list.machines() }
    func countConsents(_ search: Consent.Search) -> Int { list.countConsents(search) }
    func countGroups(_ search: MadeGroup.Search) -> Int { list.countGroups(search) }
    func change(removing gone: [HouseRow], keeping kept: [HouseRow]) { list.change(removing: gone, keeping: kept) }
}

@Suite("What is noted, and in which ring")
struct AuditNoteTests {
    private let store = ListStore()
    private let audit = ListAudit()
    private let consents: Consents
    private let keychain: Keychain

    init() {
        consents = Consents(tables: ListTables()) { 100 }
        keychain = Keychain(store: store, audit: audit, consents: consents) { 100 }
    }

    private func program(_ own: String, mayShare: Bool = true) -> Caller {
        Caller(uid: 1, pid: 1, kind: .consented, name: own, groups: own.isEmpty ? [] : [.init(own)], mayShare: mayShare)
    }

    private func authority(_ caller: Caller) throws -> Authority {
        var caller = caller
        caller.groups = try keychain.groups.list(of: caller)
        return Authority(
            caller: caller, given: [], enrolment: .empty,
            device: DeviceState(
                kind: .touchID, condition: .ready, passcodeIsSet: true, passcodeWasGiven: true, attempts: Attempts()),
            isLocked: false)
    }

    private func add(_ caller: Caller, _ account: String, in group: String? = nil) throws {
        var attributes: Attributes = [.account: .text(account)]
        if let group { attributes[.group] = .text(group) }
        _ = try keychain.add(
            NewItem(
                itemClass: .genericPassword, attributes: attributes, rule: AccessRule(.always),
                secret: try SecretBytes(copying: [1])), authority(caller))
    }

    /// The note of a reading.
    private func read(_ caller: Caller, _ account: String) throws -> AuditNote? {
        _ = try keychain.find(
            Query(itemClass: .genericPassword, attributes: [.account: .text(account)], shape: .data), authority(caller))
        return audit.notes.last
    }

    @Test("reading what one keeps oneself is everyday; reading what is in a group that another made is for the owner to learn")
    func others() throws {
        let (maker, guest) = (program("org.maker"), program("org.guest"))
        try add(maker, "shared", in: "team.shared")
        try consents.keep(.allowed, on: guest.own, .group("team.shared"), named: "guest", .consented)
        try add(guest, "own")
        #expect(try read(maker, "shared")?.ring == .everyday)
        #expect(try read(guest, "own")?.ring == .everyday)
        let note = try #require(try read(guest, "shared"))
        #expect(note.isOthers && note.ring == .notice && note.program == AuditProgram(guest))
        // What a guest puts there is another's too, for the guest: the group is the maker's.
        try add(guest, "gift", in: "team.shared")
        #expect(audit.notes.last?.ring == .notice)
        #expect(try read(maker, "gift")?.ring == .everyday)
        // Programs whose groups are fixed have nothing of others'.
        #expect(try read(program("team.shared", mayShare: false), "shared")?.ring == .everyday)
    }

    @Test("where nobody can say whose group an item is in, reading it is for the owner to learn, also if it was its maker")
    func untold() throws {
        let tables = SilentTables()
        let keychain = Keychain(store: store, audit: audit, consents: Consents(tables: tables) { 100 }) { 100 }
        var maker = try authority(program("org.maker"))
        maker.caller.groups.append("team.shared")
        _ = try keychain.add(
            NewItem(
                itemClass: .genericPassword, attributes: [.account: .text("a"), .group: .text("team.shared")],
                rule: AccessRule(.always), secret: try SecretBytes(copying: [1])), maker)
        for (isSilent, ring) in [(false, AuditRing.everyday), (true, AuditRing.notice)] {
            tables.isSilent = isSilent
            _ = try keychain.find(Query(itemClass: .genericPassword, shape: .data), maker)
            #expect(audit.notes.last?.event == .released && audit.notes.last?.ring == ring)
        }
    }

    @Test("of more than sixteen items in one call the rest is one note, and another's among them makes it one for the owner")
    func many() throws {
        let (maker, guest) = (program("org.maker"), program("org.guest"))
        for number in 0..<17 { try add(guest, "\(number)") }
        try add(maker, "shared", in: "team.shared")
        try consents.keep(.allowed, on: guest.own, .group("team.shared"), named: "guest", .consented)
        audit.notes = []
        _ = try keychain.find(Query(itemClass: .genericPassword, limit: nil, shape: .data), authority(guest))
        #expect(audit.notes.count == 17 && audit.notes.prefix(16).allSatisfy { $0.ring == .everyday && $0.times == 1 })
        #expect(audit.notes.last?.times == 2 && audit.notes.last?.ring == .notice && audit.notes.last?.item == nil)
    }

    @Test("what wasn't released although nobody was asked is noted for the owner: while locked, and where nothing may be asked")
    func silent() throws {
        let caller = program("org.app")
        let rule = try AccessRule(.whenUnlocked, .userPresence)
        let secret = try SecretBytes(copying: [1])
        _ = try keychain.add(
            NewItem(itemClass: .genericPassword, attributes: [.account: .text("a")], rule: rule, secret: secret),
            authority(caller))
        audit.notes = []
        var query = Query(itemClass: .genericPassword, shape: .data)
        var locked = try authority(caller)
        locked.isLocked = true
        #expect(throws: KeychainFailure.interactionNotAllowed) { _ = try keychain.find(query, locked) }
        query.asking.permission = .fail
        #expect(throws: KeychainFailure.interactionNotAllowed) { _ = try keychain.find(query, authority(caller)) }
        #expect(audit.notes.count == 2)
        for note in audit.notes {
            #expect(note.event == .released && note.failure == .interactionNotAllowed)
            #expect(note.ring == .notice && note.item != nil)
        }
    }

    @Test("a change is noted for each item, and one of what is another's is for the owner to learn")
    func changes() throws {
        let (maker, guest) = (program("org.maker"), program("org.guest"))
        try add(maker, "shared", in: "team.shared")
        try consents.keep(.allowed, on: guest.own, .group("team.shared"), named: "guest", .consented)
        let query = Query(itemClass: .genericPassword, attributes: [.account: .text("shared")])
        for (caller, ring) in [(maker, AuditRing.everyday), (guest, AuditRing.notice)] {
            audit.notes = []
            _ = try keychain.update(query, ItemChange(attributes: [.label: .text("new")]), authority(caller))
            #expect(audit.notes.map(\.event) == [.changed] && audit.notes.map(\.ring) == [ring])
            #expect(audit.notes.first?.program == AuditProgram(caller) && audit.notes.first?.failure == nil)
        }
    }

    @Test("each event, done and refused, is in the ring that it belongs to", arguments: AuditEvent.allCases)
    func rings(_ event: AuditEvent) {
        let caller = program("org.app")
        let done = AuditNote(date: 0, event: event, by: caller)
        let refused = AuditNote(date: 0, event: event, by: caller, failure: .userCanceled)
        let key = AuditNote(date: 0, event: event, by: caller, itemClass: .key)
        let others = AuditNote(date: 0, event: event, by: caller, itemClass: .genericPassword, isOthers: true)
        switch event {
        case .appJudged:
            for note in [done, refused, key, others] { #expect(note.ring == .protection) }
        case .died, .passcodeSet, .passcodeRemoved, .recoveryCodeMade, .recovered, .exported, .imported, .allowanceChanged,
            .fingerEnrolled, .fingerForgotten, .companionPaired, .companionRemoved:
            #expect(done.ring == .protection && refused.ring == .notice && event.changesProtection)
        case .added, .removed:
            #expect(done.ring == .everyday && refused.ring == .notice && key.ring == .notice && others.ring == .notice)
        case .released, .changed, .evaluated, .keyUsed, .statementSigned:
            #expect(done.ring == .everyday && refused.ring == .notice && key.ring == .everyday && others.ring == .notice)
        case .auditRead, .companionAnswered: for note in [done, refused] { #expect(note.ring == .notice) }
        }
    }

    @Test("a record shows an item's reference to a caller that can find the item, and to nobody else")
    func references() throws {
        let (maker, stranger) = (program("org.maker"), program("org.stranger"))
        try add(maker, "own")
        let item = try #require(store.items.last).item
        let record = AuditRecord(date: 0, event: .released, uid: 1, name: "maker", itemClass: .genericPassword, item: [7])
        let page = AuditPage([.init(record, item: item.id), .init(record, item: nil)], next: nil)
        let shown = try keychain.shown(page, to: maker)
        #expect(shown.map { $0.reference == nil } == [false, true])
        #expect(shown[0].reference?.suffix(16).elementsEqual(item.id.bytes) == true)
        #expect(try keychain.shown(page, to: stranger).allSatisfy { $0.reference == nil })
        #expect(try keychain.shown(page, to: program("")).allSatisfy { $0.reference == nil })
    }

    @Test("a record shows the reference of an item in a group that its caller made, as a search finds it there")
    func referencesInMadeGroups() throws {
        let maker = program("org.maker")
        try add(maker, "shared", in: "team.shared")
        let item = try #require(store.items.last).item
        let record = AuditRecord(date: 0, event: .released, uid: 1, name: "maker", itemClass: .genericPassword, item: [7])
        let shown = try keychain.shown(AuditPage([.init(record, item: item.id)], next: nil), to: maker)
        #expect(shown.first?.reference?.suffix(16).elementsEqual(item.id.bytes) == true)
    }
}
