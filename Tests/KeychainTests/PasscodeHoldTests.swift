import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

@testable import ThumbKeychain

@Suite("What hangs on the passcode")
struct PasscodeHoldTests {
    private let store = ListStore()
    private let keychain: Keychain

    init() {
        keychain = Keychain(store: store, audit: ListAudit(), consents: Consents(tables: ListTables()) { 100 }) { 100 }
    }

    private func put(_ rule: AccessRule, group: ExactName = "app.example", isDead: Bool = false) throws {
        var item = StoredItem(
            id: try store.makeItemID(), itemClass: .genericPassword, group: group, rule: rule, attributes: [:], hasSecret: true)
        item.isDead = isDead
        try store.insert(item, secret: nil, applicationKey: nil)
    }

    /// The count of the whole store, and in how many parts it was made.
    private func counted() throws -> (hold: PasscodeHold, parts: Int) {
        var hold = PasscodeHold()
        var place: Int64? = 0
        var parts = 0
        while let from = place {
            place = try keychain.count(into: &hold, after: from)
            parts += 1
        }
        return (hold, parts)
    }

    @Test(
        "An item goes with the passcode by its class alone, and stays closed if only a finger, a face, a passcode or a companion opens it",
        arguments: [
            (.whenPasscodeSetThisDeviceOnly, [], 1, 0), (.whenPasscodeSetThisDeviceOnly, .userPresence, 1, 0),
            (.whenUnlocked, [], 0, 0), (.always, [], 0, 0), (.always, .userPresence, 0, 1),
            (.whenUnlocked, .devicePasscode, 0, 1),
            (.afterFirstUnlock, .biometryAny, 0, 1), (.whenUnlocked, .biometryCurrentSet, 0, 1),
            (.whenUnlocked, [.biometryAny, .and, .devicePasscode], 0, 1), (.whenUnlocked, .companion, 0, 1),
            (.whenUnlocked, .applicationPassword, 0, 0),
        ] as [(Accessibility, Constraints, UInt64, UInt64)])
    func rules(_ accessibility: Accessibility, _ constraints: Constraints, _ erased: UInt64, _ closed: UInt64) throws {
        try put(try AccessRule(accessibility, constraints))
        #expect(try counted().hold == PasscodeHold(erased: erased, closed: closed))
    }

    @Test("Items of every program count; what is dead or damaged can't be lost once more")
    func programs() throws {
        let tied = AccessRule(.whenPasscodeSetThisDeviceOnly)
        try put(tied)
        try put(tied, group: "app.other")
        try put(tied, isDead: true)
        try put(tied)
        store.damagedPlaces = [4]
        #expect(try counted().hold == PasscodeHold(erased: 2))
    }

    @Test("A store that is full to one part, or to one record more, is counted to its end", arguments: [0, 1])
    func parts(_ more: Int) throws {
        for _ in 0..<Keychain.countedRecords + more { try put(AccessRule(.whenPasscodeSetThisDeviceOnly)) }
        let (hold, parts) = try counted()
        #expect(hold.erased == UInt64(Keychain.countedRecords + more) && parts == 2)
    }
}
