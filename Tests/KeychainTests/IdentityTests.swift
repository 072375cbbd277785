import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets

@Suite("Which keys and certificates are identities, and how many one call pairs")
struct IdentityTests {
    private let store = ListStore()
    private let audit = ListAudit()
    private let keychain: Keychain
    private let old = Enrolment.known([1]), new = Enrolment.known([2])
    /// What a key and its certificate have in common.
    private let label = AttributeValue.data([7])

    init() { keychain = Keychain(store: store, audit: audit, consents: Consents(tables: ListTables()) { 100 }) { 100 } }

    private func authority(_ enrolment: Enrolment) -> Authority {
        Authority(
            caller: Caller(uid: 1, pid: 1, kind: .consented, name: "app", groups: ["app", "team"]), given: [],
            enrolment: enrolment,
            device: DeviceState(
                kind: .touchID, condition: .ready, passcodeIsSet: true, passcodeWasGiven: true, attempts: Attempts()),
            isLocked: false)
    }

    private func addKey(_ rule: AccessRule, tag: [UInt8] = [], under enrolment: Enrolment) throws {
        let attributes: Attributes = [.keyClass: .number(1), .applicationLabel: label, .applicationTag: .data(tag)]
        let secret = try SecretBytes(copying: [1])
        _ = try keychain.add(NewItem(itemClass: .key, attributes: attributes, rule: rule, secret: secret), authority(enrolment))
    }

    private func addCertificate(_ serial: [UInt8], bytes: Int = 1) throws {
        let attributes: Attributes = [.publicKeyHash: label, .serialNumber: .data(serial)]
        let secret = try SecretBytes(copying: [UInt8](repeating: 1, count: bytes))
        _ = try keychain.add(
            NewItem(itemClass: .certificate, attributes: attributes, rule: AccessRule(.always), secret: secret), authority(old))
    }

    private func found(_ query: Query, _ enrolment: Enrolment) throws -> [FoundItem] {
        guard case .done(let found) = try keychain.find(query, authority(enrolment)) else {
            throw KeychainFailure.internalFailure
        }
        return found
    }

    @Test("a key that died makes no identity any more, as it isn't found by itself; a removal takes it with its certificate")
    func dead() throws {
        try addKey(try AccessRule(.whenUnlocked, .biometryCurrentSet), under: old)
        try addCertificate([1])
        let query = Query(itemClass: .identity, shape: .attributes)
        #expect(try found(query, old).count == 1)
        #expect(throws: KeychainFailure.itemNotFound) { try found(Query(itemClass: .key, shape: .data), new) }
        #expect(throws: KeychainFailure.itemNotFound) { try found(query, new) }
        try keychain.remove(query, authority(new))
        #expect(store.items.isEmpty)
    }

    @Test("a dead key doesn't take the place of a living one where one identity is asked for")
    func deadBesideLiving() throws {
        try addKey(try AccessRule(.whenUnlocked, .biometryCurrentSet), tag: [1], under: old)
        try addKey(AccessRule(.always), tag: [2], under: old)
        try addCertificate([1])
        // Reading is what notices that the fingers are others.
        _ = try found(Query(itemClass: .key, attributes: [.applicationTag: .data([2])], shape: .data), new)
        #expect(throws: KeychainFailure.itemNotFound) {
            try found(Query(itemClass: .key, attributes: [.applicationTag: .data([1])], shape: .data), new)
        }
        let one = try found(Query(itemClass: .identity, limit: 1, shape: .attributes), new)
        #expect(one.map { $0.attributes[.applicationTag] } == [.data([2])])
    }

    @Test("the certificate that an identity's data is read from is noted, as it is when it is read by itself")
    func noted() throws {
        try addKey(AccessRule(.always), under: old)
        try addCertificate([1])
        func released() -> Int { audit.notes.count { $0.event == .released } }
        _ = try found(Query(itemClass: .identity, shape: .attributes), old)
        #expect(released() == 0)
        _ = try found(Query(itemClass: .certificate, shape: .data), old)
        #expect(released() == 1)
        _ = try found(Query(itemClass: .identity, shape: .data), old)
        #expect(released() == 2)
    }

    @Test("an identity's certificate counts like any other secret: more than eight megabytes are too much for one call")
    func bytes() throws {
        try addKey(AccessRule(.always), under: old)
        for serial in UInt8(1)...9 { try addCertificate([serial], bytes: 1 << 20) }
        #expect(throws: KeychainFailure.outOfMemory) { try found(Query(itemClass: .identity, limit: nil, shape: .data), old) }
        #expect(try found(Query(itemClass: .identity, limit: 8, shape: .data), old).count == 8)
    }

    @Test("a removal takes the identities of the group and of the accessibility that it names, and no others")
    func named() throws {
        try addKey(AccessRule(.afterFirstUnlock), under: old)
        try addCertificate([1])
        for (itemClass, more) in [
            (ItemClass.key, [.keyClass: .number(1), .applicationLabel: label]), (.certificate, [.publicKeyHash: label]),
        ] as [(ItemClass, Attributes)] {
            let attributes = more.merging([.group: .text("team")]) { $1 }
            let secret = try SecretBytes(copying: [1])
            _ = try keychain.add(
                NewItem(itemClass: itemClass, attributes: attributes, rule: AccessRule(.always), secret: secret), authority(old))
        }
        func remove(_ attributes: Attributes) throws {
            try keychain.remove(Query(itemClass: .identity, attributes: attributes, limit: nil), authority(old))
        }
        // Each key goes with the certificate of its own group and with the other's.
        let all = Query(itemClass: .identity, limit: nil, shape: .persistentRef)
        #expect(try found(all, old).count == 4)
        #expect(throws: KeychainFailure.itemNotFound) { try remove([.accessible: .text("ak")]) }
        #expect(throws: KeychainFailure.itemNotFound) { try remove([.accessible: .text("ck"), .group: .text("team")]) }
        #expect(store.items.count == 4)
        try remove([.accessible: .text("dk"), .group: .text("team")])
        #expect(store.items.map(\.item.group) == ["app", "app"])
    }

    @Test("a key's attributes count with each of its certificates anew: sixteen megabytes of them are too much for one call")
    func wide() throws {
        let wide = AttributeValue.text(String(repeating: "x", count: QueryLimit.attributeBytes))
        let attributes: Attributes = [
            .keyClass: .number(1), .applicationLabel: label, .label: wide, .comment: wide, .description: wide,
        ]
        let secret = try SecretBytes(copying: [1])
        _ = try keychain.add(
            NewItem(itemClass: .key, attributes: attributes, rule: AccessRule(.always), secret: secret), authority(old))
        for serial in UInt8(1)...100 { try addCertificate([serial]) }
        let all = Query(itemClass: .identity, limit: nil, shape: .persistentRef)
        #expect(throws: KeychainFailure.outOfMemory) { try found(all, old) }
        #expect(try found(Query(itemClass: .identity, limit: 20, shape: .persistentRef), old).count == 20)
    }

    @Test("keys and certificates of one label are paired a hundred thousand times in a call, and no more, to remove them neither")
    func pairs() throws {
        // Far fewer than a store may hold, and each goes with each.
        func number(_ number: Int) -> [UInt8] { [UInt8(number / 256), UInt8(number % 256)] }
        for tag in 0..<400 { try addKey(AccessRule(.always), tag: number(tag), under: old) }
        for serial in 0..<300 { try addCertificate(number(serial)) }
        let all = Query(itemClass: .identity, limit: nil, shape: .persistentRef)
        #expect(throws: KeychainFailure.outOfMemory) { try found(all, old) }
        #expect(throws: KeychainFailure.outOfMemory) { try keychain.remove(all, authority(old)) }
        #expect(store.items.count == 700)
        #expect(try found(Query(itemClass: .identity, limit: 3, shape: .persistentRef), old).count == 3)
    }
}
