import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// What is kept of a key that was just made, and on which terms.
    @Suite("Keys that are kept") struct KeepingTests {
        @Test("123: of an Enclave key whose public half can't be stored nothing stays either")
        func enclavePair() async throws {
            try await withDevice { _ in
                let name: Fields = [kSecAttrApplicationLabel: Data("mine".utf8), kSecAttrIsPermanent: true]
                _ = try newKey(kSecAttrKeyTypeEC, 256, [kSecPublicKeyAttrs: name])
                let enclave = name.merging([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) { $1 }
                #expect(throws: Refusal.status(errSecDuplicateItem)) { try newKey(kSecAttrKeyTypeEC, 256, enclave) }
                #expect(throws: Refusal.status(errSecItemNotFound)) {
                    try find([kSecAttrKeyClass: kSecAttrKeyClassPrivate])
                }
            }
        }

        @Test("a pair's access control guards its private half; its public half is found unasked")
        func publicHalf() async throws {
            try await withDevice { device in
                let rule = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
                let key = try newKey(kSecAttrKeyTypeEC, 256, [kSecAttrAccessControl: rule, kSecAttrIsPermanent: true])
                let half = try findKey([kSecAttrKeyClass: kSecAttrKeyClassPublic])
                #expect(half == key.publicHalf && device.prompts.isEmpty)
                device.answer(.match)
                let whole = try findKey([kSecAttrKeyClass: kSecAttrKeyClassPrivate])
                #expect(whole == key && device.prompts.count == 1)
            }
        }

        @Test("an Enclave key isn't synchronized, neither when it is made nor when its ref is added")
        func synchronized() async throws {
            try await withDevice { _ in
                let synced: Fields = [kSecAttrSynchronizable: true]
                #expect(throws: Refusal.status(errSecParam)) { try enclaveKey(.privateKeyUsage, "aku", synced) }
                let key = try enclaveKey(.privateKeyUsage, isPermanent: false)
                #expect(throws: Refusal.status(errSecParam)) { try add(synced.merging([kSecValueRef: key]) { $1 }) }
                #expect(throws: Refusal.status(errSecItemNotFound)) {
                    try find([kSecAttrSynchronizable: kSecAttrSynchronizableAny])
                }
                try add([kSecValueRef: key, kSecAttrSynchronizable: false])
            }
        }

        @Test("182: a key that is found by its token's object is used with the context that was named beside it")
        func tokenObject() async throws {
            try await withDevice { device in
                let key = try enclaveKey([.privateKeyUsage, .userPresence], isPermanent: true)
                let object = try #require(key.attributes["toid"] as? Data)
                let context = LAContext()
                device.answer(.match)
                try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "first")
                let again = try readKey(
                    Data(), "73", "1",
                    [
                        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, "toid" as NSString: object,
                        kSecUseAuthenticationContext: context,
                    ])
                _ = try again.sign(message, .ecdsaSignatureMessageX962SHA256)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("182: a key that wasn't kept is found by its token's object with what was said about asking, too")
        func detachedObject() async throws {
            try await withDevice { device in
                let key = try enclaveKey([.privateKeyUsage, .userPresence], isPermanent: false)
                let object = try #require(key.attributes["toid"] as? Data)
                let context = LAContext()
                context.interactionNotAllowed = true
                let silent = try readKey(
                    Data(), "73", "1",
                    [
                        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, "toid" as NSString: object,
                        kSecUseAuthenticationContext: context,
                    ])
                #expect(silent == key)
                #expect(throws: Refusal.owner(-1004)) { try silent.sign(message, .ecdsaSignatureMessageX962SHA256) }
                #expect(device.prompts.isEmpty)
            }
        }
    }
}
