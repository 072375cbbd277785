import LocalAuthentication
import Testing
import ThumbturnSimulator

extension DeviceTests {
    /// Rights that are stored, their keys and their secrets.
    @Suite struct RightStoreTests {
        private let store = LARightStore.shared
        private let message = Data("what is signed".utf8)
        private let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        private let sealing = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM
        private let agreeing = SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA256

        @Test("78: a stored right has a P-256 key that never leaves, under what the right requires")
        func key() async throws {
            try await withDevice { _ in
                for (number, requirement) in [LAAuthenticationRequirement.default, .biometry, .biometryCurrentSet].enumerated() {
                    try await store.saveRight(LARight(requirement: requirement), identifier: "\(number)")
                }
                var found: AnyObject?
                let query: [CFString: Any] = [
                    kSecClass: kSecClassKey, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true, kSecReturnRef: true,
                ]
                #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
                let keys = try #require(found as? [[String: Any]])
                #expect(keys.count == 3)
                let flags: [String: SecAccessControlCreateFlags] = [
                    "0": .userPresence, "1": .biometryAny, "2": .biometryCurrentSet,
                ]
                for attributes in keys {
                    let name = try #require(attributes[kSecAttrLabel as String] as? String)
                    let key = try #require(attributes[kSecValueRef as String] as? SecKey)
                    let told = SecKeyCopyAttributes(key) as? [String: Any]
                    let rule = SecAccessControlCreateWithFlags(
                        nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, try #require(flags[name]).union(.privateKeyUsage), nil)
                    #expect(told?[kSecAttrAccessControl as String] as? SecAccessControl == rule)
                    #expect(told?[kSecAttrTokenID as String] as? String == kSecAttrTokenIDSecureEnclave as String)
                }
            }
        }

        @Test(
            "79: a right comes unauthorized; key and secret wait for it, the public key never does, and nobody is asked by them")
        func unauthorized() async throws {
            try await withDevice { device in
                try await store.saveRight(LARight(), identifier: "door", secret: Data("4711".utf8))
                let right = try await store.right(forIdentifier: "door")
                #expect(right.state == .unknown)
                let sealed = try await right.key.publicKey.encrypt(message, algorithm: sealing)
                func refusals() async -> [Code?] {
                    [
                        await failure { _ = try await right.key.sign(message, algorithm: signing) }?.owner,
                        await failure { _ = try await right.key.decrypt(sealed, algorithm: sealing) }?.owner,
                        await failure { _ = try await right.secret.rawData }?.owner,
                    ]
                }
                #expect(await refusals() == [.notInteractive, .notInteractive, .notInteractive])
                #expect(device.prompts.isEmpty)
                device.answer(.match)
                try await right.authorize(localizedReason: "open the door")
                let signature = try await right.key.sign(message, algorithm: signing)
                try await right.key.publicKey.verify(message, signature: signature, algorithm: signing)
                #expect(try await right.key.decrypt(sealed, algorithm: sealing) == message)
                #expect(try await right.secret.rawData == Data("4711".utf8))
                #expect(device.prompts.map(\.reason) == ["open the door"])
                await right.deauthorize()
                #expect(await refusals() == [.notInteractive, .notInteractive, .notInteractive])
            }
        }

        @Test("71: a key whose right nobody keeps can't be used any more")
        func dropped() async throws {
            try await withDevice { device in
                var right: LAPersistedRight? = try await store.saveRight(LARight(), identifier: "door")
                let key = try #require(right?.key)
                device.answer(.match)
                try await right?.authorize(localizedReason: "r")
                _ = try await key.sign(message, algorithm: signing)
                right = nil
                #expect(await failure { _ = try await key.sign(message, algorithm: signing) }?.owner == .notInteractive)
            }
        }

        @Test("71: calls of a key and a secret that were begun with a right outlive it, and later ones get nothing")
        func droppedDuringCalls() async throws {
            try await withDevice { device in
                var right: LAPersistedRight? = try await store.saveRight(LARight(), identifier: "door", secret: message)
                let (key, secret) = (try #require(right?.key), try #require(right?.secret))
                device.answer(.match)
                try await right?.authorize(localizedReason: "r")
                // Nobody holds the right from here on: the calls are on their way to another thread.
                let signed = Pending { reply in key.sign(message, algorithm: signing) { _, error in reply(error == nil, error) } }
                let read = Pending { reply in secret.loadData { _, error in reply(error == nil, error) } }
                right = nil
                for call in [signed, read] { #expect(await call.code == nil && call.count == 1) }
                #expect(await failure { _ = try await key.sign(message, algorithm: signing) }?.owner == .notInteractive)
                #expect(await failure { _ = try await secret.rawData }?.owner == .notInteractive)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("76, 78: a right bound to the enrolment can't be authorized under another one, and is still found")
        func anotherEnrolment() async throws {
            try await withDevice { device in
                try await store.saveRight(LARight(requirement: .biometryCurrentSet), identifier: "door", secret: message)
                device.enroll("another")
                let right = try await store.right(forIdentifier: "door")
                #expect(await failure { try await right.checkCanAuthorize() }?.owner == .biometryNotEnrolled)
                #expect(await failure { try await right.authorize(localizedReason: "r") }?.owner == .biometryNotEnrolled)
                #expect(right.state == .notAuthorized && device.prompts.isEmpty)
            }
        }

        @Test("80: a secret that wasn't saved isn't there, and an empty one is")
        func secrets() async throws {
            try await withDevice { device in
                let none = try await store.saveRight(LARight(), identifier: "none")
                let empty = try await store.saveRight(LARight(), identifier: "empty", secret: Data())
                for right in [none, empty] {
                    device.answer(.match)
                    try await right.authorize(localizedReason: "r")
                }
                #expect(await failure { _ = try await none.secret.rawData }?.status == errSecItemNotFound)
                #expect(try await empty.secret.rawData == Data())
            }
        }

        @Test("81: removing a right removes its key and its secret, and all rights are this app's alone")
        func removing() async throws {
            try await withDevice { _ in
                let other: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecValueData: Data("mine".utf8),
                ]
                #expect(SecItemAdd(other as CFDictionary, nil) == errSecSuccess)
                let one = try await store.saveRight(LARight(), identifier: "1", secret: message)
                for name in ["2", "3", "4"] { try await store.saveRight(LARight(), identifier: name, secret: message) }
                #expect(items(kSecClassKey) == 4 && items(kSecClassGenericPassword) == 9)
                try await store.removeRight(one)
                try await store.removeRight(forIdentifier: "2")
                #expect(items(kSecClassKey) == 2 && items(kSecClassGenericPassword) == 5)
                try await store.removeAllRights()
                try await store.removeAllRights()
                #expect(items(kSecClassKey) == 0 && items(kSecClassGenericPassword) == 1)
            }
        }

        @Test("81: removing all rights leaves the app's other keys where they are")
        func otherKeys() async throws {
            try await withDevice { _ in
                let own: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("org.example.key".utf8)]
                let parameters: [CFString: Any] = [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256, kSecPrivateKeyAttrs: own,
                ]
                #expect(SecKeyCreateRandomKey(parameters as CFDictionary, nil) != nil)
                try await store.saveRight(LARight(), identifier: "door", secret: message)
                #expect(items(kSecClassKey) == 2 && items(kSecClassGenericPassword) == 2)
                try await store.removeAllRights()
                // The right's key, its secret and its record are gone, and nothing else.
                #expect(items(kSecClassKey) == 1 && items(kSecClassGenericPassword) == 0)
            }
        }

        @Test("81: a right's record stays on its device, as its key and its secret do: no backup brings it back without them")
        func stays() async throws {
            try await withDevice { _ in
                try await store.saveRight(LARight(), identifier: "door", secret: message)
                var found: AnyObject?
                let query: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
                ]
                #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
                let rows = try #require(found as? [[String: Any]])
                #expect(rows.map { $0[kSecAttrAccessible as String] as? String } == ["aku", "aku"])
            }
        }

        @Test("82: what isn't there is -25300, what is there already -25299, and an old handle doesn't meet the new right")
        func identifiers() async throws {
            try await withDevice { device in
                #expect(await failure { try await store.right(forIdentifier: "door") }?.status == errSecItemNotFound)
                #expect(await failure { try await store.removeRight(forIdentifier: "door") }?.status == errSecItemNotFound)
                let old = try await store.saveRight(LARight(), identifier: "door", secret: Data("old".utf8))
                let again = await failure { try await store.saveRight(LARight(), identifier: "door") }
                #expect(again?.status == errSecDuplicateItem && items(kSecClassKey) == 1)
                try await store.removeRight(old)
                let new = try await store.saveRight(LARight(), identifier: "door", secret: Data("new".utf8))
                #expect(await failure { try await store.removeRight(old) }?.status == errSecItemNotFound)
                #expect(await failure { _ = try await old.key.sign(message, algorithm: signing) }?.status == errSecItemNotFound)
                device.answer(.match)
                try await new.authorize(localizedReason: "r")
                #expect(try await new.secret.rawData == Data("new".utf8))
            }
        }

        @Test("82: of many who save under one identifier at once one wins, and nothing is left of the others")
        func race() async {
            await withDevice { _ in
                let store = store
                let saved = await withTaskGroup(of: OSStatus?.self) { group in
                    for _ in 0..<6 {
                        group.addTask { await failure { try await store.saveRight(LARight(), identifier: "one") }?.status }
                    }
                    return await group.reduce(into: [OSStatus?]()) { $0.append($1) }
                }
                #expect(saved.filter { $0 == nil }.count == 1 && saved.filter { $0 == errSecDuplicateItem }.count == 5)
                #expect(items(kSecClassKey) == 1 && items(kSecClassGenericPassword) == 1)
            }
        }

        @Test("82: a right that the device can't meet isn't stored")
        func unmet() async {
            await withDevice(enrolled: []) { _ in
                let right = LARight(requirement: .biometry)
                let refused = await failure { try await store.saveRight(right, identifier: "door", secret: message) }
                #expect(refused?.owner == .authenticationFailed)
                #expect(items(kSecClassKey) == 0 && items(kSecClassGenericPassword) == 0)
            }
        }

        @Test("83: verifying throws unless the signature is the key's")
        func verifying() async throws {
            try await withDevice { device in
                let right = try await store.saveRight(LARight(), identifier: "door")
                device.answer(.match)
                try await right.authorize(localizedReason: "r")
                let signature = try await right.key.sign(message, algorithm: signing)
                let half = right.key.publicKey
                try await half.verify(message, signature: signature, algorithm: signing)
                for wrong in [Data(), signature.dropLast(), Data(count: signature.count)] {
                    let refused = await failure { try await half.verify(message, signature: wrong, algorithm: signing) }
                    #expect(refused?.status == errSecVerifyFailed)
                }
                let told = await withCheckedContinuation { done in
                    half.verify(Data(), signature: signature, algorithm: signing) { done.resume(returning: $0 as NSError?) }
                }
                #expect(told?.status == errSecVerifyFailed)
            }
        }

        @Test("84: the public key's bytes are an X9.63 point that SecKey reads")
        func bytes() async throws {
            try await withDevice { _ in
                let half = try await store.saveRight(LARight(), identifier: "door").key.publicKey
                let bytes = try await half.bytes
                #expect(bytes.count == 65 && bytes.first == 4)
                let attributes: [CFString: Any] = [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
                ]
                #expect(SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, nil) != nil)
                let told = await withCheckedContinuation { done in half.exportBytes { data, _ in done.resume(returning: data) } }
                #expect(told == bytes)
            }
        }

        @Test("85: signing, decrypting and agreeing take SecKey's algorithms and parameters, and refuse what isn't the key's")
        func algorithms() async throws {
            try await withDevice { device in
                let right = try await store.saveRight(LARight(), identifier: "door")
                let (key, half) = (right.key, right.key.publicKey)
                #expect(key.canSign(using: signing) && key.canDecrypt(using: sealing) && key.canExchangeKeys(using: agreeing))
                #expect(half.canVerify(using: signing) && half.canEncrypt(using: sealing))
                #expect(
                    !key.canSign(using: sealing) && !half.canEncrypt(using: signing) && !half.canVerify(using: .rsaSignatureRaw))
                #expect(!key.canDecrypt(using: .rsaEncryptionPKCS1) && !key.canExchangeKeys(using: signing))
                device.answer(.match)
                try await right.authorize(localizedReason: "r")
                let wrong = await failure { _ = try await key.sign(message, algorithm: .rsaSignatureMessagePSSSHA256) }
                #expect(wrong?.status == errSecParam)
                let own: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
                let peer = try #require(SecKeyCreateRandomKey(own as CFDictionary, nil))
                let point = try #require(SecKeyCopyPublicKey(peer).flatMap { SecKeyCopyExternalRepresentation($0, nil) }) as Data
                let parameters: [AnyHashable: Any] = [
                    SecKeyKeyExchangeParameter.requestedSize: 24, SecKeyKeyExchangeParameter.sharedInfo: message,
                ]
                let shared = try await key.exchangeKeys(publicKey: point, algorithm: agreeing, parameters: parameters)
                let theirs: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPublic]
                let other = try #require(SecKeyCreateWithData(try await half.bytes as CFData, theirs as CFDictionary, nil))
                let said: [CFString: Any] = [
                    SecKeyKeyExchangeParameter.requestedSize.rawValue: 24,
                    SecKeyKeyExchangeParameter.sharedInfo.rawValue: message,
                ]
                #expect(SecKeyCopyKeyExchangeResult(peer, agreeing, other, said as CFDictionary, nil) as Data? == shared)
                #expect(shared.count == 24)
                let bad = await failure {
                    _ = try await key.exchangeKeys(publicKey: message, algorithm: agreeing, parameters: parameters)
                }
                #expect(bad?.status == errSecParam)
                let plain = SecKeyKeyExchangeParameter.requestedSize.rawValue as String
                #expect(try await key.exchangeKeys(publicKey: point, algorithm: agreeing, parameters: [plain: 7]).count == 7)
            }
        }

        @Test("the forms with a handler answer as the others, and the app's own number stays on what was saved")
        func handlers() async throws {
            try await withDevice { device in
                let right = LARight()
                right.tag = 7
                let tag = await withCheckedContinuation { done in
                    store.saveRight(right, identifier: "door", secret: message) { saved, _ in done.resume(returning: saved?.tag) }
                }
                #expect(tag == 7)
                device.answer(.match)
                let found = try await store.right(forIdentifier: "door")
                #expect(found.tag == 0)
                try await found.authorize(localizedReason: "r")
                let secret = await withCheckedContinuation { done in
                    found.secret.loadData { data, _ in done.resume(returning: data) }
                }
                #expect(secret == message)
                let signature = await withCheckedContinuation { done in
                    found.key.sign(message, algorithm: signing) { data, _ in done.resume(returning: data) }
                }
                try await found.key.publicKey.verify(message, signature: try #require(signature), algorithm: signing)
                let missing = await withCheckedContinuation { done in
                    store.right(forIdentifier: "nothing") { right, error in
                        done.resume(returning: right == nil ? error as NSError? : nil)
                    }
                }
                #expect(missing?.status == errSecItemNotFound)
                let removed = await withCheckedContinuation { done in
                    store.removeRight(forIdentifier: "door") { done.resume(returning: $0 as NSError?) }
                }
                #expect(removed == nil && items(kSecClassKey) == 0)
            }
        }

        /// How many items of a class there are.
        private func items(_ itemClass: CFString) -> Int {
            var found: AnyObject?
            let query: [CFString: Any] = [
                kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
            ]
            SecItemCopyMatching(query as CFDictionary, &found)
            return (found as? [Any])?.count ?? 0
        }
    }
}
