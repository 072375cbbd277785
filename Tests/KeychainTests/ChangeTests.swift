import Foundation
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// What an update changes, and what a deletion takes.
    @Suite("Changes") struct ChangeTests {
        private func attributes(_ item: Item = Item()) throws -> [String: Any] {
            let wanted: Fields = [kSecReturnData: false, kSecReturnAttributes: true]
            return try #require(item.read(wanted).result as? [String: Any])
        }

        @Test("67, 68: the date of change always moves forward, with a clock that stands and for an empty change too")
        func dates() async throws {
            try await withDevice { device in
                #expect(Item().add() == nil)
                var last = try #require(try attributes()[kSecAttrModificationDate as String] as? Date)
                let created = try #require(try attributes()[kSecAttrCreationDate as String] as? Date)
                let past = Date(timeIntervalSinceReferenceDate: 1)
                for change: Fields in [[:], [kSecAttrLabel: "x"], [kSecAttrModificationDate: past]] {
                    #expect(Item().update(change) == nil)
                    let next = try #require(try attributes()[kSecAttrModificationDate as String] as? Date)
                    #expect(next.timeIntervalSince(last) > 0.0009)
                    last = next
                }
                #expect(try attributes()[kSecAttrCreationDate as String] as? Date == created)
                device.advance(by: 3600)
                #expect(Item().update([:]) == nil)
                #expect(try attributes()[kSecAttrModificationDate as String] as? Date == created.addingTimeInterval(3600))
            }
        }

        @Test("67: the date of creation can be set by a change")
        func creation() async throws {
            try await withDevice { _ in
                #expect(Item().add() == nil)
                let date = Date(timeIntervalSinceReferenceDate: 100)
                #expect(Item().update([kSecAttrCreationDate: date]) == nil)
                let found = try attributes()
                #expect(found[kSecAttrCreationDate as String] as? Date == date)
            }
        }

        @Test("65, 70: an access control takes the place of an accessibility, and the other way round")
        func rules() async throws {
            try await withDevice { device in
                #expect(Item().add([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == nil)
                let control = try #require(
                    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryAny, nil))
                #expect(Item().update([kSecAttrAccessControl: control]) == nil)
                var found = try attributes()
                #expect(found[kSecAttrAccessible as String] as? String == "aku")
                #expect(found[kSecAttrAccessControl as String] as! SecAccessControl? == control)
                device.answer(.cancel)
                #expect(Item().secret() == .refused(errSecUserCanceled))
                device.answer(.match)
                #expect(Item().update([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == nil)
                found = try attributes()
                #expect(found[kSecAttrAccessible as String] as? String == "ck")
                #expect(Item().secret() == .ours, "and nobody is asked any more")
                let both: Fields = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessControl: control]
                #expect(Item().update(both) == errSecParam)
            }
        }

        @Test("104: a change to a current-set rule binds an item to the fingers of that moment, whatever it was bound to before")
        func boundAnew() async throws {
            try await withDevice { device in
                func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
                    try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
                }
                let (current, either) = (
                    try control(.biometryCurrentSet), try control([.biometryCurrentSet, .or, .devicePasscode])
                )
                #expect(Item().add() == nil)
                #expect(Item().update([kSecAttrAccessControl: current]) == nil)
                device.answer(.match)
                try #require(Item().secret() == .ours)
                // Bound to one finger, then changed by passcode when there are two: from then on it is bound to both.
                let other = Item(account: "either")
                #expect(other.add([kSecAttrAccessControl: either]) == nil)
                device.enroll("another")
                device.answer(.passcode("1234"))
                #expect(other.update([kSecAttrAccessControl: either]) == nil)
                device.answer(.match)
                #expect(other.secret() == .ours)
                #expect(Item().secret() == .refused(errSecItemNotFound))
            }
        }

        @Test("66, 101: a change to a rule that this device can't meet changes nothing")
        func unmet() async throws {
            try await withDevice(.touchID, enrolled: []) { _ in
                #expect(Item().add() == nil)
                let control = try #require(
                    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryCurrentSet, nil))
                #expect(Item().update([kSecAttrAccessControl: control, kSecValueData: Data()]) == errSecAuthFailed)
                #expect(Item().secret() == .ours)
            }
        }

        @Test("44, 76: a deletion by class alone takes what is local and in its program's groups, and no more unless it says so")
        func wholeClass() async {
            await withDevice { device in
                device.accessGroups = ["own", "shared"]
                #expect(Item().add() == nil)
                #expect(Item(account: "two").add([kSecAttrAccessGroup: "shared"]) == nil)
                #expect(Item(account: "synced").add([kSecAttrSynchronizable: true]) == nil)
                let other: Fields = [kSecClass: kSecClassInternetPassword, kSecAttrAccount: "other"]
                #expect(SecItemAdd(other as CFDictionary, nil) == errSecSuccess)
                device.accessGroups = ["foreign"]
                device.install()
                #expect(Item().add() == nil)
                device.accessGroups = ["own", "shared"]
                device.install()

                #expect(SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary) == errSecSuccess)
                #expect(!Item().exists && !Item(account: "two").exists)
                #expect(Item(account: "synced").secret([kSecAttrSynchronizable: true]) == .ours)
                #expect(SecItemCopyMatching(other as CFDictionary, nil) == errSecSuccess)
                let everything: Fields = [
                    kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                ]
                #expect(SecItemDelete(everything as CFDictionary) == errSecSuccess)
                #expect(SecItemDelete(everything as CFDictionary) == errSecItemNotFound)
                device.accessGroups = ["foreign"]
                device.install()
                #expect(Item().secret() == .ours)
            }
        }
    }
}
