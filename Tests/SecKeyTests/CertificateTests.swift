import Foundation
import Security
import Testing
import ThumbturnSimulator
import thumbturn_test_support

extension OnDevice {
    /// Certificates as items, alone and with their keys.
    @Suite("Certificates in the keychain") struct CertificateTests {
        private func certificate(_ data: Data) throws -> SecCertificate {
            try #require(SecCertificateCreateWithData(nil, data as CFData))
        }

        private func update(_ query: Fields, _ change: Fields) -> OSStatus {
            SecItemUpdate(query as CFDictionary, change as CFDictionary)
        }

        @Test(
            "38: a certificate that is named by its reference isn't found either if it must be trusted, or valid on another day")
        func reference() async throws {
            try await withDevice { _ in
                var result: AnyObject?
                let new: Fields = [kSecValueRef: try certificate(TestCertificate.leaf), kSecReturnPersistentRef: true]
                #expect(SecItemAdd(new as CFDictionary, &result) == errSecSuccess)
                let query: Fields = [kSecValuePersistentRef: try #require(result as? Data), kSecReturnData: true]
                func status(_ more: Fields) -> OSStatus {
                    var found: AnyObject?
                    return SecItemCopyMatching(query.merging(more) { $1 } as CFDictionary, &found)
                }
                #expect(status([:]) == errSecSuccess)
                #expect(status([kSecMatchTrustedOnly: false]) == errSecSuccess)
                #expect(status([kSecMatchTrustedOnly: true]) == errSecUnimplemented)
                #expect(status([kSecMatchValidOnDate: Date(timeIntervalSince1970: 0)]) == errSecItemNotFound)
                #expect(status([kSecMatchValidOnDate: Date()]) == errSecSuccess)
                #expect(status([kSecMatchEmailAddressIfPresent: "ada@example.org"]) == errSecSuccess)
                #expect(status([kSecMatchEmailAddressIfPresent: "eve@example.org"]) == errSecItemNotFound)
            }
        }

        @Test("A certificate's new data is a certificate, and what is said of the item is said of that one; its label stays")
        func updated() async throws {
            try await withDevice { _ in
                try add([kSecValueRef: try certificate(TestCertificate.leaf), kSecAttrLabel: "mine"])
                let query: Fields = [kSecClass: kSecClassCertificate, kSecAttrLabel: "mine"]
                #expect(update(query, [kSecValueData: Data("no certificate".utf8)]) == errSecParam)
                #expect(update(query, [kSecValueData: TestCertificate.own]) == errSecSuccess)
                var result: AnyObject?
                let all: Fields = [kSecReturnAttributes: true, kSecReturnData: true]
                #expect(SecItemCopyMatching(query.merging(all) { $1 } as CFDictionary, &result) == errSecSuccess)
                let found = try #require(result as? [String: Any])
                #expect(found["v_Data"] as? Data == TestCertificate.own)
                // So it makes an identity with its own key.
                try add([kSecValueRef: try readKey(TestCertificate.ownKey, "73", "1")])
                #expect(try find([kSecClass: kSecClassIdentity, kSecReturnRef: true]) is SecIdentity)
                let whole: Fields = [kSecValueRef: try certificate(TestCertificate.own), kSecReturnRef: true]
                #expect(SecItemCopyMatching(whole as CFDictionary, &result) == errSecSuccess)
            }
        }

        @Test("10: of an identity whose key can't be stored the certificate doesn't stay either, unless it was there before")
        func half() async throws {
            try await withDevice { _ in
                let mine = try certificate(TestCertificate.own)
                let key = try readKey(TestCertificate.ownKey, "73", "1")
                let identity = try #require(SecIdentityCreate(nil, mine, key))
                // An attribute that only keys have, and none that a key takes.
                let wrong: Fields = [kSecValueRef: identity, kSecAttrApplicationTag: 42]
                let query: Fields = [kSecClass: kSecClassCertificate, kSecReturnRef: true]
                var result: AnyObject?
                #expect(throws: Refusal.status(errSecParam)) { try add(wrong) }
                #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecItemNotFound)
                try add([kSecValueRef: mine])
                #expect(throws: Refusal.status(errSecParam)) { try add(wrong) }
                #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            }
        }

        @Test("10: an identity has the private key of its certificate, and not one that was there before")
        func ownKey() async throws {
            try await withDevice { _ in
                let key = try readKey(TestCertificate.ownKey, "73", "1")
                for object in [Shared.curves[256]!, key] { try add([kSecValueRef: object]) }
                try add([kSecValueRef: try certificate(TestCertificate.own)])
                let identity = try #require(try find([kSecClass: kSecClassIdentity, kSecReturnRef: true]) as? SecIdentity)
                var own: SecKey?
                #expect(SecIdentityCopyPrivateKey(identity, &own) == errSecSuccess)
                #expect(own == key)
            }
        }
    }
}
