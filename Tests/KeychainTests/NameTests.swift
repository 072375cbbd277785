import Foundation
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// What tells two items apart, and what an item has that its author didn't give it.
    @Suite("Names and defaults") struct NameTests {
        private func attributes(_ fields: Fields = [:]) throws -> [String: Any] {
            let wanted: Fields = [kSecReturnData: false, kSecReturnAttributes: true]
            return try #require(Item().read(wanted.merging(fields) { $1 }).result as? [String: Any])
        }

        @Test("1: account and service together tell generic passwords apart, each by itself")
        func passwords() async {
            await withDevice { _ in
                #expect(Item().add() == nil)
                #expect(Item().add([kSecAttrAccount: "two"]) == nil)
                #expect(Item().add([kSecAttrService: "others"]) == nil)
                for again: Fields in [[:], [kSecAttrAccount: "two"], [kSecAttrService: "others"]] {
                    #expect(Item().add(again) == errSecDuplicateItem)
                }
            }
        }

        @Test("5, 14: an item that is synchronized is another than the local one, and an item is local unless it says so")
        func synchronized() async throws {
            try await withDevice { _ in
                #expect(Item().add() == nil)
                let found = try attributes()
                #expect(found[kSecAttrSynchronizable as String] as? Int == 0)
                #expect(Item().add([kSecAttrSynchronizable: false]) == errSecDuplicateItem)
                #expect(Item().add([kSecAttrSynchronizable: true, kSecValueData: Data("synced".utf8)]) == nil)
                #expect(Item().secret() == .ours)
                #expect(Item().secret([kSecAttrSynchronizable: true]) == .released(Data("synced".utf8)))
            }
        }

        @Test("69: synchronizable goes with a class of this device alone when it is added, and not when a change says both")
        func synchronizedHere() async throws {
            try await withDevice { _ in
                let codes = ["aku", "cku", "dku", "akpu"]
                for code in codes {
                    let item = Item(account: code)
                    let both: Fields = [kSecAttrSynchronizable: true, kSecAttrAccessible: code]
                    #expect(item.add(both) == nil, "\(code)")
                    #expect(item.add(both) == errSecDuplicateItem, "\(code)")
                    #expect(item.secret() == .refused(errSecItemNotFound))
                    #expect(item.secret([kSecAttrSynchronizable: true]) == .ours)
                    #expect(item.update(both, [kSecAttrSynchronizable: true]) == errSecParam, "\(code)")
                }
                let all: Fields = [kSecAttrSynchronizable: true, kSecAttrAccount: "aku"]
                let found = try attributes(all)
                #expect(found[kSecAttrAccessible as String] as? String == "aku")
                #expect(found[kSecAttrSynchronizable as String] as? Int == 1)
                // With something that the owner must show it is refused either way.
                #expect(Item().add(.userPresence, "aku" as NSString, [kSecAttrSynchronizable: true]) == errSecParam)
            }
        }

        @Test(
            "6: nothing else tells them apart",
            arguments: ["labl", "gena", "desc", "icmt", "type", "crtr", "pdmn", "cdat", "mdat", "v_Data"])
        func rest(name: String) async {
            let values: [String: Any] = [
                "labl": "l", "gena": Data("g".utf8), "desc": "d", "icmt": "c", "type": 7, "crtr": 8, "pdmn": "dk",
                "cdat": Date(timeIntervalSinceReferenceDate: 1), "mdat": Date(timeIntervalSinceReferenceDate: 1),
                "v_Data": Data("other".utf8),
            ]
            await withDevice { _ in
                #expect(Item().add() == nil)
                #expect(Item().add([name as CFString: values[name] as Any]) == errSecDuplicateItem)
                #expect(Item().add(.userPresence, kSecAttrAccessibleWhenUnlocked) == errSecDuplicateItem)
            }
        }

        @Test("6: a search by what doesn't name an item can miss the one that an addition then meets")
        func generic() async {
            await withDevice { _ in
                #expect(Item().add([kSecAttrGeneric: Data("first".utf8)]) == nil)
                let other: Fields = [kSecAttrGeneric: Data("second".utf8)]
                #expect(Item().secret(other) == .refused(errSecItemNotFound))
                #expect(Item().add(other) == errSecDuplicateItem)
            }
        }

        @Test("15: an added item has today's dates, whatever its author wrote")
        func dates() async throws {
            try await withDevice { device in
                let old = Date(timeIntervalSinceReferenceDate: 0)
                #expect(Item().add([kSecAttrCreationDate: old, kSecAttrModificationDate: old]) == nil)
                let found = try attributes()
                let created = try #require(found[kSecAttrCreationDate as String] as? Date)
                // The simulated clock stands in 2026, and stands still.
                #expect(created > Date(timeIntervalSinceReferenceDate: 788_000_000))
                #expect(found[kSecAttrModificationDate as String] as? Date == created)
                device.advance(by: 60)
                #expect(Item(account: "later").add() == nil)
                let later = Item(account: "later").read([kSecReturnData: false, kSecReturnAttributes: true]).result
                let next = (later as? [String: Any])?[kSecAttrCreationDate as String] as? Date
                #expect(next == created.addingTimeInterval(60))
            }
        }

        @Test("17: no view hint and no token are the same as empty ones")
        func emptyNames() async {
            await withDevice { _ in
                #expect(Item().add() == nil)
                #expect(Item().add([kSecAttrSyncViewHint: ""]) == errSecDuplicateItem)
                #expect(Item().add([kSecAttrTokenID: ""]) == errSecDuplicateItem)
                #expect(Item().add([kSecAttrSyncViewHint: "view"]) == nil)
                #expect(Item().add([kSecAttrSyncViewHint: "view"]) == errSecDuplicateItem)
            }
        }

        @Test("18: a password has no label that nobody gave it")
        func label() async throws {
            try await withDevice { _ in
                #expect(Item().add() == nil)
                let found = try attributes()
                #expect(found[kSecAttrLabel as String] == nil)
            }
        }

        @Test("9: a name that a dead item has is free, whether or not anybody saw it die; a living one's isn't")
        func dead() async {
            await withDevice { device in
                for account in ["seen", "unseen", "alive"] {
                    let flags: SecAccessControlCreateFlags = account == "alive" ? .biometryAny : .biometryCurrentSet
                    #expect(Item(account: account).add(flags) == nil)
                }
                #expect(Item(account: "unseen").add() == errSecDuplicateItem)
                device.enroll("another")
                #expect(Item(account: "seen").secret() == .refused(errSecItemNotFound))
                #expect(!Item(account: "seen").exists, "what can't be read isn't there for a check either")
                #expect(Item(account: "seen").update([kSecAttrLabel: "x"]) == errSecItemNotFound)
                let new = Data("new".utf8)
                for account in ["seen", "unseen"] {
                    #expect(Item(account: account).add([kSecValueData: new]) == nil)
                    #expect(Item(account: account).secret() == .released(new))
                }
                #expect(Item(account: "alive").add() == errSecDuplicateItem)
                #expect(device.prompts.isEmpty, "whether a name is taken is nothing to ask the owner about")
            }
        }

        @Test("9: where it can't be told whether an item is dead, it keeps its name")
        func unknown() async {
            await withDevice { device in
                #expect(Item().add(.biometryCurrentSet) == nil)
                device.removeEnrolment("me")
                #expect(Item().add() == errSecDuplicateItem)
                #expect(Item().exists)
            }
        }

        @Test("104: a dead item doesn't stand in a living one's place, and can be removed")
        func place() async {
            await withDevice { device in
                #expect(Item(account: "a").add(.biometryCurrentSet) == nil)
                #expect(Item(account: "b").add() == nil)
                device.enroll("another")
                #expect(Item(account: "a").secret() == .refused(errSecItemNotFound))
                let any: Fields = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
                var result: AnyObject?
                #expect(SecItemCopyMatching(any as CFDictionary, &result) == errSecSuccess)
                #expect(result as? Data == Item.secret)
                #expect(Item(account: "a").delete() == nil)
                #expect(Item(account: "a").delete() == errSecItemNotFound)
            }
        }
    }
}
