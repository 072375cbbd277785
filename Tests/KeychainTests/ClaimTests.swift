import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

/// The house's tables on a disk that may be full.
private final class FullTables: HouseTables {
    private let list = ListTables()
    var isFull = false

    func consents(_ search: Consent.Search) -> [Consent] { list.consents(search) }
    func groups(_ search: MadeGroup.Search) -> [MadeGroup] { list.groups(search) }
    func allowances() -> [GivenAllowance] { list.allowances() }
    func machines() -> [PairedMachine] { list.machines() }
    func countConsents(_ search: Consent.Search) -> Int { list.countConsents(search) }
    func countGroups(_ search: MadeGroup.Search) -> Int { list.countGroups(search) }
    func change(removing gone: [HouseRow], keeping kept: [HouseRow]) throws(KeychainFailure) {
        if isFull { throw .storeUnavailable }
        list.change(removing: gone, keeping: kept)
    }
}

@Suite("A program's claim to the group of its own name")
struct ClaimTests {
    @Test("one that couldn't be written is made again with the next item, so that whoever had the group's name first loses it")
    func again() throws {
        let tables = FullTables()
        let keychain = Keychain(store: ListStore(), audit: ListAudit(), consents: Consents(tables: tables) { 7 }) { 7 }
        func add(_ own: ExactName, account: String) throws {
            let caller = Caller(
                uid: 1, pid: 1, kind: .consented, name: own.text, groups: [own, "org.bank"], mayShare: true)
            let authority = Authority(
                caller: caller, given: [], enrolment: .empty,
                device: DeviceState(
                    kind: .none, condition: .notAvailable, passcodeIsSet: false, passcodeWasGiven: false, attempts: Attempts()),
                isLocked: false)
            _ = try keychain.add(
                NewItem(
                    itemClass: .genericPassword, attributes: [.account: .text(account), .group: .text("org.bank")],
                    rule: AccessRule(.always), secret: try SecretBytes(copying: [1])), authority)
        }
        try add("org.squatter", account: "a")
        #expect(try keychain.groups.maker(of: "org.bank")?.app == "org.squatter")
        tables.isFull = true
        #expect(throws: KeychainFailure.storeUnavailable) { try add("org.bank", account: "b") }
        tables.isFull = false
        try add("org.bank", account: "b")
        #expect(try keychain.groups.maker(of: "org.bank")?.app == "org.bank")
    }
}
