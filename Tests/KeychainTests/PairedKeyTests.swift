import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

/// The two sealed keys of a companion, over a list: here they can stand in each other's place.
@Suite("The keys of a pairing")
struct PairedKeyTests {
    private let store = ListStore()
    private let machines: PairedMachines
    private let keychain: Keychain

    init() {
        machines = PairedMachines(tables: ListTables(), store: store, limit: 8) { 100 }
        keychain = Keychain(store: store, audit: ListAudit(), consents: Consents(tables: ListTables()) { 100 }) { 100 }
    }

    private func authority(_ given: Set<Factor> = []) -> Authority {
        Authority(
            caller: Caller(uid: 1, pid: 1, kind: .consented, name: "app", groups: ["app"]), given: given, enrolment: .known([1]),
            device: DeviceState(
                kind: .touchID, condition: .ready, passcodeIsSet: true, passcodeWasGiven: true, attempts: Attempts()),
            isLocked: false)
    }

    /// A key that its custodian has just made, sealed for a pairing.
    private func sealed(_ byte: UInt8, asks: Bool) throws -> [UInt8] {
        let made = MadeKey(material: try SecretBytes(copying: [byte]), publicKey: [byte], label: [byte])
        return try machines.seal(made, by: .software, asks: asks)
    }

    private func machine(link: [UInt8], yes: [UInt8]) -> PairedMachine {
        PairedMachine(
            id: [1], side: .answers, name: "desk", place: "", otherLink: [], otherYes: [], link: link, yes: yes, date: 0)
    }

    @Test("the line's key opens without the owner, and the yes key for what the owner shows")
    func kinds() throws {
        let paired = machine(link: try sealed(1, asks: false), yes: try sealed(2, asks: true))
        #expect(try machines.linkKey(of: paired).key.publicKey == [1])
        guard case .ask(_, let demands) = try keychain.hold(yesOf: paired, authority()) else {
            Issue.record("nobody is asked")
            return
        }
        #expect(demands.alternatives == [[.biometry], [.passcode]])
        guard case .done(let held) = try keychain.hold(yesOf: paired, authority([.passcode])) else {
            Issue.record("the passcode doesn't open it")
            return
        }
        #expect(held.key.publicKey == [2] && held.custodian == .software)
    }

    @Test("a yes key in the place of the line's key opens no line unasked, and the line's key in its place says no yes")
    func swapped() throws {
        let paired = machine(link: try sealed(2, asks: true), yes: try sealed(1, asks: false))
        #expect(throws: KeychainFailure.damaged) { _ = try machines.linkKey(of: paired) }
        #expect(throws: KeychainFailure.damaged) { _ = try keychain.hold(yesOf: paired, authority([.passcode])) }
    }

    @Test("a key that a program keeps itself stands in a pairing's place for neither of the two")
    func strangers() throws {
        func theirs(_ constraints: Constraints) throws -> [UInt8] {
            let item = StoredItem(
                id: try store.makeItemID(), itemClass: .key, group: "app",
                rule: try AccessRule(.whenPasscodeSetThisDeviceOnly, constraints),
                attributes: [.publicKey: .data([3]), .custodian: .number(1)], hasSecret: true)
            return try store.detach(item, secret: try SecretBytes(copying: [3]), applicationKey: nil)
        }
        let paired = machine(link: try theirs([]), yes: try theirs([.userPresence, .privateKeyUsage]))
        #expect(throws: KeychainFailure.damaged) { _ = try machines.linkKey(of: paired) }
        #expect(throws: KeychainFailure.damaged) { _ = try keychain.hold(yesOf: paired, authority([.passcode])) }
    }
}
