import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    @Suite("Secrets and queries") struct SecretTests {
        private static let megabyte = 1 << 20

        @Test(
            "32: a secret of up to a megabyte comes back as it was, byte for byte",
            arguments: [
                Data(), Data([0]), Data([10]), Data("two\nlines\r\n".utf8), Data([0, 0, 255, 0]), Data(0...255),
                Data(repeating: 0xa5, count: megabyte),
            ])
        func faithful(secret: Data) async {
            await withDevice { device in
                #expect(Item().add([kSecValueData: secret]) == nil)
                #expect(Item().secret() == .released(secret))
                device.restart()
                device.unlock(with: .passcode("1234"))
                #expect(Item().secret() == .released(secret))
            }
        }

        @Test("32: a secret of a megabyte and a byte is refused as too large, when added and when changed")
        func tooLarge() async {
            await withDevice { _ in
                let data = Data(repeating: 1, count: Self.megabyte + 1)
                #expect(Item().add([kSecValueData: data]) == errSecDataTooLarge)
                #expect(!Item().exists)
                #expect(Item().add() == nil)
                #expect(Item().update([kSecValueData: data]) == errSecDataTooLarge)
                #expect(Item().secret() == .ours)
            }
        }

        @Test("32: an attribute has up to 64 KiB, and an item's together up to 256 KiB; a byte more is too large")
        func largeAttributes() async {
            await withDevice { _ in
                func text(_ count: Int) -> String { String(repeating: "x", count: count) }
                #expect(Item().add([kSecAttrLabel: text(65_537)]) == errSecDataTooLarge)
                #expect(Item().add([kSecAttrLabel: text(65_536)]) == nil)
                #expect(Item().update([kSecAttrLabel: text(65_537)]) == errSecDataTooLarge)
                // Service and account have eight bytes, and the keychain adds two dates and a number of eight bytes each.
                let wide: Fields = [
                    kSecAttrAccount: "two", kSecAttrLabel: text(65_536), kSecAttrDescription: text(65_536),
                    kSecAttrComment: text(65_536),
                ]
                #expect(Item().add(wide.merging([kSecAttrGeneric: Data(count: 65_505)]) { $1 }) == errSecDataTooLarge)
                #expect(Item().add(wide.merging([kSecAttrGeneric: Data(count: 65_504)]) { $1 }) == nil)
            }
        }

        @Test("19, 57: an item may have no data, and then has none to give")
        func noData() async {
            await withDevice { _ in
                let item: Fields = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "empty"]
                #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
                var result: AnyObject?
                #expect(
                    SecItemCopyMatching(item.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result) == errSecSuccess)
                #expect(result == nil)
            }
        }

        @Test("28: a query without a class is refused, and one of an unknown class as that")
        func noClass() async {
            await withDevice { _ in
                #expect(SecItemCopyMatching([kSecAttrAccount: "a"] as CFDictionary, nil) == errSecParam)
                #expect(SecItemAdd([kSecValueData: Data()] as CFDictionary, nil) == errSecParam)
                #expect(SecItemDelete([:] as CFDictionary) == errSecParam)
                for unknown in ["apls", "", "GENP"] {
                    #expect(SecItemCopyMatching([kSecClass: unknown] as CFDictionary, nil) == errSecNoSuchClass)
                }
            }
        }

        @Test("29, 30: an attribute of no class and a key of no kind are told apart")
        func unknownKeys() async {
            await withDevice { _ in
                #expect(Item().add(["zzzz" as CFString: "x"]) == errSecNoSuchAttr)
                #expect(Item().add([kSecAttrServer: "x"]) == errSecNoSuchAttr)
                #expect(Item().add(["public" as CFString: "x"]) == errSecParam)
            }
        }

        @Test("31 to 34: values of the wrong type are refused")
        func wrongTypes() async {
            await withDevice { _ in
                #expect(Item().add([kSecValueData: "text"]) == errSecParam)
                #expect(Item().add([kSecValueData: 7]) == errSecParam)
                #expect(Item().add([kSecAttrAccount: 7]) == errSecParam)
                #expect(Item().add([kSecAttrAccount: [1, 2]]) == errSecParam)
                #expect(Item().add([kSecAttrAccessControl: "ak"]) == errSecParam)
                #expect(!Item().exists)
                #expect(Item().add() == nil)
                for wrong: Any in ["yes", [true], Date()] { #expect(Item().read([kSecReturnData: wrong]).failure == errSecParam) }
                for wrong: Any in ["all", Data(), [1]] { #expect(Item().read([kSecMatchLimit: wrong]).failure == errSecParam) }
                #expect(Item().read([kSecUseAuthenticationContext: "me"]).failure == errSecParam)
                #expect(Item().update([kSecValueData: "text"]) == errSecParam)
                #expect(Item().secret() == .ours)
            }
        }

        @Test("47 to 52: what a search returns has the shape that was asked for")
        func shapes() async throws {
            try await withDevice { _ in
                #expect(Item().add() == nil)
                #expect(Item(account: "two").add() == nil)
                #expect(Item().read([kSecReturnData: false]).result == nil)
                #expect(Item().read().result as? Data == Item.secret)
                let one = try #require(Item().read([kSecReturnAttributes: true]).result as? [String: Any])
                #expect(one[kSecValueData as String] as? Data == Item.secret)
                #expect(one[kSecAttrAccount as String] as? String == "one")
                let all: Fields = [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                ]
                var result: AnyObject?
                #expect(SecItemCopyMatching(all as CFDictionary, &result) == errSecSuccess)
                #expect((result as? [Data])?.count == 2)
                #expect(Item().read([kSecMatchLimit: kSecMatchLimitAll]).result as? [Data] == [Item.secret])
                #expect(Item().read([kSecMatchLimit: 0]).failure == errSecItemNotFound)
                #expect(Item(account: "none").read().failure == errSecItemNotFound)
                #expect(SecItemCopyMatching(all as CFDictionary, nil) == errSecParam)
            }
        }

        @Test("5, 7: the same account and service is a duplicate, and what was there stays as it was")
        func duplicates() async {
            await withDevice { device in
                #expect(Item().add() == nil)
                #expect(Item().add([kSecValueData: Data("other".utf8)]) == errSecDuplicateItem)
                #expect(Item().add([kSecAttrLabel: "another label"]) == errSecDuplicateItem)
                #expect(Item().secret() == .ours)
                #expect(Item().add([kSecAttrService: "elsewhere"]) == nil)
                #expect(Item(account: "ONE").add() == nil)
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("8, 61: an update changes every match or, where one would collide, none")
        func updates() async {
            await withDevice { _ in
                for account in ["a", "b", "c"] { #expect(Item(account: account).add() == nil) }
                let all: Fields = [kSecClass: kSecClassGenericPassword, kSecAttrService: "tests"]
                #expect(
                    SecItemUpdate(all as CFDictionary, [kSecAttrAccount: "same", kSecValueData: Data()] as CFDictionary)
                        == errSecDuplicateItem)
                for account in ["a", "b", "c"] { #expect(Item(account: account).secret() == .ours) }
                let new = Data("new".utf8)
                #expect(SecItemUpdate(all as CFDictionary, [kSecValueData: new] as CFDictionary) == errSecSuccess)
                for account in ["a", "b", "c"] { #expect(Item(account: account).secret() == .released(new)) }
            }
        }

        @Test("62 to 64: an update that limits, returns or matches nothing is refused as that")
        func wrongUpdates() async {
            await withDevice { _ in
                #expect(Item().update([kSecValueData: Data()]) == errSecItemNotFound)
                #expect(Item().add() == nil)
                #expect(Item().update([kSecValueData: Data()], [kSecMatchLimit: 1]) == errSecParam)
                #expect(Item().update([kSecValueData: Data()], [kSecReturnData: true]) == errSecParam)
                #expect(Item().update([kSecClass: kSecClassKey]) == errSecNoSuchAttr)
                #expect(Item().update([kSecReturnData: true]) == errSecNoSuchAttr)
                #expect(Item().update([:]) == nil)
                #expect(Item().secret() == .ours)
            }
        }

        @Test("71 to 73: a deletion takes all matches and asks nobody, and says when there was nothing")
        func deletion() async {
            await withDevice { device in
                #expect(Item().add(.biometryCurrentSet) == nil)
                #expect(Item(account: "two").add() == nil)
                #expect(Item().delete([kSecMatchLimit: 1]) == errSecParam)
                #expect(SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary) == errSecSuccess)
                #expect(!Item().exists && !Item(account: "two").exists)
                #expect(Item().delete() == errSecItemNotFound)
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("22, 23: a foreign access group is refused by name")
        func groups() async {
            await withDevice { device in
                device.accessGroups = ["own"]
                device.install()
                let foreign: Fields = [kSecAttrAccessGroup: "somebody.else"]
                #expect(Item().add(foreign) == errSecMissingEntitlement)
                #expect(Item().add() == nil)
                #expect(Item().read(foreign).failure == errSecMissingEntitlement)
                #expect(Item().update([kSecAttrAccessGroup: "somebody.else"]) == errSecMissingEntitlement)
                #expect(Item().delete(foreign) == errSecMissingEntitlement)
                #expect(Item().secret() == .ours)
            }
        }

        @Test("112, 114: a persistent reference outlives an update and a restart, and only a whole one is taken")
        func persistentReferences() async throws {
            try await withDevice { device in
                #expect(Item().add() == nil)
                let reference = try #require(
                    Item().read([kSecReturnData: false, kSecReturnPersistentRef: true]).result as? Data)
                #expect(Item().update([kSecAttrLabel: "renamed", kSecAttrAccount: "moved"]) == nil)
                device.restart()
                device.unlock(with: .passcode("1234"))
                func find(_ reference: Data) -> (OSStatus, Data?) {
                    var result: AnyObject?
                    let query: Fields = [kSecValuePersistentRef: reference, kSecReturnData: true]
                    return (SecItemCopyMatching(query as CFDictionary, &result), result as? Data)
                }
                #expect(find(reference) == (errSecSuccess, Item.secret))
                #expect(find(reference.dropLast()).0 == errSecParam)
                #expect(find(Data()).0 == errSecParam)
                #expect(Item(account: "moved").delete() == nil)
                #expect(find(reference).0 == errSecItemNotFound)
            }
        }
    }
}
