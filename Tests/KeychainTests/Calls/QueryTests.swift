import Foundation
import Security
import Testing
import ThumbturnSimulator
import thumbturn_test_support

extension OnDevice {
    /// What the keys of a query mean, and which of them mean nothing here.
    @Suite("Queries") struct QueryTests {
        @Test("35: what a search says of data and access control doesn't narrow it, and its accessibility does")
        func filters() async {
            await withDevice { device in
                #expect(Item(account: "plain").add([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == nil)
                #expect(Item(account: "guarded").add(.userPresence) == nil)
                let other: [Fields] = [
                    [kSecValueData: Data("another secret".utf8)],
                    [kSecAttrAccessControl: Item.control(.biometryCurrentSet, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)],
                ]
                for fields in other {
                    #expect(Item.search(fields) == .accounts(["plain", "guarded"]))
                    #expect(Item(account: "plain").secret(fields) == .ours)
                }
                #expect(Item.search([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == .accounts(["plain"]))
                #expect(Item.search([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) == .accounts(["guarded"]))
                let wrong: Fields = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly]
                #expect(Item.search(wrong) == .refused(errSecItemNotFound))
                #expect(Item(account: "plain").secret(wrong) == .refused(errSecItemNotFound))
                // Nor do they narrow a removal.
                for fields in other {
                    #expect(Item(account: "plain").delete(fields) == nil)
                    #expect(Item(account: "plain").add() == nil)
                }
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("36: unknown use keys have no effect, nor have match keys for other keychains, but those belong to searches alone")
        func withoutEffect() async throws {
            try await withDevice { _ in
                for account in ["one", "two"] { #expect(Item(account: account).add() == nil) }
                let unknown: Fields = [
                    "u_Whatever" as CFString: 1, kSecUseKeychain: "nobody's", "u_Credentials" as CFString: Data(),
                ]
                #expect(Item.search(unknown) == .accounts(["one", "two"]))
                #expect(Item(account: "three").add(unknown) == nil)
                #expect(Item(account: "three").update([kSecAttrLabel: "x"], unknown) == nil)
                #expect(Item(account: "three").attributes()?[kSecAttrLabel as String] as? String == "x")
                #expect(Item(account: "three").delete(unknown) == nil)
                // Each of these would find nothing, or more than is there, if it were heeded.
                let matches: [Fields] = [
                    [kSecMatchItemList: [Any]()], [kSecMatchSearchList: [Any]()], [kSecMatchSubjectContains: "nobody"],
                    [kSecMatchCaseInsensitive: true],
                ]
                for match in matches {
                    #expect(Item.search(match) == .accounts(["one", "two"]), "\(match)")
                    #expect(Item(account: "ONE").secret(match) == .refused(errSecItemNotFound))
                    #expect(Item(account: "new").add(match) == errSecParam, "\(match)")
                    #expect(Item().update([kSecAttrLabel: "x"], match) == errSecParam, "\(match)")
                    #expect(Item().delete(match) == errSecParam, "\(match)")
                }
                #expect(Item.search() == .accounts(["one", "two"]))
                #expect(Item().attributes()?[kSecAttrLabel as String] == nil)
                let leaf = try #require(SecCertificateCreateWithData(nil, TestCertificate.leaf as CFData))
                #expect(SecItemAdd([kSecValueRef: leaf] as Fields as CFDictionary, nil) == errSecSuccess)
                let subject: Fields = [kSecClass: kSecClassCertificate, kSecMatchSubjectContains: "nobody"]
                #expect(SecItemCopyMatching(subject as CFDictionary, nil) == errSecSuccess)
            }
        }

        @Test("39: a list of items to use is refused by every call, and nothing changes")
        func itemList() async {
            await withDevice { _ in
                #expect(Item().add() == nil)
                for list: Any in [[Any](), [Data([1])], "one"] {
                    let fields: Fields = [kSecUseItemList: list]
                    #expect(Item(account: "new").add(fields) == errSecParam)
                    #expect(Item().secret(fields) == .refused(errSecParam))
                    #expect(Item().update([kSecValueData: Data()], fields) == errSecParam)
                    #expect(Item().delete(fields) == errSecParam)
                }
                #expect(Item.search() == .accounts(["one"]))
                #expect(Item().secret() == .ours)
            }
        }

        @Test("40: the data protection keychain is the one that there is, whether a call asks for it or for the other one")
        func dataProtection() async {
            await withDevice { _ in
                for flag in [true, false] {
                    let (asked, other): (Fields, Fields) = (
                        [kSecUseDataProtectionKeychain: flag], [kSecUseDataProtectionKeychain: !flag]
                    )
                    #expect(Item().add(asked) == nil)
                    for fields in [[:], asked, other] {
                        #expect(Item().secret(fields) == .ours)
                        #expect(Item.search(fields) == .accounts(["one"]))
                        #expect(Item().add(fields) == errSecDuplicateItem)
                    }
                    #expect(Item().update([kSecAttrLabel: "\(flag)"], other) == nil)
                    #expect(Item().attributes(asked)?[kSecAttrLabel as String] as? String == "\(flag)")
                    #expect(Item().delete(other) == nil)
                    #expect(!Item().exists)
                }
            }
        }

        @Test("44: every call is about local items, unless it names synchronized ones or both; an item is one or the other")
        func synchronized() async {
            await withDevice { _ in
                let (synced, either): (Fields, Fields) = (
                    [kSecAttrSynchronizable: true], [kSecAttrSynchronizable: kSecAttrSynchronizableAny]
                )
                func labels() -> [String?] {
                    [[:], synced].map { Item().attributes($0)?[kSecAttrLabel as String] as? String }
                }
                let theirs = Data("synced".utf8)
                #expect(Item().add() == nil)
                #expect(Item().add([kSecAttrSynchronizable: true, kSecValueData: theirs]) == nil)
                #expect(Item(account: "two").add() == nil)
                #expect(Item(account: "three").add(synced) == nil)
                #expect(Item(account: "four").add(either) == errSecParam)

                #expect(Item.search() == .accounts(["one", "two"]))
                #expect(Item.search([kSecAttrSynchronizable: false]) == .accounts(["one", "two"]))
                #expect(Item.search(synced) == .accounts(["one", "three"]))
                #expect(Item.search(either) == .accounts(["one", "one", "two", "three"]))
                #expect(Item().secret() == .ours && Item().secret(synced) == .released(theirs))
                #expect(Item(account: "three").secret() == .refused(errSecItemNotFound))

                for (name, fields, expected) in [
                    ("local", [:], ["local", nil]), ("synced", synced, ["local", "synced"]), ("both", either, ["both", "both"]),
                ] as [(String, Fields, [String?])] {
                    #expect(Item().update([kSecAttrLabel: name], fields) == nil)
                    #expect(labels() == expected, "\(name)")
                }
                #expect(Item().update(either) == errSecParam)

                #expect(Item(account: "three").delete() == errSecItemNotFound)
                #expect(Item().delete(synced) == nil)
                #expect(Item.search(either) == .accounts(["one", "two", "three"]))
                #expect(Item().secret() == .ours)
                #expect(Item(account: "three").delete(either) == nil)
                #expect(Item.search(synced) == .refused(errSecItemNotFound))
            }
        }

        // MARK: Persistent references

        private func reference(to item: Item, _ fields: Fields = [:]) throws -> Data {
            let wanted: Fields = [kSecReturnData: false, kSecReturnPersistentRef: true]
            return try #require(item.read(wanted.merging(fields) { $1 }).result as? Data)
        }

        private func secret(_ query: Fields) -> Release {
            var result: AnyObject?
            let status = SecItemCopyMatching(query.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result)
            return status == errSecSuccess ? .released(result as? Data) : .refused(status)
        }

        @Test("45: a persistent reference finds its item, synchronized or not, whatever the query says of that")
        func ignoresSync() async throws {
            try await withDevice { _ in
                let filters: [Fields] = [
                    [:], [kSecAttrSynchronizable: false], [kSecAttrSynchronizable: true],
                    [kSecAttrSynchronizable: kSecAttrSynchronizableAny],
                ]
                for isSynced in [false, true] {
                    let sync: Fields = [kSecAttrSynchronizable: isSynced]
                    for (number, filter) in filters.enumerated() {
                        #expect(Item().add(sync) == nil)
                        let query = filter.merging([kSecValuePersistentRef: try reference(to: Item(), sync)]) { $1 }
                        #expect(secret(query) == .ours, "\(isSynced) \(filter)")
                        let change: Fields = [kSecAttrLabel: "\(number)"]
                        #expect(SecItemUpdate(query as CFDictionary, change as CFDictionary) == errSecSuccess)
                        #expect(Item().attributes(sync)?[kSecAttrLabel as String] as? String == "\(number)")
                        #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
                        #expect(Item().secret(sync) == .refused(errSecItemNotFound))
                    }
                }
            }
        }

        @Test("46: a persistent reference needs no class; with another class it finds nothing, with an attribute it is refused")
        func goesAlone() async throws {
            try await withDevice { _ in
                #expect(Item().add() == nil)
                let alone: Fields = [kSecValuePersistentRef: try reference(to: Item())]
                let change = [kSecAttrLabel: "changed"] as Fields as CFDictionary
                // What is said here is true of the item, and still too much.
                let attributes: [CFString: Any] = [
                    kSecAttrAccount: "one", kSecAttrService: "tests", kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
                ]
                for (name, value) in attributes {
                    for query in [alone, alone.merging([kSecClass: kSecClassGenericPassword]) { $1 }] {
                        let narrowed = query.merging([name: value]) { $1 }
                        #expect(secret(narrowed) == .refused(errSecParam), "\(name)")
                        #expect(SecItemUpdate(narrowed as CFDictionary, change) == errSecParam, "\(name)")
                        #expect(SecItemDelete(narrowed as CFDictionary) == errSecParam, "\(name)")
                    }
                }
                let wrong = alone.merging([kSecClass: kSecClassInternetPassword]) { $1 }
                #expect(secret(wrong) == .refused(errSecItemNotFound))
                #expect(SecItemUpdate(wrong as CFDictionary, change) == errSecItemNotFound)
                #expect(SecItemDelete(wrong as CFDictionary) == errSecItemNotFound)
                #expect(Item().attributes()?[kSecAttrLabel as String] == nil)

                #expect(secret(alone.merging([kSecClass: kSecClassGenericPassword]) { $1 }) == .ours)
                #expect(secret(alone) == .ours)
                #expect(SecItemUpdate(alone as CFDictionary, change) == errSecSuccess)
                #expect(Item().attributes()?[kSecAttrLabel as String] as? String == "changed")
                #expect(SecItemDelete(alone as CFDictionary) == errSecSuccess)
                #expect(!Item().exists)
            }
        }
    }
}
