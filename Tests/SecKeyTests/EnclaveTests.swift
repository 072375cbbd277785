import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    @Suite("Secure Enclave keys") struct EnclaveTests {
        private let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256

        private func isSigned(_ key: SecKey) throws -> Bool {
            try key.publicHalf.verifies(key.sign(message, signing), of: message, signing)
        }

        private var tag: Fields { [kSecAttrApplicationTag: Data("tag".utf8)] }

        @Test("177: only P-256", arguments: [("73", 384), ("73", 521), ("42", 2048), ("73", 0)])
        func kinds(type: String, bits: Int) async {
            await withDevice { _ in
                #expect(throws: Refusal.status(errSecParam)) {
                    try newKey(type as NSString, bits, [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave])
                }
            }
        }

        @Test("178, 131: it is made where it stays: its bytes can't be read in, and it isn't exported, -4")
        func stays() async throws {
            try await withDevice { _ in
                for isPermanent in [true, false] {
                    let key = try enclaveKey(isPermanent: isPermanent)
                    #expect(throws: Refusal.status(errSecUnimplemented)) { try key.exported() }
                    #expect(try key.publicHalf.exported().count == 65)
                }
                let token: Fields = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrKeySizeInBits: 256]
                let software = try newKey(kSecAttrKeyTypeEC, 256)
                let other = try readKey(software.exported(), "73", "1", token)
                #expect(other.publicHalf != software.publicHalf)
                #expect(throws: Refusal.status(errSecItemNotFound)) {
                    try newKey(kSecAttrKeyTypeEC, 256, [kSecAttrTokenID: "com.example.card"])
                }
            }
        }

        @Test("126: the object in its attributes finds a key again, and bytes don't matter; without it a new one is made")
        func tokenObject() async throws {
            try await withDevice { device in
                for isPermanent in [true, false] {
                    let key = try enclaveKey([.privateKeyUsage, .userPresence], isPermanent: isPermanent)
                    let object = try #require(key.attributes["toid"] as? Data)
                    let token: Fields = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, "toid" as NSString: object]
                    let again = try readKey(Data(), "73", "1", token)
                    #expect(again == key && again !== key)
                    device.answer(.match)
                    #expect(try isSigned(again))
                    var changed = object
                    // In a sealed form what is public of the key stands first.
                    changed[changed.count / 3] ^= 1
                    #expect(throws: (any Error).self) {
                        try readKey(Data(), "73", "1", token.merging(["toid" as NSString: changed]) { $1 })
                    }
                }
                let size: Fields = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrKeySizeInBits: 256]
                let (one, other) = (try readKey(Data(), "73", "1", size), try readKey(Data(), "73", "1", size))
                #expect(one != other)
                #expect(try isSigned(one))
                #expect(throws: Refusal.status(errSecItemNotFound)) { try find([kSecValueRef: one]) }
            }
        }

        @Test("134: it tells its token, its access control, what finds it and who holds it; no data, tag or label")
        func attributes() async throws {
            try await withDevice { _ in
                let key = try enclaveKey(
                    [.privateKeyUsage, .biometryAny], isPermanent: true, "aku",
                    tag.merging([kSecAttrLabel: "label"]) { $1 })
                let told = key.attributes
                #expect(told["tkid"] as? String == "com.apple.setoken" && told["kcls"] as? String == "1")
                #expect(told["klbl"] as? Data == key.publicHalf.attributes["klbl"] as? Data)
                #expect(told["toid"] is Data && told["perm"] as? Bool == true && told["extr"] as? Bool == false)
                let rule = try #require(
                    SecAccessControlCreateWithFlags(nil, "aku" as NSString, [.privateKeyUsage, .biometryAny], nil))
                #expect(told["accc"] as? SecAccessControl == rule)
                #expect(told[kThumbturnKeyCustodian as String] as? String == "software")
                for name in ["v_Data", "atag", "labl"] { #expect(told[name] == nil) }
            }
        }

        @Test("121: of an Enclave key what stands at the top wins, of a software key what its half says")
        func precedence() async throws {
            try await withDevice { _ in
                let both: Fields = [
                    kSecAttrLabel: "top", kSecPrivateKeyAttrs: [kSecAttrLabel: "half", kSecAttrIsPermanent: true] as Fields,
                    kSecPublicKeyAttrs: [kSecAttrLabel: "public"] as Fields,
                ]
                _ = try newKey(kSecAttrKeyTypeEC, 256, both)
                #expect(try findKey([kSecAttrLabel: "half"]).attributes["kcls"] as? String == "1")
                _ = try newKey(
                    kSecAttrKeyTypeEC, 256, both.merging([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) { $1 })
                #expect(try findKey([kSecAttrLabel: "top"]).attributes["tkid"] != nil)
            }
        }

        @Test("122: an Enclave key is permanent unless it says otherwise, a software key isn't unless it says so")
        func permanence() async throws {
            try await withDevice { _ in
                func count() throws -> Int {
                    do {
                        return (try find([kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]) as? [Any])?.count ?? 0
                    } catch let refusal as Refusal where refusal == .status(errSecItemNotFound) {
                        return 0
                    }
                }
                _ = try newKey(kSecAttrKeyTypeEC, 256)
                _ = try enclaveKey(isPermanent: false)
                #expect(try count() == 0)
                _ = try enclaveKey()
                #expect(try count() == 1)
                // At the top it is said of both halves, in its own dictionary of the private one.
                _ = try newKey(kSecAttrKeyTypeEC, 256, [kSecAttrIsPermanent: true])
                #expect(try count() == 3)
                _ = try newKey(kSecAttrKeyTypeEC, 256, [kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true] as Fields])
                #expect(try count() == 4)
                _ = try newKey(
                    kSecAttrKeyTypeEC, 256, [kSecAttrIsPermanent: true, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave])
                #expect(try count() == 6)
                #expect(
                    (try find([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecMatchLimit: 9, kSecReturnRef: true])
                        as? [SecKey])?.count == 2)
            }
        }

        @Test("136, 137: its public half is a software key; it is equal to itself however it was found")
        func halves() async throws {
            try await withDevice { _ in
                let key = try enclaveKey(isPermanent: true, "aku", tag)
                let found = try findKey(tag)
                #expect(found == key && found.hash == key.hash && found !== key)
                let sealed = try key.publicHalf.encrypt(message, .eciesEncryptionStandardX963SHA256AESGCM)
                #expect(try found.decrypt(sealed, .eciesEncryptionStandardX963SHA256AESGCM) == message)
                #expect(try readKey(key.publicHalf.exported(), "73", "0") == key.publicHalf)
                #expect(try SecKeyGetBlockSize(enclaveKey()) == 32)
            }
        }

        @Test("165, 171, 176: it signs, decrypts all of ECIES and agrees in every way; checking is its public half's business")
        func operations() async throws {
            try await withDevice { _ in
                let (key, peer) = (try enclaveKey(.privateKeyUsage), try newKey(kSecAttrKeyTypeEC, 256))
                for algorithm in SupportTests.ecdsa { #expect(key.can(.sign, algorithm) && !key.can(.verify, algorithm)) }
                for pair in SignatureTests.x962 + SignatureTests.rfc4754 {
                    let signature = try key.sign(message, pair.message)
                    #expect(try key.publicHalf.verifies(signature, of: message, pair.message))
                }
                for algorithm in SupportTests.ecies {
                    #expect(!key.can(.encrypt, algorithm))
                    #expect(try key.decrypt(key.publicHalf.encrypt(message, algorithm), algorithm) == message)
                }
                for algorithm in SupportTests.ecdh {
                    let parameters: [String: Any] = ["requestedSize": 40, "sharedInfo": Data([1])]
                    let shared = try key.agree(with: peer.publicHalf, algorithm, parameters)
                    #expect(try peer.agree(with: key.publicHalf, algorithm, parameters) == shared)
                }
                let sealed = try key.publicHalf.encrypt(message, .eciesEncryptionStandardX963SHA256AESGCM)
                #expect(throws: Refusal.status(errSecParam)) {
                    try key.decrypt(sealed.dropLast(), .eciesEncryptionStandardX963SHA256AESGCM)
                }
                let long = Data(repeating: 5, count: 3 << 20)
                let far = try key.publicHalf.encrypt(long, .eciesEncryptionStandardX963SHA256AESGCM)
                #expect(try key.decrypt(far, .eciesEncryptionStandardX963SHA256AESGCM) == long)
            }
        }

        @Test("81: with privateKeyUsage the constraints guard signing, agreeing and decrypting; finding and deleting are free")
        func usage() async throws {
            try await withDevice { device in
                let key = try enclaveKey([.privateKeyUsage, .userPresence], isPermanent: true, "aku", tag)
                let peer = try newKey(kSecAttrKeyTypeEC, 256).publicHalf
                let sealed = try key.publicHalf.encrypt(message, .eciesEncryptionStandardX963SHA256AESGCM)
                #expect(device.prompts.isEmpty)
                device.answer(.match, .match, .match)
                #expect(try isSigned(key))
                _ = try key.agree(with: peer, .ecdhKeyExchangeStandard)
                #expect(try key.decrypt(sealed, .eciesEncryptionStandardX963SHA256AESGCM) == message)
                #expect(device.prompts.count == 3)
                _ = try findKey(tag)
                #expect(SecItemDelete([kSecClass: kSecClassKey].merging(tag) { $1 } as CFDictionary) == errSecSuccess)
                #expect(device.prompts.count == 3)
            }
        }

        @Test("82: a software key with privateKeyUsage isn't kept, -25293, and neither is its other half")
        func softwareUsage() async throws {
            try await withDevice { _ in
                let rule = try #require(SecAccessControlCreateWithFlags(nil, "aku" as NSString, .privateKeyUsage, nil))
                #expect(throws: Refusal.status(errSecAuthFailed)) {
                    try newKey(kSecAttrKeyTypeEC, 256, [kSecAttrAccessControl: rule, kSecAttrIsPermanent: true])
                }
                #expect(throws: Refusal.status(errSecItemNotFound)) { try find([:]) }
            }
        }

        @Test("83: constraints without privateKeyUsage refuse every use; no constraints, or privateKeyUsage alone, ask nobody")
        func withoutUsage() async throws {
            try await withDevice { device in
                #expect(throws: Refusal.status(errSecAuthFailed)) { try isSigned(enclaveKey(.userPresence)) }
                for flags: SecAccessControlCreateFlags? in [nil, [], .privateKeyUsage] {
                    let key = try enclaveKey(flags)
                    #expect(try isSigned(key))
                }
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("100: what the owner says comes as it is: cancel is LA -2, a lockout LA -8, no way to ask LA -1004")
        func ownerSays() async throws {
            try await withDevice { device in
                let key = try enclaveKey([.privateKeyUsage, .biometryAny])
                device.answer(.cancel)
                #expect(throws: Refusal.owner(-2)) { try key.sign(message, signing) }
                // The older call returns the bare number, and not -128.
                var (signature, count) = ([UInt8](repeating: 0, count: 80), 80)
                device.answer(.cancel)
                #expect(SecKeyRawSign(key, [], [UInt8](repeating: 1, count: 32), 32, &signature, &count) == -2)
                let context = LAContext()
                context.interactionNotAllowed = true
                let silent = try enclaveKey([.privateKeyUsage, .biometryAny], "aku", [kSecUseAuthenticationContext: context])
                #expect(throws: Refusal.owner(-1004)) { try silent.sign(message, signing) }
                device.answer(.noMatch, .noMatch, .noMatch, .noMatch, .noMatch)
                #expect(throws: Refusal.owner(-1)) { try key.sign(message, signing) }
                #expect(throws: Refusal.owner(-8)) { try key.sign(message, signing) }
                #expect(throws: Refusal.owner(-8)) { try key.sign(message, signing) }
                // What is missing is told before what isn't allowed.
                #expect(throws: Refusal.owner(-8)) { try silent.sign(message, signing) }
                context.invalidate()
                #expect(throws: Refusal.owner(-10)) { try silent.sign(message, signing) }
            }
        }

        @Test("100: it is an LAError to those who catch one")
        func caught() async throws {
            try await withDevice { device in
                let key = try enclaveKey([.privateKeyUsage, .userPresence])
                device.answer(.cancel)
                var error: Unmanaged<CFError>?
                #expect(SecKeyCreateSignature(key, signing, message as CFData, &error) == nil)
                let failure = try #require(error?.takeRetainedValue() as (any Error)?)
                #expect((failure as? LAError)?.code == .userCancel)
            }
        }

        @Test("106: after a change of the enrolment it is found as before, and its use is CryptoTokenKit -3, again and again")
        func changed() async throws {
            try await withDevice { device in
                let key = try enclaveKey([.privateKeyUsage, .biometryCurrentSet], isPermanent: true, "aku", tag)
                device.answer(.match)
                #expect(try isSigned(key))
                device.enroll("stranger")
                for _ in 1...2 {
                    let found = try findKey(tag)
                    #expect(found == key)
                    #expect(throws: Refusal.token(-3)) { try found.sign(message, signing) }
                    #expect(throws: Refusal.token(-3)) { try key.sign(message, signing) }
                }
                #expect(device.prompts.count == 1)
                #expect {
                    try key.sign(message, signing)
                } throws: {
                    ($0 as? Refusal)?.text.hasPrefix("The operation couldn’t be completed. (CryptoTokenKit error -3 - ") == true
                }
                // It is deleted as every key is, and then it isn't there.
                #expect(SecItemDelete([kSecClass: kSecClassKey].merging(tag) { $1 } as CFDictionary) == errSecSuccess)
                #expect(throws: Refusal.token(-6)) { try key.sign(message, signing) }
            }
        }

        @Test("179: its row has the accessibility dk, and finding it with a ref asks nobody")
        func row() async throws {
            try await withDevice { device in
                _ = try enclaveKey([.privateKeyUsage, .biometryAny], isPermanent: true, "akpu", tag)
                let all: Fields = [kSecReturnRef: true, kSecReturnAttributes: true, kSecReturnData: true]
                let row = try #require(try find(tag.merging(all) { $1 }) as? [String: Any])
                #expect(row["pdmn"] as? String == "dk" && row["tkid"] as? String == "com.apple.setoken")
                #expect(row["v_Ref"] is SecKey && row["v_Data"] == nil && row["class"] as? String == "keys")
                for name in ["pubk", "cust"] { #expect(row[name] == nil) }
                _ = try findKey([kSecAttrAccessible: "dk"])
                #expect(throws: Refusal.status(errSecItemNotFound)) { try find([kSecAttrAccessible: "akpu"]) }
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("180: a program without a group of its own can't have one, -34018")
        func groups() async {
            await withDevice { device in
                device.accessGroups = []
                #expect(throws: Refusal.status(errSecMissingEntitlement)) { try enclaveKey() }
                device.accessGroups = ["mine"]
                #expect(throws: Refusal.status(errSecMissingEntitlement)) {
                    try enclaveKey(nil, "aku", [kSecAttrAccessGroup: "theirs"])
                }
            }
        }

        @Test("181: what its rule needs must be there: a passcode, a finger, an open device; and its name must be free")
        func needs() async throws {
            await withDevice(.touchID, enrolled: [], passcode: nil) { _ in
                #expect(throws: Refusal.status(errSecAuthFailed)) { try enclaveKey(.privateKeyUsage, "akpu") }
                #expect(throws: Refusal.status(errSecAuthFailed)) { try enclaveKey([.privateKeyUsage, .biometryAny]) }
            }
            try await withDevice { device in
                device.lock()
                #expect(throws: Refusal.status(errSecInteractionNotAllowed)) { try enclaveKey(.privateKeyUsage) }
                #expect(device.unlock(with: .passcode("1234")))
                let name: Fields = [kSecAttrApplicationLabel: Data("mine".utf8)]
                _ = try enclaveKey(nil, isPermanent: true, "aku", name)
                #expect(throws: Refusal.status(errSecDuplicateItem)) { try enclaveKey(nil, isPermanent: true, "aku", name) }
            }
        }

        @Test("182: the ref remembers the context it was found or made with, and its words")
        func remembered() async throws {
            try await withDevice { device in
                var context: LAContext? = LAContext()
                context?.localizedReason = "sign the contract"
                let key = try enclaveKey(
                    [.privateKeyUsage, .userPresence], isPermanent: true, "aku",
                    tag.merging([kSecUseAuthenticationContext: context!]) { $1 })
                context = nil
                device.answer(.match)
                #expect(try isSigned(key))
                #expect(device.prompts.last?.reason == "sign the contract")
                // The same context: it has shown it already.
                #expect(try isSigned(key))
                let used = LAContext()
                device.answer(.match)
                try await used.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "first")
                let found = try findKey(tag.merging([kSecUseAuthenticationContext: used]) { $1 })
                #expect(try isSigned(found))
                #expect(device.prompts.count == 2)
                // And without one each use asks.
                let plain = try findKey(tag)
                device.answer(.match, .match)
                #expect(try isSigned(plain))
                #expect(try isSigned(plain))
            }
        }

        @Test("183: deleting its row ends it: no ref works any more, and nothing finds it")
        func deleted() async throws {
            try await withDevice { _ in
                let key = try enclaveKey(nil, isPermanent: true, "aku", tag)
                let object = try #require(key.attributes["toid"] as? Data)
                #expect(SecItemDelete([kSecClass: kSecClassKey, kSecValueRef: key] as Fields as CFDictionary) == errSecSuccess)
                #expect(throws: Refusal.token(-6)) { try key.sign(message, signing) }
                #expect(throws: Refusal.status(errSecItemNotFound)) {
                    try readKey(
                        Data(), "73", "1", [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, "toid" as NSString: object])
                }
            }
        }

        @Test("107: a key of the when-unlocked class isn't used while the device is locked, -25308")
        func locked() async throws {
            try await withDevice { device in
                let key = try enclaveKey(.privateKeyUsage, isPermanent: true, "aku", tag)
                device.lock()
                #expect(throws: Refusal.status(errSecInteractionNotAllowed)) { try key.sign(message, signing) }
                #expect(try findKey(tag) == key)
            }
        }
    }
}
