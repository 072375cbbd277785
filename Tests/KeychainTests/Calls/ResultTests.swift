import Foundation
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// The shape in which matches come, their order, and the types of what is in them.
    @Suite("Results") struct ResultTests {
        private func lookUp(_ fields: Fields) -> (status: OSStatus, result: AnyObject?) {
            var result: AnyObject? = NSString(string: Item.untouched)
            let status = SecItemCopyMatching(fields as CFDictionary, &result)
            return (status, result)
        }

        private let passwords: Fields = [kSecClass: kSecClassGenericPassword, kSecAttrService: "tests"]
        private let all: Fields = [kSecMatchLimit: kSecMatchLimitAll]

        /// Finds these tests' passwords.
        private func find(_ parts: Fields...) -> (status: OSStatus, result: AnyObject?) {
            lookUp(parts.reduce(passwords) { $0.merging($1) { $1 } })
        }

        @Test("55: a password has no ref: asked for alone it is nothing, and beside something else a dictionary without it")
        func refs() async throws {
            try await withDevice { device in
                #expect(Item().add() == nil)
                #expect(Item(account: "guarded").add(.userPresence) == nil)
                for several in [[:], all] {
                    let alone = find(several, [kSecReturnRef: true])
                    #expect(alone.status == errSecSuccess && alone.result == nil)
                }
                let first = try #require(find([kSecReturnRef: true, kSecReturnAttributes: true]).result as? [String: Any])
                #expect(first[kSecAttrAccount as String] as? String == "one")
                #expect(first[kSecClass as String] as? String == kSecClassGenericPassword as String)
                let list = find(all, [kSecReturnRef: true, kSecReturnPersistentRef: true]).result as? [[String: Any]]
                #expect(list?.count == 2)
                for found in [first] + (list ?? []) { #expect(found[kSecValueRef as String] == nil) }
                let data = find([kSecReturnRef: true, kSecReturnData: true]).result as? [String: Any]
                #expect(data?[kSecValueData as String] as? Data == Item.secret && data?[kSecValueRef as String] == nil)
                #expect(device.prompts.isEmpty, "wanting a ref of a password opens nothing")
            }
        }

        @Test("56: the data of all matches comes in one array, bare or each beside the rest; what has no data is left out of it")
        func allData() async {
            await withDevice { device in
                let secrets = ["one", "two", "three"].map { (account: $0, data: Data($0.utf8)) }
                for (account, data) in secrets { #expect(Item(account: account).add([kSecValueData: data]) == nil) }
                let bare = find(all, [kSecReturnData: true])
                #expect(bare.status == errSecSuccess && bare.result as? [Data] == secrets.map(\.data))
                #expect(find([kSecMatchLimit: 2, kSecReturnData: true]).result as? [Data] == [secrets[0].data, secrets[1].data])
                #expect(
                    SecItemAdd(passwords.merging([kSecAttrAccount: "empty"]) { $1 } as CFDictionary, nil) == errSecSuccess)
                #expect(Item(account: "guarded").add(.userPresence) == nil)
                device.answer(.match, .match)
                #expect(find(all, [kSecReturnData: true]).result as? [Data] == secrets.map(\.data) + [Item.secret])
                let full = find(all, [kSecReturnData: true, kSecReturnAttributes: true]).result as? [[String: Any]]
                #expect(full?.map { $0[kSecAttrAccount as String] as? String } == ["one", "two", "three", "empty", "guarded"])
                #expect(full?.map { $0[kSecValueData as String] as? Data } == secrets.map { $0.data } + [nil, Item.secret])
                #expect(device.prompts.count == 2)
            }
        }

        @Test("58: the attributes are what was given and what the keychain added; as a query they find that item and no other")
        func attributes() async throws {
            try await withDevice { device in
                device.accessGroups = ["own"]
                device.install()
                let label: Fields = [kSecAttrLabel: "same", kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]
                for account in ["one", "two"] { #expect(Item(account: account).add(label) == nil) }
                let control = Item.control(.biometryAny, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
                #expect(Item(account: "guarded").add([kSecAttrAccessControl: control]) == nil)

                var one = try #require(Item().attributes())
                let texts = [
                    (kSecAttrAccount, "one"), (kSecAttrService, "tests"), (kSecAttrLabel, "same"), (kSecAttrAccessGroup, "own"),
                    (kSecAttrAccessible, "ck"),
                ]
                for (name, text) in texts { #expect(one[name as String] as? String == text, "\(name)") }
                #expect(one[kSecAttrSynchronizable as String] as? Int == 0)
                #expect(one[kSecAttrCreationDate as String] is Date && one[kSecAttrModificationDate as String] is Date)
                let plain = Item.control([], kSecAttrAccessibleAfterFirstUnlock)
                #expect(one[kSecAttrAccessControl as String] as? SecAccessControl == plain)
                #expect(one[kSecValueData as String] == nil && one[kSecValuePersistentRef as String] == nil)

                let guarded = try #require(Item(account: "guarded").attributes())
                #expect(guarded[kSecAttrAccessControl as String] as? SecAccessControl == control)
                #expect(guarded[kSecAttrAccessible as String] as? String == "aku")

                let more = try #require(Item().attributes([kSecReturnPersistentRef: true]))
                #expect(more[kSecValuePersistentRef as String] as? Data == more[kSecAttrPersistentReference as String] as? Data)
                #expect(more.count == one.count + 2)

                one[kSecClass as String] = kSecClassGenericPassword
                one[kSecMatchLimit as String] = kSecMatchLimitAll
                one[kSecReturnAttributes as String] = true
                var result: AnyObject?
                #expect(SecItemCopyMatching(one as CFDictionary, &result) == errSecSuccess)
                let again = try #require(result as? [[String: Any]])
                #expect(again.map { $0[kSecAttrAccount as String] as? String } == ["one"])
                // Each of them narrows: with another value in its place nothing is found.
                for name in [kSecAttrLabel, kSecAttrAccount, kSecAttrService] {
                    var wrong = one
                    wrong[name as String] = "another"
                    wrong[kSecReturnAttributes as String] = nil
                    #expect(SecItemCopyMatching(wrong as CFDictionary, nil) == errSecItemNotFound, "\(name)")
                }
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("59: text and data come back as they were given, Booleans and numbers as numbers, dates as dates")
        func types() async throws {
            try await withDevice { _ in
                let date = Date(timeIntervalSinceReferenceDate: 1234.5)
                let given: Fields = [
                    kSecAttrAccount: Data([1, 2]), kSecAttrLabel: "label", kSecAttrGeneric: Data("generic".utf8),
                    kSecAttrDescription: "text", kSecAttrIsInvisible: true, kSecAttrIsNegative: false, kSecAttrType: 73,
                    kSecAttrCreator: "7",
                ]
                #expect(SecItemAdd(passwords.merging(given) { $1 } as CFDictionary, nil) == errSecSuccess)
                let named = [kSecAttrAccount: Data([1, 2])] as Fields
                let change = [kSecAttrCreationDate: date] as Fields as CFDictionary
                #expect(SecItemUpdate(passwords.merging(named) { $1 } as CFDictionary, change) == errSecSuccess)
                let row = find(named, [kSecReturnAttributes: true]).result as? [String: Any]
                let found = try #require(row)
                for (name, bytes) in [(kSecAttrAccount, Data([1, 2])), (kSecAttrGeneric, Data("generic".utf8))] {
                    #expect(found[name as String] as? Data == bytes && !(found[name as String] is String))
                }
                for (name, text) in [(kSecAttrLabel, "label"), (kSecAttrDescription, "text"), (kSecAttrService, "tests")] {
                    #expect(found[name as String] as? String == text && !(found[name as String] is Data))
                }
                let numbers = [
                    (kSecAttrIsInvisible, 1), (kSecAttrIsNegative, 0), (kSecAttrType, 73), (kSecAttrCreator, 7),
                    (kSecAttrSynchronizable, 0),
                ]
                for (name, number) in numbers {
                    let value = try #require(found[name as String] as? NSNumber, "\(name)")
                    #expect(value.intValue == number && CFGetTypeID(value) == CFNumberGetTypeID(), "\(name)")
                }
                #expect(found[kSecAttrCreationDate as String] as? Date == date)
                #expect(found[kSecAttrModificationDate as String] is Date)

                // A key says its type and class in words of digits, its row in numbers.
                let tag: Fields = [kSecAttrApplicationTag: "tag"]
                let made: Fields = [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 384,
                    kSecPrivateKeyAttrs: tag.merging([kSecAttrIsPermanent: true]) { $1 },
                ]
                let key = try #require(SecKeyCreateRandomKey(made as CFDictionary, nil))
                let itself = try #require(SecKeyCopyAttributes(key) as? [String: Any])
                for (name, digits) in [(kSecAttrKeyClass, "1"), (kSecAttrKeyType, "73")] {
                    #expect(itself[name as String] as? String == digits)
                }
                let query = tag.merging([kSecClass: kSecClassKey, kSecReturnAttributes: true]) { $1 }
                let keyRow = try #require(lookUp(query).result as? [String: Any])
                for (name, number) in [(kSecAttrKeyClass, 1), (kSecAttrKeyType, 73), (kSecAttrKeySizeInBits, 384)] {
                    let value = try #require(keyRow[name as String] as? NSNumber, "\(name)")
                    #expect(value.intValue == number && CFGetTypeID(value) == CFNumberGetTypeID(), "\(name)")
                }
                #expect(keyRow[kSecAttrApplicationTag as String] as? String == "tag")
            }
        }

        @Test("60: matches come in the order of their addition, whatever their names are and whatever happened to them since")
        func order() async {
            await withDevice { device in
                device.accessGroups = ["first", "second"]
                device.install()
                // No order of names, and two groups that take turns.
                var accounts = (0..<20).map { "\(($0 * 7) % 20)" }
                for (place, account) in accounts.enumerated() {
                    let fields: Fields = [
                        kSecAttrAccessGroup: ["first", "second"][place % 2], kSecValueData: Data(account.utf8),
                        kSecAttrAccessible: place % 3 == 0 ? kSecAttrAccessibleAfterFirstUnlock : kSecAttrAccessibleWhenUnlocked,
                    ]
                    #expect(Item(account: account).add(fields) == nil)
                }
                func isInOrder() -> Bool {
                    let data = find(all, [kSecReturnData: true]).result as? [Data]
                    return Item.search() == .accounts(accounts) && data == accounts.map { Data($0.utf8) }
                        && Item.search([kSecMatchLimit: 5]) == .accounts(Array(accounts.prefix(5)))
                }
                #expect(isInOrder())
                // A change leaves an item in its place, and one that was removed and added again comes last.
                #expect(Item(account: accounts[3]).update([kSecAttrLabel: "changed"]) == nil)
                let renamed: Fields = [kSecValueData: Data("renamed".utf8), kSecAttrAccount: "renamed"]
                #expect(Item(account: accounts[0]).update(renamed) == nil)
                accounts[0] = "renamed"
                #expect(isInOrder())
                let moved = accounts.remove(at: 8)
                #expect(Item(account: moved).delete() == nil)
                #expect(Item(account: moved).add([kSecValueData: Data(moved.utf8)]) == nil)
                accounts.append(moved)
                #expect(isInOrder())
                device.restart()
                #expect(device.unlock(with: .passcode("1234")))
                #expect(isInOrder())
                let bound = accounts.filter { Item(account: $0).attributes()?[kSecAttrAccessible as String] as? String == "ck" }
                #expect(bound.count >= 6)
                #expect(Item.search([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == .accounts(bound))
            }
        }
    }
}
