import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

@Suite("How much a store may hold")
struct QuotaTests {
    private let store = ListStore()
    private let authority = Authority(
        caller: Caller(uid: 1, pid: 1, kind: .consented, name: "app", groups: ["app"]), given: [.passcode], enrolment: .empty,
        device: DeviceState(
            kind: .touchID, condition: .ready, passcodeIsSet: true, passcodeWasGiven: true, attempts: Attempts()),
        isLocked: false)

    private func keychain(_ quota: StoreQuota) -> Keychain {
        Keychain(store: store, audit: ListAudit(), consents: Consents(tables: ListTables()) { 100 }, quota: quota) { 100 }
    }

    private func item(_ account: String, bytes: Int = 10) throws -> NewItem {
        NewItem(
            itemClass: .genericPassword, attributes: [.account: .text(account)], rule: AccessRule(.always),
            secret: try SecretBytes(copying: [UInt8](repeating: 1, count: bytes)))
    }

    private let all = Query(itemClass: .genericPassword, limit: nil)

    @Test("as many items are taken as the quota says; one more is refused, and taken when one is gone")
    func items() throws {
        let keychain = keychain(StoreQuota(items: 20, bytes: 1 << 30))
        var added = 0
        #expect(throws: KeychainFailure.quotaReached) {
            while true {
                _ = try keychain.add(try item("\(added)"), authority)
                added += 1
            }
        }
        // What the house notes of their group is no item.
        #expect(store.items.count == 20 && added == 20)
        // What is there is read.
        var read = all
        read.shape = .data
        guard case .done(let found) = try keychain.find(read, authority) else { throw KeychainFailure.internalFailure }
        #expect(found.count == added)
        store.items.removeLast()
        #expect(try keychain.add(try item("again"), authority).itemClass == .genericPassword)
        #expect(throws: KeychainFailure.quotaReached) { _ = try keychain.add(try item("and again"), authority) }
    }

    @Test("as many bytes are taken as the quota says, and an item that needs more is refused; a smaller one still fits")
    func bytes() throws {
        let keychain = keychain(StoreQuota(items: 1000, bytes: 20_000))
        _ = try keychain.add(try item("a", bytes: 15_000), authority)
        #expect(throws: KeychainFailure.quotaReached) { _ = try keychain.add(try item("b", bytes: 5_000), authority) }
        _ = try keychain.add(try item("c", bytes: 1_000), authority)
    }

    @Test("a change by which items grow beyond the quota is refused and changes nothing; one that fits is taken")
    func updates() throws {
        let keychain = keychain(StoreQuota(items: 10, bytes: 20_000))
        _ = try keychain.add(try item("a", bytes: 15_000), authority)
        let query = Query(itemClass: .genericPassword, attributes: [.account: .text("a")])
        func change(_ bytes: Int) throws -> ItemChange {
            ItemChange(secret: try SecretBytes(copying: [UInt8](repeating: 1, count: bytes)))
        }
        #expect(throws: KeychainFailure.quotaReached) { _ = try keychain.update(query, try change(19_990), authority) }
        let label = String(repeating: "x", count: 5_000)
        #expect(throws: KeychainFailure.quotaReached) {
            _ = try keychain.update(query, ItemChange(attributes: [.label: .text(label)]), authority)
        }
        #expect(store.items.first?.secret?.count == 15_000)
        for bytes in [19_000, 10] {
            _ = try keychain.update(query, try change(bytes), authority)
            #expect(store.items.first?.secret?.count == bytes)
        }
    }

    @Test("a store that holds more than it may by now takes a change that needs no more room, and nothing else")
    func beyond() throws {
        let before = keychain(StoreQuota(items: 10, bytes: 1 << 30))
        for account in ["a", "b"] { _ = try before.add(try item(account), authority) }
        let now = keychain(StoreQuota(items: 1, bytes: 1 << 30))
        let query = Query(itemClass: .genericPassword, attributes: [.account: .text("a")])
        _ = try now.update(query, ItemChange(secret: try SecretBytes(copying: [2])), authority)
        #expect(store.items.first?.secret?.count == 1)
        #expect(throws: KeychainFailure.quotaReached) { _ = try now.add(try item("c"), authority) }
    }

    @Test("the limits themselves: so many and no more, and who is near is told")
    func limits() {
        let quota = StoreQuota(items: 100, bytes: 100_000)
        #expect(quota.allows(1, bytes: 0, beside: StoreUsage(items: 99, bytes: 0)))
        #expect(!quota.allows(1, bytes: 0, beside: StoreUsage(items: 100, bytes: 0)))
        #expect(quota.allows(0, bytes: 100, beside: StoreUsage(items: 100, bytes: 99_900)))
        #expect(!quota.allows(0, bytes: 101, beside: StoreUsage(items: 100, bytes: 99_900)))
        #expect(!quota.isNear(StoreUsage(items: 79, bytes: 79_999)))
        #expect(quota.isNear(StoreUsage(items: 80, bytes: 0)) && quota.isNear(StoreUsage(items: 0, bytes: 80_000)))
    }

    @Test("an import's chunk that doesn't fit is refused as a whole")
    func imports() throws {
        let keychain = keychain(StoreQuota(items: 2, bytes: 1 << 30))
        let items = try (0..<3).map {
            BackupItem(
                itemClass: .genericPassword, group: "app", rule: AccessRule(.always), attributes: [.account: .text("\($0)")],
                secret: try SecretBytes(copying: [1]))
        }
        var run = ImportRun(replaces: false, countsOnly: false)
        #expect(throws: BackupError.keychain(.quotaReached)) { try keychain.importNext(items, &run, authority) }
        #expect(store.items.isEmpty && run.tally.added == 0)
        try keychain.importNext(Array(items.prefix(2)), &run, authority)
        #expect(store.items.count == 2)
    }

    @Test("an import's secrets take room like any others, and so do those that replace smaller ones")
    func importedBytes() throws {
        let keychain = keychain(StoreQuota(items: 10, bytes: 20_000))
        func backup(_ bytes: Int) throws -> [BackupItem] {
            [
                BackupItem(
                    itemClass: .genericPassword, group: "app", rule: AccessRule(.always), attributes: [.account: .text("a")],
                    secret: try SecretBytes(copying: [UInt8](repeating: 1, count: bytes)))
            ]
        }
        let (small, large) = (try backup(10), try backup(20_000))
        var run = ImportRun(replaces: true, countsOnly: false)
        #expect(throws: BackupError.keychain(.quotaReached)) { try keychain.importNext(large, &run, authority) }
        try keychain.importNext(small, &run, authority)
        #expect(throws: BackupError.keychain(.quotaReached)) { try keychain.importNext(large, &run, authority) }
        #expect(store.items.count == 1 && store.items.first?.secret?.count == 10)
        #expect(run.tally.added == 1 && run.tally.replaced == 0)
    }

    @Test("secrets of eight megabytes are released in one call; one byte more takes two")
    func released() throws {
        let keychain = keychain(.standard)
        for number in 0..<8 { _ = try keychain.add(try item("\(number)", bytes: 1 << 20), authority) }
        var read = all
        read.shape = .data
        guard case .done(let found) = try keychain.find(read, authority) else { throw KeychainFailure.internalFailure }
        #expect(found.count == 8)
        _ = try keychain.add(try item("one more", bytes: 1), authority)
        #expect(throws: KeychainFailure.outOfMemory) { _ = try keychain.find(read, authority) }
        read.limit = 8
        guard case .done = try keychain.find(read, authority) else { throw KeychainFailure.internalFailure }
    }
}
