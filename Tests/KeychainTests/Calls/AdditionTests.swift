import Foundation
import Security
import Testing
import ThumbturnSimulator
import thumbturn_test_support

extension OnDevice {
    /// What an addition takes, what it gives back, and what the item then is.
    @Suite("Additions") struct AdditionTests {
        private func found(_ query: Fields, _ wanted: CFString) -> (status: OSStatus, result: AnyObject?) {
            var result: AnyObject?
            let status = SecItemCopyMatching(query.merging([wanted: true]) { $1 } as CFDictionary, &result)
            return (status, result)
        }

        @Test("13: what says nothing of its accessibility is shut while locked; a certificate, and what a token holds, never is")
        func accessibility() async {
            await withDevice { device in
                let data = Data("whatever".utf8)
                let items: [(fields: Fields, code: String)] = [
                    ([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "one", kSecValueData: data], "ak"),
                    ([kSecClass: kSecClassInternetPassword, kSecAttrAccount: "one", kSecValueData: data], "ak"),
                    ([kSecClass: kSecClassKey, kSecAttrApplicationTag: data, kSecValueData: data], "ak"),
                    ([kSecClass: kSecClassCertificate, kSecValueData: TestCertificate.leaf], "dk"),
                    (
                        [
                            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "held", kSecAttrTokenID: "com.example.card",
                            kSecValueData: data,
                        ], "dk"
                    ),
                ]
                for (fields, _) in items { #expect(SecItemAdd(fields as CFDictionary, nil) == errSecSuccess) }
                let enclave: Fields = [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                    kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrApplicationTag: Data("enclave".utf8),
                ]
                #expect(SecKeyCreateRandomKey(enclave as CFDictionary, nil) != nil)
                let key: Fields = [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("enclave".utf8)]
                for isLocked in [false, true] {
                    if isLocked { device.lock() }
                    for (fields, code) in items {
                        let query = fields.filter { $0.key != kSecValueData }
                        let attributes = found(query, kSecReturnAttributes).result as? [String: Any]
                        #expect(attributes?[kSecAttrAccessible as String] as? String == code, "\(query)")
                        let isShut = isLocked && code == "ak"
                        #expect(
                            found(query, kSecReturnData).status == (isShut ? errSecInteractionNotAllowed : errSecSuccess),
                            "\(query), locked: \(isLocked)")
                    }
                    let row = found(key, kSecReturnAttributes).result as? [String: Any]
                    #expect(row?[kSecAttrAccessible as String] as? String == "dk")
                    #expect(found(key, kSecReturnRef).result is SecKey)
                }
            }
        }

        @Test("53: an addition gives back what it was asked for and no more; with a match key it is refused and keeps nothing")
        func results() async throws {
            try await withDevice { _ in
                let matches: [Fields] = [
                    [kSecMatchLimit: kSecMatchLimitOne], [kSecMatchLimit: kSecMatchLimitAll], [kSecMatchLimit: 1],
                    [kSecMatchCaseInsensitive: true], [kSecMatchSubjectContains: "x"],
                ]
                for match in matches {
                    for wanted: Fields in [[:], [kSecReturnData: true]] {
                        let (failure, result) = Item().added(match.merging(wanted) { $1 })
                        #expect(failure == errSecParam && result as? String == Item.untouched, "\(match)")
                    }
                    #expect(!Item().exists, "\(match)")
                }
                func added(_ account: String, _ wanted: CFString...) -> AnyObject? {
                    var fields: Fields = [:]
                    for name in wanted { fields[name] = true }
                    let (failure, result) = Item(account: account).added(fields)
                    #expect(failure == nil && Item(account: account).secret() == .ours, "\(wanted)")
                    return result
                }
                #expect(added("nothing") == nil)
                let unwanted = Item(account: "unwanted").added([kSecReturnData: false])
                #expect(unwanted.failure == nil && unwanted.result == nil)
                #expect(added("data", kSecReturnData) as? Data == Item.secret)
                let reference = try #require(added("reference", kSecReturnPersistentRef) as? Data)
                let byReference = found([kSecValuePersistentRef: reference], kSecReturnAttributes).result as? [String: Any]
                #expect(byReference?[kSecAttrAccount as String] as? String == "reference")
                let attributes = try #require(added("attributes", kSecReturnAttributes) as? [String: Any])
                #expect(attributes[kSecAttrAccount as String] as? String == "attributes")
                #expect(attributes[kSecAttrAccessible as String] as? String == "ak")
                #expect(attributes[kSecValueData as String] == nil)
                let both = try #require(added("both", kSecReturnAttributes, kSecReturnData) as? [String: Any])
                #expect(both[kSecAttrAccount as String] as? String == "both")
                #expect(both[kSecValueData as String] as? Data == Item.secret)
                // What fails leaves the place of the result as it was.
                let again = Item(account: "both").added([kSecReturnData: true])
                #expect(again.failure == errSecDuplicateItem && again.result as? String == Item.untouched)
            }
        }

        @Test("54: nothing is added by a persistent reference, whosever it is; the item that it names stays as it was")
        func reference() async throws {
            try await withDevice { _ in
                #expect(Item().add() == nil)
                let wanted: Fields = [kSecReturnData: false, kSecReturnPersistentRef: true]
                let reference = try #require(Item().read(wanted).result as? Data)
                for value in [reference, Data(), Data("genp0123456789abcdef".utf8)] {
                    let (failure, result) = Item(account: "two").added([kSecValuePersistentRef: value, kSecReturnData: true])
                    #expect(failure == errSecParam && result as? String == Item.untouched)
                    let alone: Fields = [kSecValuePersistentRef: value, kSecValueData: Data("other".utf8)]
                    #expect(SecItemAdd(alone as CFDictionary, nil) == errSecParam)
                }
                #expect(Item.search() == .accounts(["one"]))
                #expect(Item().secret() == .ours)
            }
        }

        @Test("84: an access control beside an accessibility is refused by every call, unless both say the same")
        func both() async {
            await withDevice { device in
                let (plain, guarded) = (Item.control([]), Item.control(.userPresence))
                let contradictions: [Fields] = [
                    [kSecAttrAccessControl: guarded, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
                    [kSecAttrAccessControl: plain, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock],
                ]
                for fields in contradictions {
                    #expect(Item().add(fields) == errSecParam)
                    #expect(!Item().exists)
                }
                let same: Fields = [kSecAttrAccessControl: plain, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
                #expect(Item().add(same) == nil)
                for fields in contradictions {
                    #expect(Item().secret(fields) == .refused(errSecParam))
                    #expect(Item().update(fields) == errSecParam)
                    #expect(Item().update([kSecValueData: Data()], fields) == errSecParam)
                    #expect(Item().delete(fields) == errSecParam)
                }
                #expect(Item().update(same) == nil)
                #expect(Item().secret(same) == .ours)
                #expect(Item().attributes()?[kSecAttrAccessible as String] as? String == "ak")
                #expect(device.prompts.isEmpty, "neither of the two asks for the owner")
            }
        }

        @Test("85: an item isn't both synchronized and guarded, neither from the beginning nor after a change")
        func synchronized() async {
            await withDevice { device in
                let synced: Fields = [kSecAttrSynchronizable: true]
                #expect(Item().add(.userPresence, kSecAttrAccessibleWhenUnlocked, synced) == errSecParam)
                #expect(Item.search([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == .refused(errSecItemNotFound))
                // A control that demands nothing is none.
                #expect(Item().add([kSecAttrAccessControl: Item.control([])].merging(synced) { $1 }) == nil)
                #expect(Item(account: "local").add() == nil)
                #expect(Item(account: "guarded").add(.userPresence) == nil)

                let guarding: Fields = [kSecAttrAccessControl: Item.control(.userPresence)]
                #expect(Item().update(guarding, synced) == errSecParam)
                #expect(Item(account: "local").update(guarding.merging(synced) { $1 }) == errSecParam)
                device.answerAlways(.match)
                #expect(Item(account: "guarded").update(synced) == errSecParam)
                device.answerAlways(nil)

                let before = device.prompts.count
                #expect(Item().secret(synced) == .ours && Item(account: "local").secret() == .ours)
                #expect(device.prompts.count == before, "nothing was guarded")
                #expect(Item.search() == .accounts(["local", "guarded"]) && Item.search(synced) == .accounts(["one"]))
                device.answer(.match)
                #expect(Item(account: "guarded").secret() == .ours)
            }
        }
    }
}
