import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// What an app may change in a key's row, and whom that asks.
    @Suite("Rows of keys") struct RowTests {
        private let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        private let tag: Fields = [kSecAttrApplicationTag: "tag"]
        private let unasked: Fields = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]

        private func update(_ changes: Fields, _ fields: Fields) -> OSStatus {
            let query: Fields = [kSecClass: kSecClassKey].merging(fields) { $1 }
            return SecItemUpdate(query as CFDictionary, changes as CFDictionary)
        }

        private func isSigned(_ key: SecKey) throws -> Bool {
            try key.publicHalf.verifies(key.sign(message, signing), of: message, signing)
        }

        /// A permanent software key under that tag.
        private func softwareKey(_ flags: SecAccessControlCreateFlags? = nil) throws {
            var own = tag.merging([kSecAttrIsPermanent: true]) { $1 }
            if let flags {
                own[kSecAttrAccessControl] = try #require(SecAccessControlCreateWithFlags(nil, "aku" as NSString, flags, nil))
            }
            _ = try newKey(kSecAttrKeyTypeEC, 256, [kSecPrivateKeyAttrs: own])
        }

        @Test("65: what a row says about its key can be changed, also of an Enclave key, and unasked", arguments: [true, false])
        func sayings(isEnclave: Bool) async throws {
            try await withDevice { device in
                if isEnclave {
                    _ = try enclaveKey([.privateKeyUsage, .userPresence], isPermanent: true, "aku", tag)
                } else {
                    try softwareKey()
                }
                let day = Date(timeIntervalSinceReferenceDate: 86_400)
                let changes: [(CFString, Any)] = [
                    (kSecAttrLabel, "renamed"), (kSecAttrApplicationLabel, Data("mine".utf8)), ("alis", Data("alias".utf8)),
                    (kSecAttrCanDecrypt, false), (kSecAttrCanSign, false), ("sdat", day), ("edat", day), (kSecAttrCreator, 7),
                    (kSecAttrCreationDate, day), (kSecAttrIsExtractable, false),
                ]
                for (name, value) in changes {
                    #expect(update([name: value], tag.merging(unasked) { $1 }) == errSecSuccess, "\(name)")
                    _ = try find(tag.merging([name: value]) { $1 })
                }
                // All of it at once, and its tag.
                let all = Fields(uniqueKeysWithValues: changes).merging([kSecAttrApplicationTag: "another"]) { $1 }
                #expect(update(all, tag) == errSecSuccess)
                #expect(device.prompts.isEmpty)
                // What is said of it changes nothing of what it is.
                if isEnclave { device.answer(.match) }
                let key = try findKey([kSecAttrApplicationTag: "another"])
                #expect(try isSigned(key))
            }
        }

        @Test("65: what an Enclave key is can't be changed, -50; writing what stands there already changes nothing")
        func fixed() async throws {
            try await withDevice { device in
                let key = try enclaveKey(.privateKeyUsage, isPermanent: true, "aku", tag)
                let changes: [(CFString, Any)] = [
                    (kSecAttrKeySizeInBits, 384), (kSecAttrEffectiveKeySize, 128), (kSecAttrKeyType, kSecAttrKeyTypeRSA),
                    (kSecAttrKeyClass, kSecAttrKeyClassPublic), (kSecAttrTokenID, "com.example.card"), ("toid", Data([1])),
                    (kSecAttrSynchronizable, true), (kSecAttrAccessible, "ak"), (kSecValueData, Data([1])),
                ]
                for (name, value) in changes {
                    #expect(update([name: value], tag) == errSecParam, "\(name)")
                    #expect(update([name: value, kSecAttrLabel: "other"], tag) == errSecParam, "\(name)")
                }
                #expect(throws: Refusal.status(errSecItemNotFound)) { try find([kSecAttrLabel: "other"]) }
                let same: Fields = [
                    kSecAttrKeySizeInBits: 256, kSecAttrEffectiveKeySize: 256, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                    kSecAttrSynchronizable: false, kSecAttrLabel: "other",
                ]
                #expect(update(same, tag) == errSecSuccess)
                let found = try findKey([kSecAttrLabel: "other"])
                #expect(found == key)
                #expect(try isSigned(found))
            }
        }

        @Test("106: after a change of the enrolment an Enclave key's row can still be changed, and the key stays dead")
        func dead() async throws {
            try await withDevice { device in
                let key = try enclaveKey([.privateKeyUsage, .biometryCurrentSet], isPermanent: true, "aku", tag)
                device.enroll("stranger")
                #expect(update([kSecAttrLabel: "late"], tag) == errSecSuccess)
                // From here on the store knows that it is dead.
                #expect(throws: Refusal.token(-3)) { try key.sign(message, signing) }
                #expect(update([kSecAttrLabel: "later"], tag) == errSecSuccess)
                let found = try findKey([kSecAttrLabel: "later"])
                #expect(found == key)
                #expect(throws: Refusal.token(-3)) { try found.sign(message, signing) }
                #expect(device.prompts.isEmpty)
                #expect(SecItemDelete([kSecClass: kSecClassKey].merging(tag) { $1 } as CFDictionary) == errSecSuccess)
                #expect(update([kSecAttrLabel: "never"], tag) == errSecItemNotFound)
            }
        }

        @Test("179: an Enclave key's row is changed while the session is locked, and not before the first passcode")
        func locked() async throws {
            try await withDevice { device in
                _ = try enclaveKey([.privateKeyUsage, .userPresence], isPermanent: true, "aku", tag)
                device.lock()
                #expect(update([kSecAttrLabel: "locked"], tag) == errSecSuccess)
                device.restart()
                #expect(update([kSecAttrLabel: "shut"], tag) == errSecInteractionNotAllowed)
                #expect(device.unlock(with: .passcode("1234")))
                #expect(update([kSecAttrLabel: "open"], tag) == errSecSuccess)
                _ = try find([kSecAttrLabel: "open"])
            }
        }

        @Test("66: a guarded software key's row is opened for a change, so its owner is asked")
        func guarded() async throws {
            try await withDevice { device in
                try softwareKey(.userPresence)
                #expect(update([kSecAttrLabel: "unasked"], tag.merging(unasked) { $1 }) == errSecInteractionNotAllowed)
                device.answer(.cancel, .match)
                #expect(update([kSecAttrLabel: "refused"], tag) == errSecUserCanceled)
                #expect(update([kSecAttrLabel: "allowed"], tag) == errSecSuccess)
                _ = try find([kSecAttrLabel: "allowed"])
                #expect(device.prompts.count == 2)
            }
        }
    }
}
