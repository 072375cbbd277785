import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbClient
import ThumbturnSimulator
import thumbturn_test_support

extension OnDevice {
    @Suite("Keys in the keychain") struct KeychainTests {
        private let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        private var tag: Fields { [kSecAttrApplicationTag: Data("tag".utf8)] }

        private func isSigned(_ key: SecKey, _ algorithm: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256) throws -> Bool {
            try key.publicHalf.verifies(key.sign(message, algorithm), of: message, algorithm)
        }

        private func permanentKey(_ flags: SecAccessControlCreateFlags? = nil, _ fields: Fields = [:]) throws -> SecKey {
            var own = tag.merging([kSecAttrIsPermanent: true]) { $1 }
            if let flags {
                own[kSecAttrAccessControl] = try #require(
                    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
            }
            return try newKey(kSecAttrKeyTypeEC, 256, [kSecPrivateKeyAttrs: own].merging(fields) { $1 })
        }

        @Test("a permanent software key signs, agrees and decrypts as one in memory does, and its data is its external form")
        func permanent() async throws {
            try await withDevice { _ in
                let key = try permanentKey()
                let found = try findKey(tag)
                #expect(found == key)
                #expect(try isSigned(found))
                let own = try readKey(found.exported(), "73", "1")
                #expect(own == found && own.publicHalf == key.publicHalf)
                let sealed = try key.publicHalf.encrypt(message, .eciesEncryptionStandardX963SHA256AESGCM)
                #expect(try found.decrypt(sealed, .eciesEncryptionStandardX963SHA256AESGCM) == message)
                let peer = try newKey(kSecAttrKeyTypeEC, 256)
                #expect(
                    try found.agree(with: peer.publicHalf, .ecdhKeyExchangeStandard)
                        == peer.agree(with: key.publicHalf, .ecdhKeyExchangeStandard))
                #expect(try found.attributes["v_Data"] as? Data == key.exported() && found.attributes["tkid"] == nil)
                #expect(try find(tag.merging([kSecReturnData: true]) { $1 }) as? Data == own.exported())
            }
        }

        @Test("a permanent RSA key signs and decrypts")
        func rsa() async throws {
            try await withDevice { _ in
                let key = try newKey(
                    kSecAttrKeyTypeRSA, 1024, [kSecPrivateKeyAttrs: tag.merging([kSecAttrIsPermanent: true]) { $1 }])
                for algorithm in [SecKeyAlgorithm.rsaSignatureMessagePSSSHA256, .rsaSignatureMessagePKCS1v15SHA256] {
                    #expect(try isSigned(key, algorithm))
                }
                for algorithm in [SecKeyAlgorithm.rsaEncryptionOAEPSHA256, .rsaEncryptionOAEPSHA256AESGCM, .rsaEncryptionPKCS1] {
                    let sealed = try key.publicHalf.encrypt(Data("short".utf8), algorithm)
                    #expect(try key.decrypt(sealed, algorithm) == Data("short".utf8))
                }
                let sealed = try key.publicHalf.encrypt(message, .rsaEncryptionOAEPSHA256AESGCM)
                #expect(throws: Refusal.status(errSecParam)) {
                    try key.decrypt(sealed.dropLast(), .rsaEncryptionOAEPSHA256AESGCM)
                }
            }
        }

        @Test("89: a guarded software key is released when its ref is found; whoever has the ref, or made the key, isn't asked")
        func rules() async throws {
            try await withDevice { device in
                let made = try permanentKey(.userPresence)
                #expect(try isSigned(made))
                #expect(device.prompts.isEmpty)
                device.answer(.cancel, .match)
                #expect(throws: Refusal.status(errSecUserCanceled)) { try findKey(tag) }
                let key = try findKey(tag)
                #expect(key == made)
                for _ in 1...2 { #expect(try isSigned(key)) }
                #expect(try key.exported().count == 97)
                // What doesn't release it asks nobody.
                for wanted in [kSecReturnAttributes, kSecReturnPersistentRef] {
                    _ = try find(tag.merging([wanted: true]) { $1 })
                }
                #expect(device.prompts.count == 2)
            }
        }

        @Test("89, 91, 92: unasked, a guarded software key's ref is -25308 or skipped, and an Enclave key's is found")
        func unasked() async throws {
            try await withDevice { device in
                _ = try permanentKey(.userPresence)
                let fail: Fields = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
                #expect(throws: Refusal.status(errSecInteractionNotAllowed)) { try findKey(tag.merging(fail) { $1 }) }
                let skip: Fields = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
                #expect(throws: Refusal.status(errSecItemNotFound)) { try findKey(tag.merging(skip) { $1 }) }
                let context = LAContext()
                context.interactionNotAllowed = true
                let silent = tag.merging([kSecUseAuthenticationContext: context]) { $1 }
                #expect(throws: Refusal.status(errSecInteractionNotAllowed)) { try findKey(silent) }
                // A context that has shown enough needs no question.
                context.interactionNotAllowed = false
                device.answer(.match)
                try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "first")
                context.interactionNotAllowed = true
                #expect(try isSigned(findKey(silent)))
                let enclave: Fields = [kSecAttrApplicationTag: "enclave"]
                let key = try enclaveKey([.privateKeyUsage, .userPresence], isPermanent: true, "aku", enclave)
                #expect(try findKey(enclave.merging(fail) { $1 }) == key)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("89: a software key's ref holds the key: while locked, without a device, after its item is deleted, over a restart")
        func holds() async throws {
            try await withDevice { device in
                let made = try permanentKey()
                let found = try findKey(tag)
                device.lock()
                for key in [made, found] { #expect(try isSigned(key)) }
                #expect(throws: Refusal.status(errSecInteractionNotAllowed)) { try findKey(tag) }
                #expect(device.unlock(with: .passcode("1234")))
                DeviceClient.shared.install { nil }
                for key in [made, found] { #expect(try isSigned(key)) }
                #expect(throws: Refusal.status(errSecNotAvailable)) { try findKey(tag) }
                device.install()
                #expect(SecItemDelete([kSecClass: kSecClassKey].merging(tag) { $1 } as CFDictionary) == errSecSuccess)
                for key in [made, found] { #expect(try isSigned(key)) }
                #expect(throws: Refusal.status(errSecItemNotFound)) { try findKey(tag) }
                // Code that renames a key finds it, deletes it, and adds what it found.
                try add([kSecValueRef: found, kSecAttrApplicationTag: "renamed"])
                let renamed = try findKey([kSecAttrApplicationTag: "renamed"])
                #expect(renamed == made)
                device.restart()
                #expect(throws: Refusal.status(errSecInteractionNotAllowed)) { try findKey([kSecAttrApplicationTag: "renamed"]) }
                #expect(try isSigned(renamed))
            }
        }

        @Test("99: what a token's errors would be as statuses has no place here but where an Enclave key is made or found")
        func tokenErrors() async {
            await withDevice { _ in
                // An unknown token is one that isn't there; a kind that it can't hold is a bad parameter.
                #expect(throws: Refusal.status(errSecItemNotFound)) {
                    try newKey(kSecAttrKeyTypeEC, 256, [kSecAttrTokenID: "com.example.card"])
                }
                #expect(throws: Refusal.status(errSecParam)) {
                    try newKey(kSecAttrKeyTypeEC, 384, [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave])
                }
            }
        }

        @Test("123: what can't be stored isn't made: nothing of the pair stays")
        func storageFails() async throws {
            try await withDevice { device in
                device.accessGroups = ["mine"]
                #expect(throws: Refusal.status(errSecMissingEntitlement)) {
                    try permanentKey(nil, [kSecAttrAccessGroup: "theirs"])
                }
                // The public half's name is taken, so the private half doesn't stay either.
                let name: Fields = [kSecAttrApplicationLabel: Data("mine".utf8), kSecAttrIsPermanent: true]
                _ = try newKey(kSecAttrKeyTypeEC, 256, [kSecPublicKeyAttrs: name])
                #expect(throws: Refusal.status(errSecDuplicateItem)) {
                    try newKey(
                        kSecAttrKeyTypeEC, 256,
                        [kSecPublicKeyAttrs: name, kSecPrivateKeyAttrs: tag.merging([kSecAttrIsPermanent: true]) { $1 }])
                }
                #expect(throws: Refusal.status(errSecItemNotFound)) { try find(tag) }
                device.lock()
                #expect(throws: Refusal.status(errSecInteractionNotAllowed)) { try permanentKey() }
            }
        }

        @Test("130: a key that was read is kept by adding its ref, and found with what it says of itself")
        func added() async throws {
            try await withDevice { _ in
                for (key, half) in [(Shared.rsa1024, "1"), (Shared.rsa1024.publicHalf, "0")] {
                    let mine: Fields = [kSecValueRef: key, kSecAttrApplicationTag: "\(half)", kSecReturnPersistentRef: true]
                    var result: AnyObject?
                    #expect(SecItemAdd(mine as CFDictionary, &result) == errSecSuccess)
                    #expect((result as? Data)?.count == 20)
                    #expect(throws: Refusal.status(errSecDuplicateItem)) { try add(mine) }
                    let found = try findKey([
                        kSecAttrKeyClass: half as NSString, kSecAttrKeyType: "42", kSecAttrCanSign: half == "1",
                    ])
                    #expect(found == key)
                    let row = try #require(
                        try find([kSecValuePersistentRef: result as Any, kSecReturnAttributes: true]) as? [String: Any])
                    #expect(row["kcls"] as? Int == Int(half) && row["type"] as? Int == 42 && row["bsiz"] as? Int == 1024)
                    #expect(row["klbl"] as? Data == key.attributes["klbl"] as? Data && row["pubk"] == nil)
                }
                #expect(try isSigned(findKey([kSecAttrKeyClass: kSecAttrKeyClassPrivate]), .rsaSignatureMessagePSSSHA256))
            }
        }

        @Test("a ref finds its key and no other, and deletes it")
        func byRef() async throws {
            try await withDevice { _ in
                let (one, other) = (try newKey(kSecAttrKeyTypeEC, 256), try newKey(kSecAttrKeyTypeEC, 256))
                for key in [one, other, one.publicHalf] { try add([kSecValueRef: key]) }
                #expect(try findKey([kSecValueRef: one]) == one)
                #expect(try findKey([kSecValueRef: one.publicHalf]) == one.publicHalf)
                #expect(SecItemDelete([kSecValueRef: one] as Fields as CFDictionary) == errSecSuccess)
                #expect(throws: Refusal.status(errSecItemNotFound)) { try find([kSecValueRef: one]) }
                #expect(
                    (try find([kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true]) as? [SecKey]) == [other, one.publicHalf])
                #expect(
                    SecItemCopyMatching([kSecClass: kSecClassCertificate, kSecValueRef: other] as Fields as CFDictionary, nil)
                        == errSecParam)
            }
        }

        @Test("an Enclave key that wasn't kept is kept by adding its ref, under the rule it was made with; twice is a duplicate")
        func keptLater() async throws {
            try await withDevice { device in
                let key = try enclaveKey([.privateKeyUsage, .userPresence], isPermanent: false)
                #expect(throws: Refusal.status(errSecItemNotFound)) { try find([kSecValueRef: key]) }
                try add(tag.merging([kSecValueRef: key]) { $1 })
                let found = try findKey(tag)
                #expect(found == key && found.attributes["tkid"] != nil)
                device.answer(.match, .match)
                #expect(try isSigned(found))
                #expect(try isSigned(key))
                #expect(throws: Refusal.status(errSecDuplicateItem)) { try add(tag.merging([kSecValueRef: key]) { $1 }) }
                #expect(throws: Refusal.status(errSecDuplicateItem)) { try add([kSecValueRef: found]) }
                let weaker = try #require(
                    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAfterFirstUnlock, .privateKeyUsage, nil))
                #expect(throws: Refusal.status(errSecParam)) { try add([kSecValueRef: key, kSecAttrAccessControl: weaker]) }
            }
        }

        @Test("a key's item that came as plain data is a key if the data is one, and its ref goes with the data")
        func plainData() async throws {
            try await withDevice { _ in
                let (one, other) = (try newKey(kSecAttrKeyTypeEC, 256), try newKey(kSecAttrKeyTypeEC, 384))
                let fields: Fields = [kSecClass: kSecClassKey, kSecAttrApplicationTag: "plain"]
                try add(fields.merging([kSecValueData: one.exported(), kSecAttrKeyType: "73", kSecAttrKeyClass: 1]) { $1 })
                #expect(try isSigned(findKey([kSecAttrApplicationTag: "plain"])))
                #expect(
                    SecItemUpdate(fields as CFDictionary, [kSecValueData: try other.exported()] as Fields as CFDictionary)
                        == errSecSuccess)
                #expect(try findKey([kSecAttrApplicationTag: "plain"]) == other)
                #expect(try isSigned(findKey([kSecAttrApplicationTag: "plain"])))
                #expect(
                    SecItemUpdate(fields as CFDictionary, [kSecValueData: message] as Fields as CFDictionary) == errSecSuccess)
                #expect(try find([kSecAttrApplicationTag: "plain", kSecReturnRef: true]) == nil)
                #expect(try find([kSecAttrApplicationTag: "plain", kSecReturnData: true]) as? Data == message)
                try add([kSecClass: kSecClassKey, kSecAttrApplicationTag: "public", kSecValueData: one.publicHalf.exported()])
                #expect(try findKey([kSecAttrApplicationTag: "public"]) == one.publicHalf)
            }
        }

        @Test("no caller may name an attribute that the keychain keeps for itself")
        func ownAttributes() async {
            await withDevice { _ in
                for name in ["pubk", "cust"] {
                    #expect(throws: Refusal.status(errSecNoSuchAttr)) { try find([name as NSString: Data()]) }
                    #expect(throws: Refusal.status(errSecNoSuchAttr)) {
                        try add([kSecClass: kSecClassKey, name as NSString: Data(), kSecValueData: message])
                    }
                }
            }
        }

        @Test("10, 75: an identity is added as a whole, found with its key, and deleted with it")
        func identities() async throws {
            try await withDevice { _ in
                let key = try readKey(TestCertificate.ownKey, "73", "1")
                let certificate = try #require(SecCertificateCreateWithData(nil, TestCertificate.own as CFData))
                #expect(SecCertificateCopyKey(certificate) == key.publicHalf)
                let identity = try #require(SecIdentityCreate(nil, certificate, key))
                #expect(SecIdentityCreate(nil, certificate, key.publicHalf) == nil)
                #expect(SecIdentityCreate(nil, certificate, Shared.curves[256]!) == nil)
                try add([kSecValueRef: identity, kSecAttrLabel: "mine"])
                #expect(throws: Refusal.status(errSecDuplicateItem)) { try add([kSecValueRef: identity]) }
                let query: Fields = [kSecClass: kSecClassIdentity, kSecReturnRef: true]
                var result: AnyObject?
                #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
                var own: SecKey?
                #expect(SecIdentityCopyPrivateKey(try #require(result as? SecIdentity), &own) == errSecSuccess)
                #expect(own == key)
                #expect(try isSigned(#require(own)))
                #expect(SecItemDelete([kSecValueRef: identity] as Fields as CFDictionary) == errSecSuccess)
                #expect(throws: Refusal.status(errSecItemNotFound)) { try find([:]) }
                // The object holds what it found.
                own = nil
                #expect(SecIdentityCopyPrivateKey(try #require(result as? SecIdentity), &own) == errSecSuccess)
                #expect(try isSigned(#require(own)))
                // Only both halves there already are a duplicate.
                try add([kSecValueRef: certificate])
                try add([kSecValueRef: identity])
            }
        }

        @Test("89: an identity with a guarded software key asks when its ref is found, and its key then signs without asking")
        func guardedIdentity() async throws {
            try await withDevice { device in
                let key = try readKey(TestCertificate.ownKey, "73", "1")
                let certificate = try #require(SecCertificateCreateWithData(nil, TestCertificate.own as CFData))
                let rule = try #require(SecAccessControlCreateWithFlags(nil, "aku" as NSString, .userPresence, nil))
                try add([kSecValueRef: certificate])
                try add([kSecValueRef: key, kSecAttrAccessControl: rule])
                let query: Fields = [kSecClass: kSecClassIdentity, kSecReturnRef: true]
                let unasked: [(CFString, OSStatus)] = [
                    (kSecUseAuthenticationUIFail, errSecInteractionNotAllowed), (kSecUseAuthenticationUISkip, errSecItemNotFound),
                ]
                for (way, status) in unasked {
                    #expect(throws: Refusal.status(status)) { try find(query.merging([kSecUseAuthenticationUI: way]) { $1 }) }
                }
                device.answer(.match)
                let identity = try #require(try find(query) as? SecIdentity)
                var own: SecKey?
                #expect(SecIdentityCopyPrivateKey(identity, &own) == errSecSuccess)
                #expect(try isSigned(#require(own)))
                #expect(device.prompts.count == 1)
            }
        }

        @Test("112: a key's persistent reference finds it after a restart, and its ref still signs")
        func persistent() async throws {
            try await withDevice { device in
                let key = try permanentKey()
                let reference = try #require(try find(tag.merging([kSecReturnPersistentRef: true]) { $1 }) as? Data)
                device.restart()
                #expect(device.unlock(with: .passcode("1234")))
                #expect(try findKey([kSecValuePersistentRef: reference]) == key)
                #expect(try isSigned(key))
            }
        }
    }
}
