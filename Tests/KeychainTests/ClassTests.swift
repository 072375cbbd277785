import Foundation
import Security
import Testing
import ThumbturnSimulator
import thumbturn_test_support

/// The four classes beside generic passwords, through Apple's names.
@Suite("Item classes", .oneDevice) struct ClassTests {
    private typealias Words = [CFString: Any]

    private func onDevice(_ body: () throws -> Void) rethrows {
        let device = SimulatedDevice(biometry: .touchID, enrolled: ["me"], passcode: "1234").install()
        defer { device.uninstall() }
        try body()
    }

    private func add(_ words: Words) -> OSStatus { SecItemAdd(words as CFDictionary, nil) }

    private func find(_ words: Words) -> (status: OSStatus, result: AnyObject?) {
        var result: AnyObject?
        let status = SecItemCopyMatching(words as CFDictionary, &result)
        return (status, result)
    }

    private func accounts(_ words: Words) -> [String]? {
        let all: Words = words.merging([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]) { $1 }
        return (find(all).result as? [[String: Any]])?.compactMap { $0[kSecAttrAccount as String] as? String }
    }

    // MARK: Internet passwords

    @Test(
        "2: an internet password is told apart by account, domain, server, protocol, scheme, port and path, and by nothing else")
    func internetPasswords() {
        onDevice {
            let base: Words = [
                kSecClass: kSecClassInternetPassword, kSecAttrAccount: "ada", kSecAttrServer: "example.org",
                kSecValueData: Data("one".utf8),
            ]
            #expect(add(base) == errSecSuccess)
            #expect(add(base.merging([kSecAttrLabel: "another label"]) { $1 }) == errSecDuplicateItem)
            let others: [Words] = [
                [kSecAttrAccount: "bob"], [kSecAttrSecurityDomain: "lab"], [kSecAttrServer: "example.com"],
                [kSecAttrProtocol: kSecAttrProtocolHTTPS], [kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic],
                [kSecAttrPort: 8443], [kSecAttrPath: "/vault"],
            ]
            for other in others { #expect(add(base.merging(other) { $1 }) == errSecSuccess, "\(other)") }
            for other in others { #expect(add(base.merging(other) { $1 }) == errSecDuplicateItem, "\(other)") }
            let query: Words = [
                kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrAccount: "ada", kSecAttrPort: 8443,
                kSecReturnAttributes: true,
            ]
            let found = find(query).result as? [String: Any]
            #expect(found?[kSecAttrPort as String] as? Int == 8443)
        }
    }

    @Test("16, 41, 42: what was left out is empty: found by empty, and a port of \"\" is 0, of digits a number")
    func leftOut() {
        onDevice {
            let base: Words = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrAccount: "ada"]
            #expect(add(base) == errSecSuccess)
            #expect(accounts(base.merging([kSecAttrPath: ""]) { $1 }) == ["ada"])
            #expect(accounts(base.merging([kSecAttrPort: ""]) { $1 }) == ["ada"])
            #expect(find(base.merging([kSecAttrPath: "/"]) { $1 }).status == errSecItemNotFound)
            #expect(add(base.merging([kSecAttrPort: "80"]) { $1 }) == errSecSuccess)
            #expect(add(base.merging([kSecAttrPort: 80]) { $1 }) == errSecDuplicateItem)
        }
    }

    @Test("42: a text where a number belongs stays that text, and is found, told apart and changed as one")
    func textNumbers() {
        onDevice {
            let names: [CFString] = [kSecAttrCreator, kSecAttrType, kSecAttrPort, kSecAttrIsInvisible, "scrp", "cusi", "nega"]
            for (index, name) in names.enumerated() {
                let base: Words = [kSecClass: kSecClassInternetPassword, kSecAttrAccount: "\(index)"]
                for (value, now) in [("Type Test", "0012"), ("0012", "12 ")] {
                    let item = base.merging([kSecAttrServer: value, name: value]) { $1 }
                    #expect(add(item) == errSecSuccess, "\(name) \(value)")
                    let found = find(item.merging([kSecReturnAttributes: true]) { $1 }).result as? [String: Any]
                    #expect(found?[name as String] as? String == value)
                    #expect(find(item.merging([name: 12]) { $1 }).status == errSecItemNotFound)
                    #expect(SecItemUpdate(item as CFDictionary, [name: now] as Words as CFDictionary) == errSecSuccess)
                    #expect(find(item).status == errSecItemNotFound)
                    #expect(find(item.merging([name: now]) { $1 }).status == errSecSuccess)
                }
                // What is how a number prints is that number, and comes back as one.
                let number = base.merging([kSecAttrServer: "number", name: "12"]) { $1 }
                #expect(add(number) == errSecSuccess)
                let found = find(number.merging([name: 12, kSecReturnAttributes: true]) { $1 }).result as? [String: Any]
                #expect(found?[name as String] as? Int == 12)
                #expect(add(number.merging([name: Data([1])]) { $1 }) == errSecParam)
            }
            let generic: Words = [kSecClass: kSecClassGenericPassword, kSecAttrType: "Type Test", kSecAttrCreator: "Creator"]
            #expect(add(generic) == errSecSuccess)
            let found = find(generic.merging([kSecReturnAttributes: true]) { $1 }).result as? [String: Any]
            #expect(found?[kSecAttrType as String] as? String == "Type Test")
            #expect(found?[kSecAttrCreator as String] as? String == "Creator")
        }
    }

    @Test("37: a host finds its passwords and its subdomains', in any case of letters; other classes refuse it")
    func hosts() {
        onDevice {
            for server in ["example.org", "www.Example.org", "a.b.example.org", "badexample.org", "example.com"] {
                let item: Words = [kSecClass: kSecClassInternetPassword, kSecAttrServer: server, kSecAttrAccount: server]
                #expect(add(item) == errSecSuccess)
            }
            let query: Words = [kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: "EXAMPLE.org"]
            #expect(accounts(query) == ["example.org", "www.Example.org", "a.b.example.org"])
            let first = find(query.merging([kSecReturnAttributes: true]) { $1 }).result as? [String: Any]
            #expect(first?[kSecAttrServer as String] as? String == "example.org")
            #expect(find(query.merging([kSecClass: kSecClassGenericPassword]) { $1 }).status == errSecUnimplemented)
            #expect(find(query.merging([kSecMatchHostOrSubdomainOfHost: 1]) { $1 }).status == errSecParam)
            #expect(find(query.merging([kSecMatchHostOrSubdomainOfHost: ""]) { $1 }).status == errSecItemNotFound)
        }
    }

    @Test("29: an attribute of another class is refused", arguments: ["svce", "bsiz", "issr"])
    func foreignAttribute(name: String) {
        onDevice {
            let words: Words = [kSecClass: kSecClassInternetPassword, name as CFString: "x"]
            #expect(add(words) == errSecNoSuchAttr)
            #expect(find(words).status == errSecNoSuchAttr)
        }
    }

    // MARK: Keys as plain data

    @Test("4: a key item is told apart by its class, labels, type, sizes and dates; its bytes come back")
    func keyItems() {
        onDevice {
            let base: Words = [
                kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassSymmetric, kSecAttrApplicationTag: Data("tag".utf8),
                kSecAttrKeySizeInBits: 256, kSecValueData: Data(repeating: 7, count: 32),
            ]
            #expect(add(base) == errSecSuccess)
            #expect(add(base) == errSecDuplicateItem)
            #expect(add(base.merging([kSecAttrLabel: "other"]) { $1 }) == errSecDuplicateItem)
            for other in [
                [kSecAttrApplicationLabel: Data([1])], [kSecAttrApplicationTag: Data("other".utf8)], [kSecAttrKeySizeInBits: 128],
                [kSecAttrKeyClass: kSecAttrKeyClassPrivate],
            ] as [Words] { #expect(add(base.merging(other) { $1 }) == errSecSuccess, "\(other)") }
            let query: Words = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("other".utf8), kSecReturnData: true,
                kSecReturnAttributes: true,
            ]
            let found = find(query).result as? [String: Any]
            #expect(found?[kSecValueData as String] as? Data == Data(repeating: 7, count: 32))
            #expect(found?[kSecAttrKeyClass as String] as? Int == 2, "59: a key's class comes back as a number")
        }
    }

    @Test("4: two keys that differ in their creator, their effective size or one of their dates alone are two")
    func keyNames() {
        onDevice {
            let base: Words = [
                kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassSymmetric, kSecAttrApplicationTag: Data("tag".utf8),
                kSecValueData: Data(repeating: 7, count: 32),
            ]
            let day = Date(timeIntervalSinceReferenceDate: 86_400)
            #expect(add(base) == errSecSuccess)
            for (name, value) in [("crtr", 7), ("esiz", 128), ("sdat", day), ("edat", day)] as [(CFString, Any)] {
                let other = base.merging([name: value]) { $1 }
                #expect(add(other) == errSecSuccess, "\(name)")
                #expect(add(other) == errSecDuplicateItem, "\(name)")
            }
        }
    }

    // MARK: Certificates

    @Test("20, 3: a certificate's attributes come from its DER, and a second copy is a duplicate")
    func certificates() throws {
        try onDevice {
            let leaf = try #require(SecCertificateCreateWithData(nil, TestCertificate.leaf as CFData))
            #expect(add([kSecValueRef: leaf]) == errSecSuccess)
            #expect(add([kSecClass: kSecClassCertificate, kSecValueRef: leaf]) == errSecDuplicateItem)
            #expect(add([kSecClass: kSecClassCertificate, kSecValueData: TestCertificate.leaf]) == errSecDuplicateItem)
            let query: Words = [
                kSecClass: kSecClassCertificate, kSecAttrSerialNumber: Data([42]), kSecReturnAttributes: true,
                kSecReturnRef: true,
                kSecReturnData: true,
            ]
            let found = try #require(find(query).result as? [String: Any])
            #expect(found[kSecAttrLabel as String] as? String == "Ada Example")
            #expect(
                found[kSecAttrIssuer as String] as? Data == SecCertificateCopyNormalizedIssuerSequence(leaf).map { $0 as Data })
            #expect((found[kSecAttrPublicKeyHash as String] as? Data)?.count == 20)
            #expect(found[kSecAttrAccessible as String] as? String == "dk", "13: readable always")
            #expect(found[kSecValueRef as String] as? SecCertificate == leaf)
            #expect(found[kSecValueData as String] as? Data == TestCertificate.leaf)
            let bare = find([kSecClass: kSecClassCertificate, kSecReturnRef: true]).result
            #expect(bare as? SecCertificate == leaf, "48: one thing asked for comes bare")
            #expect(CFGetTypeID(bare) == SecCertificateGetTypeID())
        }
    }

    @Test("20: an object of another class than the dictionary says is refused, and so is data that isn't a certificate")
    func clash() throws {
        try onDevice {
            let leaf = try #require(SecCertificateCreateWithData(nil, TestCertificate.leaf as CFData))
            #expect(add([kSecClass: kSecClassGenericPassword, kSecValueRef: leaf]) == errSecParam)
            #expect(find([kSecClass: kSecClassKey, kSecValueRef: leaf]).status == errSecParam)
            #expect(add([kSecClass: kSecClassCertificate, kSecValueData: Data("no".utf8)]) == errSecParam)
            #expect(add([kSecClass: kSecClassCertificate]) == errSecParam)
            #expect(SecCertificateCreateWithData(nil, Data("no".utf8) as CFData) == nil)
        }
    }

    @Test("74: a certificate's object finds and removes its item and no other")
    func byObject() throws {
        try onDevice {
            let leaf = try #require(SecCertificateCreateWithData(nil, TestCertificate.leaf as CFData))
            let root = try #require(SecCertificateCreateWithData(nil, TestCertificate.root as CFData))
            #expect(add([kSecValueRef: leaf]) == errSecSuccess && add([kSecValueRef: root]) == errSecSuccess)
            #expect(SecItemDelete([kSecValueRef: leaf] as CFDictionary) == errSecSuccess)
            #expect(find([kSecValueRef: leaf]).status == errSecItemNotFound)
            #expect(find([kSecValueRef: root]).status == errSecSuccess)
        }
    }

    @Test("37, 38: certificates are found by an issuer up their chain, by address and by date; trust is not judged, so refused")
    func filters() throws {
        try onDevice {
            let leaf = try #require(SecCertificateCreateWithData(nil, TestCertificate.leaf as CFData))
            let root = try #require(SecCertificateCreateWithData(nil, TestCertificate.root as CFData))
            #expect(add([kSecValueRef: leaf]) == errSecSuccess && add([kSecValueRef: root]) == errSecSuccess)
            func found(_ words: Words) -> [SecCertificate]? {
                let all: Words = [kSecClass: kSecClassCertificate, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]
                return find(all.merging(words) { $1 }).result as? [SecCertificate]
            }
            let rootName = try #require(SecCertificateCopyNormalizedSubjectSequence(root)) as Data
            #expect(found([kSecMatchIssuers: [rootName]]) == [leaf, root])
            #expect(found([kSecMatchIssuers: NSArray(array: [NSData(data: rootName)])]) == [leaf, root])
            #expect(found([kSecMatchIssuers: [Data("nobody".utf8)]]) == nil)
            #expect(found([kSecMatchEmailAddressIfPresent: "ADA@example.com"]) == [leaf, root], "the root has no address at all")
            #expect(found([kSecMatchEmailAddressIfPresent: "bob@example.com"]) == [root])
            let before = try #require(SecCertificateCopyNotValidBeforeDate(leaf)) as Date
            let after = try #require(SecCertificateCopyNotValidAfterDate(leaf)) as Date
            #expect(found([kSecMatchValidOnDate: before.addingTimeInterval(60)]) == [leaf, root])
            #expect(found([kSecMatchValidOnDate: after.addingTimeInterval(60)]) == nil)
            let first: Words = [
                kSecClass: kSecClassCertificate, kSecReturnRef: true, kSecMatchValidOnDate: before.addingTimeInterval(60),
            ]
            #expect(find(first).result as? SecCertificate == leaf, "the limit counts what was accepted")
            #expect(find([kSecClass: kSecClassCertificate, kSecMatchTrustedOnly: true]).status == errSecUnimplemented)
            #expect(find([kSecClass: kSecClassCertificate, kSecMatchTrustedOnly: false]).status == errSecSuccess)
            #expect(find([kSecClass: kSecClassGenericPassword, kSecMatchIssuers: [rootName]]).status == errSecUnimplemented)
        }
    }

    // MARK: Identities

    @Test(
        "10, 21, 75: an identity is a private key joined with its certificate; it goes when either does, and removing it removes both"
    )
    func identities() throws {
        try onDevice {
            let leaf = try #require(SecCertificateCreateWithData(nil, TestCertificate.leaf as CFData))
            #expect(add([kSecValueRef: leaf]) == errSecSuccess)
            let identity: Words = [kSecClass: kSecClassIdentity, kSecReturnRef: true]
            #expect(find(identity).status == errSecItemNotFound, "a certificate alone is none")
            let attributes = find([kSecClass: kSecClassCertificate, kSecReturnAttributes: true]).result as? [String: Any]
            let hash = try #require(attributes?[kSecAttrPublicKeyHash as String] as? Data)
            let key: Words = [
                kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationLabel: hash,
                kSecAttrApplicationTag: Data("mine".utf8), kSecValueData: Data(repeating: 1, count: 97),
            ]
            #expect(add(key.merging([kSecAttrKeyClass: kSecAttrKeyClassPublic]) { $1 }) == errSecSuccess)
            #expect(find(identity).status == errSecItemNotFound, "a public key makes none")
            #expect(add(key) == errSecSuccess)

            let found = try #require(find(identity).result as? SecIdentity)
            var certificate: SecCertificate?
            #expect(SecIdentityCopyCertificate(found, &certificate) == errSecSuccess && certificate == leaf)
            let both = find([
                kSecClass: kSecClassIdentity, kSecReturnAttributes: true, kSecReturnData: true, kSecReturnPersistentRef: true,
            ])
            let all = try #require(both.result as? [String: Any])
            #expect(all[kSecAttrApplicationTag as String] as? Data == Data("mine".utf8))
            #expect(all[kSecAttrLabel as String] as? String == "Ada Example")
            #expect(all[kSecValueData as String] as? Data == TestCertificate.leaf, "never the private key")
            let reference = try #require(all[kSecValuePersistentRef as String] as? Data)
            #expect(find([kSecValuePersistentRef: reference, kSecReturnRef: true]).result as? SecIdentity == found)
            #expect(find(identity.merging([kSecAttrApplicationTag: Data("other".utf8)]) { $1 }).status == errSecItemNotFound)

            #expect(add([kSecClass: kSecClassIdentity, kSecValueData: Data()]) == errSecParam)
            #expect(
                SecItemUpdate(identity.filter { $0.key == kSecClass } as CFDictionary, [kSecAttrLabel: "x"] as CFDictionary)
                    == errSecUnimplemented)
            #expect(SecItemDelete([kSecClass: kSecClassIdentity] as CFDictionary) == errSecSuccess)
            #expect(find([kSecClass: kSecClassCertificate]).status == errSecItemNotFound)
            #expect(find(key.filter { $0.key != kSecValueData }).status == errSecItemNotFound)
        }
    }
}
