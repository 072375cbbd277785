import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

@testable import ThumbKeychain

@Suite("An item that is put in another one's place")
struct PuttingTests {
    private let store = ListStore()
    private let audit = ListAudit()
    private let consents: Consents
    private let keychain: Keychain

    init() {
        consents = Consents(tables: ListTables()) { 100 }
        keychain = Keychain(store: store, audit: audit, consents: consents, quota: StoreQuota(items: 2, bytes: 20_000)) { 100 }
    }

    /// A program; the provider for other programs, where nothing else is said.
    private func authority(_ group: ExactName = "org.thumbturn.secrets", passcode: Bool = true) -> Authority {
        Authority(
            caller: Caller(uid: 1, pid: 1, kind: .consented, name: "app", groups: [group], mayShare: true), given: [],
            enrolment: .known([1]),
            device: DeviceState(
                kind: .touchID, condition: .ready, passcodeIsSet: passcode, passcodeWasGiven: passcode, attempts: Attempts()),
            isLocked: false)
    }

    private func item(
        _ account: String, _ secret: String, rule: AccessRule = AccessRule(.whenUnlocked),
        itemClass: ItemClass = .genericPassword,
        _ more: Attributes = [:]
    ) throws -> NewItem {
        NewItem(
            itemClass: itemClass, attributes: more.merging([.account: .text(account)]) { $1 }, rule: rule,
            secret: try SecretBytes(copying: Array(secret.utf8)))
    }

    /// Each item's account and secret.
    private var kept: [String: String] {
        var kept: [String: String] = [:]
        for (_, item, secret) in store.items {
            let bytes = secret.map { secret in secret.withUnsafeBytes { Array($0) } }
            guard case .text(let account)? = item.attributes[.account] else { continue }
            kept[account, default: ""] += String(decoding: bytes ?? [], as: UTF8.self)
        }
        return kept
    }

    @Test("it takes that one's place and nobody else's, as if one had been removed and the other added, and both are noted")
    func replaces() throws {
        _ = try keychain.put(item("a", "one"), authority())
        _ = try keychain.add(item("b", "other"), authority())
        audit.notes = []
        _ = try keychain.put(item("a", "two"), authority())
        #expect(kept == ["a": "two", "b": "other"])
        #expect(audit.notes.map(\.event) == [.removed, .added])
        #expect(audit.notes.allSatisfy { $0.failure == nil && $0.program == AuditProgram(authority().caller) })
    }

    @Test("the answers about the one before go with it")
    func answers() throws {
        _ = try keychain.put(item("a", "one"), authority())
        let old = try #require(store.items.first?.item)
        try consents.keep(.allowed, on: "/usr/bin/git", old.wish, named: "git", .consented)
        _ = try keychain.put(item("a", "two"), authority())
        #expect(try consents.all().isEmpty)
    }

    @Test("the owner isn't asked, even where the one before wants a finger")
    func unasked() throws {
        _ = try keychain.put(item("a", "one", rule: AccessRule(.whenUnlocked, .biometryCurrentSet)), authority())
        _ = try keychain.put(item("a", "two"), authority())
        #expect(kept == ["a": "two"] && store.items.first?.item.rule == AccessRule(.whenUnlocked))
    }

    @Test("one that couldn't be added isn't put, and the one before stays with its answers")
    func refused() throws {
        _ = try keychain.put(item("a", "one"), authority())
        let old = try #require(store.items.first?.item)
        try consents.keep(.allowed, on: "/usr/bin/git", old.wish, named: "git", .consented)
        audit.notes = []
        for (new, authority, failure) in [
            (
                try item("a", "two", rule: AccessRule(.whenPasscodeSetThisDeviceOnly)), authority(passcode: false),
                .authenticationFailed
            ),
            (try item("a", String(repeating: "x", count: 20_001)), authority(), .quotaReached),
            (try item("a", "two", [.custodian: .number(1)]), authority(), .noSuchAttribute),
            (try item("a", "two", itemClass: .identity), authority(), .parameter),
            (try item("a", "two", [.group: .text("another")]), authority("third"), .missingEntitlement),
        ] as [(NewItem, Authority, KeychainFailure)] {
            if failure == .missingEntitlement {
                _ = try keychain.add(item("b", "theirs", [.group: .text("another")]), self.authority("maker"))
                audit.notes = []
            }
            #expect(throws: failure) { _ = try keychain.put(new, authority) }
            #expect(kept["a"] == "one" && audit.notes.isEmpty)
        }
        #expect(try consents.all().map(\.wish) == [old.wish])
    }

    @Test("a store that holds as much as it may takes one in the place of another, and no further one")
    func quota() throws {
        _ = try keychain.put(item("a", "one"), authority())
        _ = try keychain.put(item("b", "one"), authority())
        _ = try keychain.put(item("b", "two"), authority())
        #expect(throws: KeychainFailure.quotaReached) { _ = try keychain.put(item("c", "one"), authority()) }
        #expect(kept == ["a": "one", "b": "two"])
    }

    @Test("an item of another program under that name stays")
    func others() throws {
        _ = try keychain.put(item("a", "one"), authority("other"))
        _ = try keychain.put(item("a", "two"), authority())
        #expect(store.items.map(\.item.group) == ["other", "org.thumbturn.secrets"])
    }

    @Test("a dead one's place is taken as by any addition")
    func dead() throws {
        _ = try keychain.put(item("a", "one"), authority())
        let old = try #require(store.items.first?.item)
        try consents.keep(.allowed, on: "/usr/bin/git", old.wish, named: "git", .consented)
        try store.markDead(old)
        audit.notes = []
        _ = try keychain.put(item("a", "two"), authority())
        #expect(audit.notes.map(\.event) == [.added])
        #expect(try consents.all().isEmpty)
    }
}
