import Foundation
import LocalAuthentication
import Security
import Testing

// Code in the manner of apps: that it compiles as it stands is most of the test.

private enum KeyStoreError: Error {
    case unhandled(OSStatus)
    case noPublicKey
    case unsupported
}

private struct DeviceKeyStore {
    let tag = "com.example.app.device".data(using: .utf8)!

    func create() throws -> SecKey {
        var error: Unmanaged<CFError>?
        guard
            let access = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet], &error
            )
        else { throw error!.takeRetainedValue() as any Error }
        let attributes: NSDictionary = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true,
                kSecAttrApplicationTag: tag,
                kSecAttrAccessControl: access,
            ],
        ]
        guard let key = SecKeyCreateRandomKey(attributes, &error) else { throw error!.takeRetainedValue() as any Error }
        return key
    }

    func load(context: LAContext? = nil) throws -> SecKey? {
        var query: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: tag,
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecReturnRef as String: true,
        ]
        if let context { query[kSecUseAuthenticationContext as String] = context }
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        switch status {
        case errSecSuccess: return (item as! SecKey)
        case errSecItemNotFound: return nil
        default: throw KeyStoreError.unhandled(status)
        }
    }

    func encrypt(_ text: String, to key: SecKey) throws -> Data {
        guard let publicKey = SecKeyCopyPublicKey(key) else { throw KeyStoreError.noPublicKey }
        let algorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
        guard SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm) else { throw KeyStoreError.unsupported }
        var error: Unmanaged<CFError>?
        guard let data = SecKeyCreateEncryptedData(publicKey, algorithm, Data(text.utf8) as CFData, &error) as Data? else {
            throw error!.takeRetainedValue() as (any Error)
        }
        return data
    }

    func decrypt(_ data: Data, with key: SecKey) throws -> String {
        var error: Unmanaged<CFError>?
        let algorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
        guard let plain = SecKeyCreateDecryptedData(key, algorithm, data as CFData, &error) as Data? else {
            throw error!.takeRetainedValue() as (any Error)
        }
        return String(decoding: plain, as: UTF8.self)
    }
}

/// A server that knows the public key alone.
private struct Server {
    let publicKey: Data

    func accepts(_ signature: Data, of challenge: Data) -> Bool {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeyClass as String: kSecAttrKeyClassPublic,
        ]
        guard let key = SecKeyCreateWithData(publicKey as CFData, attributes as CFDictionary, nil) else { return false }
        return SecKeyVerifySignature(key, .ecdsaSignatureMessageX962SHA256, challenge as CFData, signature as CFData, nil)
    }
}

extension OnDevice {
    @Suite("Sources as they are written for Apple's systems") struct SourceTests {
        @Test("a device key is made, found, used to sign for a server and to decrypt, and its refusal caught")
        func device() async throws {
            try await withDevice { device in
                let store = DeviceKeyStore()
                #expect(try store.load() == nil)
                let made = try store.create()
                let key = try #require(try store.load())
                let publicKey = try #require(
                    SecKeyCopyPublicKey(made).flatMap { SecKeyCopyExternalRepresentation($0, nil) as Data? })
                let server = Server(publicKey: publicKey)
                let challenge = Data("who are you?".utf8)
                device.answer(.match, .match, .cancel)
                var error: Unmanaged<CFError>?
                let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, challenge as CFData, &error) as Data?
                #expect(server.accepts(try #require(signature), of: challenge))
                #expect(!server.accepts(try #require(signature), of: challenge + [0]))
                #expect(try store.decrypt(store.encrypt("a secret", to: key), with: key) == "a secret")
                do {
                    _ = try store.decrypt(store.encrypt("a secret", to: key), with: key)
                    Issue.record("decrypted though it was cancelled")
                } catch let error as LAError {
                    #expect(error.code == .userCancel)
                }
            }
        }

        @Test("one context signs and decrypts after one prompt")
        func context() async throws {
            try await withDevice { device in
                let store = DeviceKeyStore()
                _ = try store.create()
                let context = LAContext()
                context.localizedReason = "Sign in to Example"
                let key = try #require(try store.load(context: context))
                device.answer(.match)
                #expect(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, nil) != nil)
                #expect(try store.decrypt(store.encrypt("a secret", to: key), with: key) == "a secret")
                #expect(device.prompts.map(\.reason) == ["Sign in to Example"])
            }
        }
    }
}
