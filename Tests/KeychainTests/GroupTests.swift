import Foundation
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// Which program sees which items.
    @Suite("Access groups") struct GroupTests {
        /// Lets the process be a program with these groups from its next call on.
        private func become(_ groups: [String], _ device: SimulatedDevice) {
            device.accessGroups = groups
            device.install()
        }

        private func group(of item: Item) -> String? {
            let found = item.read([kSecReturnData: false, kSecReturnAttributes: true]).result as? [String: Any]
            return found?[kSecAttrAccessGroup as String] as? String
        }

        @Test("12: an item that names no group goes to its program's first; the tokens' group is never that")
        func first() async {
            await withDevice { device in
                become(["shared", "own"], device)
                #expect(Item().add() == nil)
                #expect(group(of: Item()) == "shared")
                device.bundleIdentifier = "org.example.app"
                device.install()
                #expect(Item(account: "two").add() == nil)
                #expect(group(of: Item(account: "two")) == "org.example.app")
                device.bundleIdentifier = nil
                become(["com.apple.token", "own"], device)
                #expect(Item(account: "three").add() == nil)
                #expect(group(of: Item(account: "three")) == "own")
            }
        }

        @Test("5: the same name in another group is another item")
        func perGroup() async {
            await withDevice { device in
                become(["a", "b"], device)
                #expect(Item().add([kSecAttrAccessGroup: "a"]) == nil)
                #expect(Item().add([kSecAttrAccessGroup: "b"]) == nil)
                #expect(Item().add([kSecAttrAccessGroup: "b"]) == errSecDuplicateItem)
                #expect(Item().update([kSecAttrAccessGroup: "b"], [kSecAttrAccessGroup: "a"]) == errSecDuplicateItem)
            }
        }

        @Test("22: a program without any group may do nothing")
        func none() async {
            await withDevice { device in
                become([], device)
                #expect(Item().add() == errSecMissingEntitlement)
                #expect(Item().read().failure == errSecMissingEntitlement)
                #expect(Item().update([kSecAttrLabel: "x"]) == errSecMissingEntitlement)
                #expect(Item().delete() == errSecMissingEntitlement)
                let identity: Fields = [kSecClass: kSecClassIdentity]
                #expect(SecItemCopyMatching(identity as CFDictionary, nil) == errSecMissingEntitlement)
            }
        }

        @Test("24: a search that names no group looks in all of its program's, and in no other")
        func all() async {
            await withDevice { device in
                become(["a", "b", "c"], device)
                for group in ["a", "b", "c"] { #expect(Item(account: group).add([kSecAttrAccessGroup: group]) == nil) }
                become(["c", "a"], device)
                #expect(Item(account: "a").secret() == .ours && Item(account: "c").secret() == .ours)
                #expect(Item(account: "b").secret() == .refused(errSecItemNotFound))
                #expect(Item(account: "c").secret([kSecAttrAccessGroup: "a"]) == .refused(errSecItemNotFound))
            }
        }

        @Test("23: an item may be moved to another group of its program's, and to no other")
        func moved() async {
            await withDevice { device in
                become(["a", "b"], device)
                #expect(Item().add() == nil)
                #expect(Item().update([kSecAttrAccessGroup: "foreign"]) == errSecMissingEntitlement)
                #expect(Item().update([kSecAttrAccessGroup: "b"]) == nil)
                #expect(group(of: Item()) == "b")
                #expect(Item().secret() == .ours)
            }
        }

        @Test("25: a star is a name like any other: a program can call itself that, and sees nothing more")
        func star() async {
            await withDevice { device in
                become(["own"], device)
                #expect(Item().add() == nil)
                become(["*"], device)
                #expect(Item().secret() == .refused(errSecItemNotFound))
                #expect(Item().secret([kSecAttrAccessGroup: "own"]) == .refused(errSecMissingEntitlement))
            }
        }

        @Test("26: everybody may look into the tokens' group, where nothing is; nobody may write there, whatever it is called")
        func tokens() async {
            await withDevice { device in
                let token: Fields = [kSecAttrAccessGroup: kSecAttrAccessGroupToken]
                for groups in [["own"], ["com.apple.token"]] {
                    become(groups, device)
                    #expect(Item().read(token).failure == errSecItemNotFound)
                    let identity: Fields = [kSecClass: kSecClassIdentity, kSecAttrAccessGroup: kSecAttrAccessGroupToken]
                    #expect(SecItemCopyMatching(identity as CFDictionary, nil) == errSecItemNotFound)
                    #expect(Item().add(token) == errSecMissingEntitlement)
                    #expect(Item().delete(token) == errSecMissingEntitlement)
                }
                #expect(Item().add() == errSecMissingEntitlement, "the last program has no group of its own")
                become(["own"], device)
                #expect(Item().add() == nil)
                #expect(Item().update([kSecAttrAccessGroup: kSecAttrAccessGroupToken]) == errSecMissingEntitlement)
            }
        }

        @Test("113: a persistent reference opens nothing for a program without the item's group")
        func references() async throws {
            try await withDevice { device in
                become(["own"], device)
                #expect(Item().add() == nil)
                let wanted: Fields = [kSecReturnData: false, kSecReturnPersistentRef: true]
                let reference = try #require(Item().read(wanted).result as? Data)
                let query: Fields = [kSecValuePersistentRef: reference]
                #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
                become(["foreign"], device)
                #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecItemNotFound)
                #expect(SecItemUpdate(query as CFDictionary, [kSecAttrLabel: "x"] as CFDictionary) == errSecItemNotFound)
                #expect(SecItemDelete(query as CFDictionary) == errSecItemNotFound)
                become(["own"], device)
                #expect(Item().secret() == .ours)
            }
        }

        @Test("111: a persistent reference is four letters for the class and sixteen bytes; the older, shorter form is refused")
        func form() async throws {
            try await withDevice { _ in
                #expect(Item().add() == nil)
                let wanted: Fields = [kSecReturnData: false, kSecReturnPersistentRef: true]
                let reference = try #require(Item().read(wanted).result as? Data)
                #expect(reference.count == 20 && reference.prefix(4) == Data("genp".utf8))
                let older: Fields = [kSecValuePersistentRef: Data("genp".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1])]
                #expect(SecItemCopyMatching(older as CFDictionary, nil) == errSecParam)
                let token: Fields = [kSecValuePersistentRef: Data("tkpr".utf8) + reference.dropFirst(4)]
                #expect(SecItemCopyMatching(token as CFDictionary, nil) == errSecParam)
            }
        }

        @Test("187: no program is restricted as an App Clip is: each may use its groups and synchronized items")
        func clips() async {
            await withDevice { device in
                become(["own", "shared"], device)
                let item: Fields = [kSecAttrAccessGroup: "shared", kSecAttrSynchronizable: true]
                #expect(Item().add(item) == nil)
                #expect(Item().secret(item) == .ours)
            }
        }
    }
}
