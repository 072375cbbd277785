import Foundation
import Security
import Testing
import ThumbAccess
import ThumbSecrets
import thumbturn_test_support

/// What the dictionaries of adding, changing and removing mean.
struct ItemReadingTests {
    func item(_ parts: [String: Any]) throws(KeychainFailure) -> NewItem {
        try NewItem(parts.merging(["class": "genp"]) { first, _ in first } as CFDictionary)
    }

    func change(_ parts: [String: Any]) throws(KeychainFailure) -> ItemChange {
        try ItemChange(parts as CFDictionary, to: .genericPassword)
    }

    func refusal(_ parts: [String: Any]) -> KeychainFailure? {
        failure { () throws(KeychainFailure) in try item(parts) }
    }

    func changeRefusal(_ parts: [String: Any]) -> KeychainFailure? {
        failure { () throws(KeychainFailure) in try change(parts) }
    }

    let guarded = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)!
    let plain = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)!

    @Test("13: the accessibility of passwords is when unlocked, of certificates and token items always")
    func defaults() throws {
        #expect(try item([:]).rule == AccessRule(.whenUnlocked))
        #expect(try item(["tkid": "token"]).rule == AccessRule(.always))
        #expect(try item(["class": "cert", "v_Data": TestCertificate.leaf]).rule == AccessRule(.always))
        #expect(try item(["pdmn": "ck"]).rule == AccessRule(.afterFirstUnlock))
        #expect(try item(["pdmn": "ck"]).attributes.isEmpty)
    }

    @Test("19: an item may have no data, which isn't empty data")
    func noData() throws {
        #expect(try item([:]).secret == nil)
        #expect(try item(["v_Data": Data()]).secret?.count == 0)
        #expect(try item(["v_Data": Data("s".utf8)]).secret == secret("s"))
    }

    @Test("32: the secret must be data, and no longer than a secret may be")
    func secrets() {
        #expect(refusal(["v_Data": "text"]) == .parameter)
        #expect(refusal(["v_Data": Data(count: QueryLimit.secretBytes + 1)]) == .dataTooLarge)
    }

    @Test("53, 54: a match key or a persistent reference is -50 when adding; so is a missing class")
    func addRefusals() {
        #expect(refusal(["m_Limit": "m_LimitOne"]) == .parameter)
        #expect(refusal(["v_PersistentRef": Data()]) == .parameter)
        #expect(refusal(["v_Ref": NSObject()]) == .parameter)
        #expect(failure { () throws(KeychainFailure) in try NewItem(["acct": "a"] as CFDictionary) } == .parameter)
    }

    @Test("44, 85: sync is kept as 0 or 1; either makes no sense, and neither does a guarded item that is synchronized")
    func sync() throws {
        #expect(try item(["sync": true]).attributes == [.synchronizable: .number(1)])
        #expect(try item(["sync": "0"]).attributes == [.synchronizable: .number(0)])
        #expect(refusal(["sync": kSecAttrSynchronizableAny]) == .parameter)
        #expect(refusal(["sync": true, "accc": guarded]) == .parameter)
        #expect(refusal(["sync": true, "accc": plain]) == nil)
        #expect(refusal(["sync": true, "pdmn": "aku"]) == nil)
    }

    @Test("84: an access control beside an accessibility is -50 unless both mean the same")
    func both() throws {
        #expect(refusal(["accc": guarded, "pdmn": "ak"]) == .parameter)
        #expect(refusal(["accc": plain, "pdmn": "ck"]) == .parameter)
        #expect(try item(["accc": plain, "pdmn": "ak"]).rule == AccessRule(.whenUnlocked))
        #expect(try item(["accc": guarded]).rule == AccessRule(.whenUnlocked, .userPresence))
        #expect(refusal(["accc": "ak"]) == .parameter)
        #expect(changeRefusal(["accc": guarded, "pdmn": "ak"]) == .parameter)
    }

    @Test("62: what to match or return is -50 in an update, returning false isn't")
    func updateQuery() {
        func refusal(_ parts: [String: Any]) -> KeychainFailure? {
            failure { () throws(KeychainFailure) in
                try Query(parts.merging(["class": "genp"]) { first, _ in first } as CFDictionary, for: .update)
            }
        }
        #expect(refusal(["m_Limit": "m_LimitAll"]) == .parameter)
        #expect(refusal(["r_Data": true]) == .parameter)
        #expect(refusal(["r_Data": false]) == nil)
    }

    @Test(
        "64: a change takes the class's attributes and data; everything else is -25303",
        arguments: [
            "class", "r_Data", "m_Limit", "v_Ref", "v_PersistentRef", "u_AuthUI", "nonsense", "srvr", "r_Nonsense",
        ])
    func changeKeys(_ key: String) {
        #expect(changeRefusal([key: "x"]) == .noSuchAttribute)
    }

    @Test("65: a change may set key attributes, group, sync, rule, label and data; bookkeeping is dropped")
    func changes() throws {
        let change = try change([
            "acct": "b", "agrp": "g", "sync": false, "labl": "l", "v_Data": Data("n".utf8), "accc": guarded, "musr": Data(),
        ])
        #expect(
            change.attributes == [
                .account: .text("b"), .group: .text("g"), .synchronizable: .number(0), .label: .text("l"),
            ])
        #expect(try change.rule == AccessRule(.whenUnlocked, .userPresence))
        #expect(try change.secret == secret("n"))
        #expect(changeRefusal(["v_Data": "text"]) == .parameter)
        #expect(changeRefusal(["acct": 1]) == .parameter)
    }

    @Test("68: an empty change is one")
    func emptyChange() throws {
        let change = try change([:])
        #expect(change.attributes.isEmpty && change.rule == nil && change.secret == nil)
    }

    @Test("69: synchronizing goes neither with constraints nor with this device only")
    func syncChange() {
        #expect(changeRefusal(["sync": true, "accc": guarded]) == .parameter)
        #expect(changeRefusal(["sync": true, "pdmn": "aku"]) == .parameter)
        #expect(changeRefusal(["sync": true, "pdmn": "ak"]) == nil)
    }

    @Test("65: an update by persistent reference knows the class from it")
    func updateByReference() throws {
        let keychain = FakeKeychain([found()])
        let query = ["v_PersistentRef": Data("genp0123456789abcdef".utf8)] as CFDictionary
        try ItemCalls(keychain).update(query, ["acct": "b"] as CFDictionary)
        #expect(keychain.seen.change?.attributes == [.account: .text("b")])
        let foreign = ["v_PersistentRef": Data("nonsense".utf8)] as CFDictionary
        #expect(failure { () throws(KeychainFailure) in try ItemCalls(keychain).update(foreign, [:]) } == .parameter)
    }

    @Test("72: deleting takes no match key, but 'all', which it means anyway; what to return is ignored")
    func deletion() throws {
        let keychain = FakeKeychain([found()])
        func delete(_ parts: [String: Any]) -> KeychainFailure? {
            failure { () throws(KeychainFailure) in
                try ItemCalls(keychain).delete(parts.merging(["class": "genp"]) { first, _ in first } as CFDictionary)
            }
        }
        #expect(delete(["m_Limit": "m_LimitOne"]) == .parameter)
        #expect(delete(["m_Limit": 1]) == .parameter)
        #expect(delete(["m_CaseInsensitive": true]) == .parameter)
        #expect(delete(["m_Limit": "m_LimitAll"]) == nil)
        #expect(keychain.seen.query?.limit == nil)
        #expect(delete(["r_Data": true, "v_Data": Data()]) == nil)
        #expect(keychain.seen.query?.shape == [])
    }

    func found() -> FoundItem {
        FoundItem(itemClass: .genericPassword, attributes: [:], rule: AccessRule(.whenUnlocked), persistentRef: [])
    }
}
