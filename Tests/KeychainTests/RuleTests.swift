import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

/// The rules over a list, where a test says what the sensor knows.
@Suite("What a rule demands of the fingers of before, and how far a query reaches")
struct RuleTests {
    private let store = ListStore()
    private let audit = ListAudit()
    private let keychain: Keychain
    private let old = Enrolment.known([1]), new = Enrolment.known([2])

    init() { keychain = Keychain(store: store, audit: audit, consents: Consents(tables: ListTables()) { 100 }) { 100 } }

    private func authority(_ enrolment: Enrolment, given: Set<Factor> = [], level: BiometryLevel = .strong) -> Authority {
        Authority(
            caller: Caller(uid: 1, pid: 1, kind: .consented, name: "app", groups: ["app"]), given: given, enrolment: enrolment,
            device: DeviceState(
                kind: .touchID, condition: .ready, level: level, passcodeIsSet: true, passcodeWasGiven: true,
                attempts: Attempts()),
            isLocked: false)
    }

    @discardableResult
    private func add(
        _ constraints: Constraints = [], _ attributes: Attributes = [:], under enrolment: Enrolment? = nil
    ) throws -> FoundItem {
        var all = attributes
        all[.account] = .text("a")
        let item = NewItem(
            itemClass: .genericPassword, attributes: all, rule: try AccessRule(.whenUnlocked, constraints),
            secret: try SecretBytes(copying: [7]))
        return try keychain.add(item, authority(enrolment ?? old))
    }

    private let query = Query(itemClass: .genericPassword, shape: .data)

    /// What a reading comes to: released, or what has to be shown first.
    private enum Reading: Equatable {
        case released
        case ask([Set<Factor>])
    }

    private func read(_ authority: Authority) throws -> Reading {
        switch try keychain.find(query, authority) {
        case .done: .released
        case .ask(_, let demands): .ask(demands.alternatives)
        }
    }

    @Test(
        "where nobody is enrolled, or the reader can't be read, nothing is released and nothing is concluded",
        arguments: [
            Enrolment.empty, .unknown,
        ])
    func unknownFingers(_ enrolment: Enrolment) throws {
        try add(.biometryCurrentSet)
        #expect(throws: KeychainFailure.authenticationFailed) { try read(authority(enrolment, given: [.biometry, .passcode])) }
        #expect(store.items.first?.item.isDead == false)
        #expect(try read(authority(old, given: [.biometry])) == .released)
        #expect(throws: KeychainFailure.authenticationFailed) { try add(.biometryCurrentSet, under: enrolment) }
    }

    @Test("other fingers than those of before kill what they alone opened, which is noted once, whatever was shown")
    func otherFingers() throws {
        try add(.biometryCurrentSet)
        for _ in 0..<2 {
            #expect(throws: KeychainFailure.itemNotFound) { try read(authority(new, given: [.biometry, .passcode])) }
        }
        #expect(store.items.first?.item.isDead == true)
        #expect(audit.notes.count { $0.event == .died } == 1)
        #expect(throws: KeychainFailure.itemNotFound) { try read(authority(old, given: [.biometry])) }
    }

    @Test("what a weak sensor showed opens nothing that refuses weak sensors, whenever it was shown")
    func weak() throws {
        try add([.userPresence, .strongBiometry])
        #expect(try read(authority(old, given: [.biometry], level: .convenience)) == .ask([[.biometry], [.passcode]]))
        #expect(try read(authority(old, given: [.passcode], level: .convenience)) == .released)
        #expect(try read(authority(old, given: [.biometry])) == .released)
    }

    @Test("a search takes no more than its limit, by whatever it searches")
    func limited() throws {
        for (host, constraints) in [("a.example.org", Constraints([])), ("b.example.org", .devicePasscode)] {
            _ = try keychain.add(
                NewItem(
                    itemClass: .internetPassword, attributes: [.server: .text(host)],
                    rule: try AccessRule(.whenUnlocked, constraints), secret: try SecretBytes(copying: [7])), authority(old))
        }
        for label in ["one", "two"] {
            _ = try keychain.add(
                NewItem(
                    itemClass: .key, attributes: [.applicationTag: .data(Array(label.utf8))], rule: AccessRule(.whenUnlocked),
                    secret: try SecretBytes(copying: [7])), authority(old))
        }
        func count(_ query: Query) throws -> Int? {
            guard case .done(let found) = try keychain.find(query, authority(old)) else { return nil }
            return found.count
        }
        #expect(try count(Query(itemClass: .internetPassword, hostOrSubdomain: "example.org", limit: 1, shape: .data)) == 1)
        #expect(
            try count(Query(itemClass: .internetPassword, attributes: [.accessible: .text("ak")], limit: 1, shape: .data)) == 1)
        #expect(try count(Query(itemClass: .key, limit: 1)) == 1)
    }

    @Test("a list goes on where it stopped, and only one that never had anything is none")
    func listed() throws {
        let all = Query(itemClass: .genericPassword, limit: nil)
        #expect(throws: KeychainFailure.itemNotFound) { try keychain.list(all, authority(old).caller, after: nil) { _ in true } }
        try add()
        let place = try keychain.list(all, authority(old).caller, after: nil) { _ in false }
        #expect(place == 1)
        #expect(try keychain.list(all, authority(old).caller, after: place) { _ in true } == nil)
    }

    @Test("what is kept elsewhere isn't kept among an item's attributes too, whether it is added or changed")
    func elsewhere() throws {
        let twice: Attributes = [.accessible: .text("dk"), .accessControl: .data([1])]
        try add([], twice)
        func isClean() -> Bool {
            store.items.allSatisfy { $0.item.attributes[.accessible] == nil && $0.item.attributes[.accessControl] == nil }
        }
        #expect(isClean())
        _ = try keychain.update(
            Query(itemClass: .genericPassword), ItemChange(attributes: twice.merging([.label: .text("new")]) { $1 }),
            authority(old))
        #expect(isClean() && store.items.first?.item.attributes[.label] == .text("new"))
    }

    @Test("what a passcode opens too stays, for the passcode alone, until the fingers of before are back")
    func passcodeLeft() throws {
        try add([.biometryCurrentSet, .or, .devicePasscode])
        #expect(try read(authority(old)) == .ask([[.biometry], [.passcode]]))
        for enrolment in [new, .empty, .unknown] {
            #expect(try read(authority(enrolment, given: [.biometry])) == .ask([[.passcode]]))
            #expect(try read(authority(enrolment, given: [.passcode])) == .released)
        }
        #expect(try read(authority(old, given: [.biometry])) == .released)
    }

    @Test("a changed rule binds the fingers of the moment, and a rule that needs none lets go of them")
    func changedRule() throws {
        try add([.biometryCurrentSet, .or, .devicePasscode])
        let rule = try #require(store.items.first).item.rule
        let allowed = authority(new, given: [.passcode])
        _ = try keychain.update(query, ItemChange(rule: rule, secret: try SecretBytes(copying: [8])), allowed)
        #expect(store.items.first?.item.enrolment == [2])
        _ = try keychain.update(query, ItemChange(rule: AccessRule(.always)), allowed)
        #expect(store.items.first?.item.enrolment == nil)
    }

    @Test(
        "what asks the owner isn't synchronized, neither from the start nor by a change",
        arguments: [
            AttributeValue.flag(true), .number(1),
        ])
    func synchronized(_ value: AttributeValue) throws {
        #expect(throws: KeychainFailure.parameter) { try add(.userPresence, [.synchronizable: value]) }
        try add(.userPresence)
        let allowed = authority(old, given: [.passcode])
        #expect(throws: KeychainFailure.parameter) {
            _ = try keychain.update(query, ItemChange(attributes: [.synchronizable: value]), allowed)
        }
        #expect(store.items.first?.item.attributes[.synchronizable]?.comparable != AttributeValue.number(1).comparable)
    }

    @Test("a persistent reference is for its own class, and nothing is named beside it")
    func references() throws {
        let reference = try add().persistentRef
        func find(_ itemClass: ItemClass?, _ attributes: Attributes = [:]) throws -> Int? {
            let query = Query(itemClass: itemClass, attributes: attributes, persistentRef: reference)
            guard case .done(let found) = try keychain.find(query, authority(old)) else { return nil }
            return found.count
        }
        #expect(try find(nil) == 1 && find(.genericPassword) == 1)
        #expect(throws: KeychainFailure.itemNotFound) { try find(.internetPassword) }
        #expect(throws: KeychainFailure.parameter) { try find(.genericPassword, [.account: .text("a")]) }
    }

    @Test("a call looks at 16 MiB of attributes and no more, but removes as many items as there are")
    func gathered() throws {
        let wide = String(repeating: "x", count: QueryLimit.attributeBytes)
        let attributes: Attributes = [
            .label: .text(wide), .comment: .text(wide), .description: .text(wide), .generic: .text(wide),
        ]
        let fitting = 64
        #expect(attributes.byteCount * fitting == 16 << 20)
        let rule = AccessRule(.always)
        for _ in 0..<fitting {
            let item = StoredItem(
                id: try store.makeItemID(), itemClass: .genericPassword, group: "app", rule: rule, attributes: attributes,
                hasSecret: true)
            try store.insert(item, secret: try SecretBytes(copying: [1]), applicationKey: nil)
        }
        var all = query
        all.limit = nil
        guard case .done(let found) = try keychain.find(all, authority(old)) else { throw KeychainFailure.internalFailure }
        #expect(found.count == fitting)
        let last = StoredItem(
            id: try store.makeItemID(), itemClass: .genericPassword, group: "app", rule: rule, attributes: [.label: .text("x")],
            hasSecret: true)
        try store.insert(last, secret: try SecretBytes(copying: [1]), applicationKey: nil)
        #expect(throws: KeychainFailure.outOfMemory) { _ = try keychain.find(all, authority(old)) }
        try keychain.remove(all, authority(old))
        #expect(store.items.isEmpty)
    }
}
