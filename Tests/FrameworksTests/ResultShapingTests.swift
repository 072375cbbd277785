import Foundation
import Security
import Testing
import ThumbAccess

/// The shapes in which matches come back (behaviours 47 to 59).
struct ResultShapingTests {
    let rule = try! AccessRule(.whenUnlockedThisDeviceOnly, .biometryAny)

    func item(_ text: String? = "s3cret") throws -> FoundItem {
        FoundItem(
            itemClass: .genericPassword,
            attributes: [
                .account: .data([1, 2]), .service: .text("svc"), .created: .date(1000), .synchronizable: .number(0),
                .invisible: .flag(true), .type: .number(73),
            ],
            rule: rule, persistentRef: Array("genp-ref".utf8), secret: try text.map { try secret($0) })
    }

    func find(_ items: [FoundItem], _ parts: [String: Any]) throws -> AnyObject? {
        try ItemCalls(FakeKeychain(items)).copyMatching(
            parts.merging(["class": "genp"]) { first, _ in first } as CFDictionary, isWanted: true)
    }

    @Test("47: nothing to return is nothing")
    func none() throws {
        #expect(try find([item()], [:]) == nil)
        #expect(try find([item()], ["r_Data": false]) == nil)
    }

    @Test("48: one thing comes bare")
    func bare() throws {
        #expect(try find([item()], ["r_Data": true]) as? Data == Data("s3cret".utf8))
        #expect(try find([item()], ["r_PersistentRef": true]) as? Data == Data("genp-ref".utf8))
        #expect(try find([item()], ["r_Attributes": true]) as? [String: Any] != nil)
    }

    @Test("49: several come in one dictionary, attributes flat beside them")
    func several() throws {
        let all = try find([item()], ["r_Data": true, "r_Attributes": true, "r_PersistentRef": true])
        let found = try #require(all as? [String: Any])
        #expect(found[kSecValueData as String] as? Data == Data("s3cret".utf8))
        #expect(found[kSecValuePersistentRef as String] as? Data == Data("genp-ref".utf8))
        #expect(found[kSecAttrPersistentReference as String] as? Data == Data("genp-ref".utf8))
        #expect(found[kSecAttrService as String] as? String == "svc")
    }

    @Test("50: all and numbers other than 1 give an array, none and 1 an object, 0 nothing")
    func limits() throws {
        let items = [try item("a"), try item("b")]
        #expect(try find(items, ["r_Data": true, "m_Limit": kSecMatchLimitAll]) as? [Data] == [Data("a".utf8), Data("b".utf8)])
        #expect(try find([items[0]], ["r_Data": true, "m_Limit": kSecMatchLimitAll]) as? [Data] == [Data("a".utf8)])
        #expect(try find([items[0]], ["r_Data": true, "m_Limit": 2]) as? [Data] == [Data("a".utf8)])
        #expect(try find([items[0]], ["r_Data": true, "m_Limit": 1]) as? Data == Data("a".utf8))
        #expect(throws: KeychainFailure.itemNotFound) { try find(items, ["r_Data": true, "m_Limit": 0]) }
    }

    @Test("51: nothing matched is -25300, never an empty array")
    func nothing() {
        #expect(throws: KeychainFailure.itemNotFound) { try find([], ["r_Data": true, "m_Limit": kSecMatchLimitAll]) }
    }

    @Test("52: something to return and nowhere to put it is -50; neither is a check for existence")
    func nowhere() throws {
        let calls = ItemCalls(FakeKeychain([try item()]))
        let wanted = ["class": "genp", "r_Data": true] as CFDictionary
        #expect(failure { () throws(KeychainFailure) in try calls.copyMatching(wanted, isWanted: false) } == .parameter)
        #expect(failure { () throws(KeychainFailure) in try calls.copyMatching(["class": "genp"], isWanted: false) } == nil)
    }

    @Test("53: adding returns nothing unless asked")
    func adding() throws {
        let calls = ItemCalls(FakeKeychain())
        let plain: [String: Any] = ["class": "genp", "acct": "a", "v_Data": Data("x".utf8)]
        #expect(try calls.add(plain as CFDictionary) == nil)
        #expect(try calls.add(plain.merging(["r_Data": true]) { $1 } as CFDictionary) as? Data == Data("x".utf8))
        let added = try calls.add(plain.merging(["r_Attributes": true]) { $1 } as CFDictionary) as? [String: Any]
        #expect(added?["acct"] as? String == "a")
    }

    @Test("55: a reference to a password is nothing; beside attributes it still makes a dictionary, with the class in it")
    func references() throws {
        #expect(try find([item()], ["r_Ref": true]) == nil)
        let found = try find([item()], ["r_Ref": true, "r_Data": true]) as? [String: Any]
        #expect(found?["class"] as? String == "genp")
        #expect(found?["v_Data"] as? Data == Data("s3cret".utf8))
    }

    @Test("56: the data of all matches comes in an array of dictionaries with the rest")
    func allData() throws {
        let found = try find([item("a"), item(nil)], ["r_Data": true, "r_Attributes": true, "m_Limit": kSecMatchLimitAll])
        let list = try #require(found as? [[String: Any]])
        #expect(list.map { $0["v_Data"] as? Data } == [Data("a".utf8), nil])
    }

    @Test("57: without data, data alone is success with nothing, and in a dictionary it is absent")
    func noData() throws {
        #expect(try find([item(nil)], ["r_Data": true]) == nil)
        #expect(try find([item(nil)], ["r_Data": true, "m_Limit": kSecMatchLimitAll]) == nil)
        let found = try find([item(nil)], ["r_Data": true, "r_Attributes": true]) as? [String: Any]
        #expect(found != nil && found?["v_Data"] == nil)
        #expect(try find([item("")], ["r_Data": true]) as? Data == Data())
    }

    @Test("58: the attributes have the access control and the accessibility, and can be handed back as a query")
    func rules() throws {
        let found = try #require(try find([item()], ["r_Attributes": true]) as? [String: Any])
        #expect(found[kSecAttrAccessible as String] as? String == "aku")
        let control = found[kSecAttrAccessControl as String] as! SecAccessControl
        #expect(control == SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryAny, nil))
        var plain = try item()
        plain.rule = AccessRule(.whenUnlocked)
        var back = try #require(try find([plain], ["r_Attributes": true]) as? [String: Any])
        back["class"] = "genp"
        #expect(failure { () throws(KeychainFailure) in try Query(back as CFDictionary, for: .copyMatching) } == nil)
    }

    @Test("59: Booleans come as 0 and 1, numbers as numbers, text and data as stored, dates as dates")
    func types() throws {
        let found = try #require(try find([item()], ["r_Attributes": true]) as? [String: Any])
        #expect(found["invi"] as? Int == 1 && found["invi"] as? Bool == true)
        #expect(found["sync"] as? NSNumber == 0)
        #expect(found["type"] as? Int == 73)
        #expect(found["acct"] as? Data == Data([1, 2]) && found["acct"] as? String == nil)
        #expect(found["svce"] as? String == "svc" && found["svce"] as? Data == nil)
        #expect(found["cdat"] as? Date == Date(timeIntervalSinceReferenceDate: 1000))
    }
}
