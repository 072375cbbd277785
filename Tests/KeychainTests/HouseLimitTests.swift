import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

@Suite("What the house keeps for itself, and how much of it")
struct HouseLimitTests {
    private let tables = ListTables()
    private let store = ListStore()
    private let consents: Consents
    private let keychain: Keychain

    init() {
        consents = Consents(tables: tables) { 7 }
        keychain = Keychain(store: store, audit: ListAudit(), consents: consents) { 7 }
    }

    private func word(_ number: Int) -> HouseRow {
        .consent(Consent(KnownApp(app: ExactName("app.\(number)"), name: "", wish: .face, verdict: .denied, date: 0)))
    }

    private func made(_ number: Int, by app: ExactName = "org.other") -> HouseRow {
        .group(MadeGroup(ExactName("group.\(number)"), by: Groups.Maker(app: app, name: "", kind: .consented), date: 0))
    }

    private func authority(of own: ExactName) throws -> Authority {
        var caller = Caller(uid: 1, pid: 1, kind: .consented, name: own.text, groups: [own], mayShare: true)
        caller.groups = try keychain.groups.list(of: caller)
        return Authority(
            caller: caller, given: [], enrolment: .empty,
            device: DeviceState(
                kind: .none, condition: .notAvailable, passcodeIsSet: false, passcodeWasGiven: false, attempts: Attempts()),
            isLocked: false)
    }

    private func add(_ own: ExactName, to group: ExactName) throws {
        _ = try keychain.add(
            NewItem(
                itemClass: .genericPassword, attributes: [.account: .text("a"), .group: .text(group.text)],
                rule: AccessRule(.always), secret: try SecretBytes(copying: [1])), authority(of: own))
    }

    @Test("10,000 words of the owner's are kept, and no more; one that is there can still be changed")
    func words() throws {
        tables.rows = (1..<Consents.limit).map(word)
        try consents.keep(.allowed, on: "org.last", .face, named: "last", .consented)
        #expect(throws: KeychainFailure.storeUnavailable) {
            try consents.keep(.allowed, on: "org.more", .face, named: "more", .consented)
        }
        try consents.keep(.denied, on: "org.last", .face, named: "last", .consented)
        #expect(try consents.verdict(on: "org.last", .face) == .denied && tables.rows.count == Consents.limit)
        try consents.forget("org.last", .face)
        try consents.keep(.allowed, on: "org.more", .face, named: "more", .consented)
    }

    @Test("no word is kept about a program that can't be told from others: it would be about all of them")
    func nobody() throws {
        for app: ExactName in ["", ExactName(String(repeating: "x", count: QueryLimit.attributeBytes + 1))] {
            #expect(throws: KeychainFailure.parameter) {
                try consents.keep(.allowed, on: app, .face, named: "x", .consented)
            }
        }
        #expect(tables.rows.isEmpty)
    }

    @Test("10,000 groups are remembered, and nobody makes another; a program's own is its own all the same")
    func groups() throws {
        tables.rows = (1..<Groups.limit).map { made($0) }
        try add("org.app", to: "team.last")
        #expect(try keychain.groups.maker(of: "team.last")?.app == "org.app")
        #expect(throws: KeychainFailure.storeUnavailable) { try add("org.app", to: "team.more") }
        try add("org.app", to: "org.app")
        #expect(tables.rows.count == Groups.limit)
    }

    @Test("a program makes 64 groups, and no more")
    func groupsOfOne() throws {
        tables.rows = (1..<Groups.limitPerProgram).map { made($0, by: "org.app") }
        try add("org.app", to: "team.last")
        #expect(throws: KeychainFailure.storeUnavailable) { try add("org.app", to: "team.more") }
        try add("org.next", to: "team.more")
    }

    @Test("a group's new maker and the end of what was said about it are one change")
    func given() throws {
        try add("org.squatter", to: "org.bank")
        try consents.keep(.allowed, on: "org.guest", .group("org.bank"), named: "guest", .consented)
        try consents.keep(.allowed, on: "org.guest", .group("org.squatter"), named: "guest", .consented)
        try add("org.bank", to: "org.bank")
        #expect(try keychain.groups.maker(of: "org.bank")?.app == "org.bank")
        #expect(try consents.all().map(\.wish) == [.group("org.squatter")])
    }

    @Test("a program that moves an item into the group of its own name takes that group from whoever made it")
    func movedIntoOwn() throws {
        try add("org.squatter", to: "org.bank")
        try add("org.bank", to: "team.bank")
        // Nothing was added to its own group yet, so this is the first that the house hears of it.
        let query = Query(itemClass: .genericPassword, attributes: [.group: .text("team.bank")])
        let change = ItemChange(attributes: [.group: .text("org.bank")])
        _ = try keychain.update(query, change, authority(of: "org.bank"))
        #expect(try keychain.groups.maker(of: "org.bank")?.app == "org.bank")
    }

    @Test("a program that puts an item in a squatter's place has its own group all the same")
    func putIntoOwn() throws {
        try add("org.squatter", to: "org.bank")
        _ = try keychain.put(
            NewItem(
                itemClass: .genericPassword, attributes: [.account: .text("a"), .group: .text("org.bank")],
                rule: AccessRule(.always), secret: try SecretBytes(copying: [2])), authority(of: "org.bank"))
        #expect(try keychain.groups.maker(of: "org.bank")?.app == "org.bank")
    }

    @Test(
        "a group that has items and no maker, as after an import, is its namesake's: nobody makes it by adding to it",
        arguments: [ItemClass.genericPassword, .internetPassword, .certificate, .key])
    func withoutMaker(_ itemClass: ItemClass) throws {
        let item = StoredItem(
            id: try store.makeItemID(), itemClass: itemClass, group: "org.bank", rule: AccessRule(.always), attributes: [:],
            hasSecret: true)
        try store.insert(item, secret: try SecretBytes(copying: [1]), applicationKey: nil)
        #expect(throws: KeychainFailure.missingEntitlement) { try add("org.thief", to: "org.bank") }
        #expect(try keychain.groups.maker(of: "org.bank")?.app == "org.bank" && tables.rows.isEmpty)
        try add("org.bank", to: "org.bank")
    }

    @Test("the groups of 1,000 programs are held, and then all are looked up anew")
    func heldLists() throws {
        func list(_ own: ExactName) throws -> [ExactName] { try authority(of: own).caller.groups }
        let app: ExactName = "org.app"
        #expect(try list(app) == [app])
        // It gets there past the rules, so only a new look finds it.
        tables.rows = [made(1, by: app)]
        #expect(try list(app) == [app])
        for number in 0...1000 { _ = try list(ExactName("org.other.\(number)")) }
        #expect(try list(app) == [app, "group.1"])
    }

    @Test("a word changes and stays in its place, with what it was tied to; its date is that of the change")
    func changed() throws {
        let tie = Consent.Tie(program: "/usr/bin/bank", file: [1])
        try consents.keep(.noted, on: "org.bank", .program("/usr/bin/bank"), named: "bank", .consented, tie: tie)
        try consents.keep(.allowed, on: "org.bank", .face, named: "bank", .consented)
        try consents.keep(.denied, on: "org.bank", .program("/usr/bin/bank"), named: "bank", .sandboxed)
        let all = tables.consents(.all)
        #expect(all.map(\.known.verdict) == [.denied, .allowed] && all.map(\.tie) == [tie, nil])
        #expect(all[0].known.kind == .sandboxed && all[0].known.date == 7)
    }

    @Test("an allowance holds from when it is given until it is taken back")
    func allowances() throws {
        let allowances = Allowances(tables: tables) { 7 }
        #expect(try !allowances.holds(.softwareKeys))
        for _ in 0..<2 { try allowances.set(.softwareKeys, true) }
        #expect(try allowances.holds(.softwareKeys) && !allowances.holds(.weakEnrolment))
        #expect(tables.allowances() == [GivenAllowance(.softwareKeys, date: 7)])
        for _ in 0..<2 { try allowances.set(.softwareKeys, false) }
        #expect(try !allowances.holds(.softwareKeys) && tables.rows.isEmpty)
    }
}
