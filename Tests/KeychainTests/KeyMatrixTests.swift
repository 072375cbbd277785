import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// Plays the table of keys.
    @Suite("The matrix of rules, contexts and happenings, for keys") struct KeyMatrixTests {
        enum Operation: String, CaseIterable { case sign, agree, decrypt }

        private static var message: CFData { Data("message".utf8) as CFData }
        private static let ecies = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM

        @Test("the table has every rule, context and happening, and each once")
        func complete() {
            let cells = KeyMatrix.rows.flatMap { row in row.happenings.map { "\(row.rule) \(row.hands) \($0)" } }
            let rows = KeychainMatrix.rules.count * KeychainMatrix.Hands.allCases.count
            #expect(KeyMatrix.rows.count == rows && rows == 69)
            #expect(Set(cells).count == 690 && cells.count == 690)
            #expect(KeyMatrix.rows.allSatisfy { $0.words.count == $0.happenings.count })
        }

        @Test("each cell of the table comes out as it says, for signing, agreeing and decrypting", arguments: KeyMatrix.rows)
        func row(_ row: KeyMatrix.Row) async throws {
            var came: [Operation: [String]] = [:]
            for happening in row.happenings {
                try await withDevice { device in
                    let words = try await play(row, happening, device)
                    for (operation, word) in words { came[operation, default: []].append(word) }
                }
            }
            for operation in Operation.allCases { #expect(came[operation] == row.words, "\(row), \(operation)") }
        }

        private func play(
            _ row: KeyMatrix.Row, _ happening: KeychainMatrix.Happening, _ device: SimulatedDevice
        ) async throws -> [(Operation, String)] {
            let matrix = MatrixTests()
            let made = try make(row.flags, matrix.made(for: row.flags))
            let peer = try #require(
                SecKeyCreateRandomKey([kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256] as CFDictionary, nil))
            let sealed = try #require(SecKeyCreateEncryptedData(SecKeyCopyPublicKey(made)!, Self.ecies, Self.message, nil))
            func use(_ operation: Operation, _ context: LAContext) -> String {
                let asked = device.prompts.count
                var error: Unmanaged<CFError>?
                guard let key = found(context) else { return "not found" }
                let result: CFData? =
                    switch operation {
                    case .sign: SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, Self.message, &error)
                    case .agree:
                        SecKeyCopyKeyExchangeResult(
                            key, .ecdhKeyExchangeStandard, SecKeyCopyPublicKey(peer)!, [:] as CFDictionary, &error)
                    case .decrypt: SecKeyCreateDecryptedData(key, Self.ecies, sealed, &error)
                    }
                let mark = device.prompts.count > asked ? "P" : "."
                guard result == nil else { return mark }
                guard let failure = error?.takeRetainedValue() else { return "no error" }
                let domains = ["com.apple.LocalAuthentication": "LA", "CryptoTokenKit": "TK", "NSOSStatusErrorDomain": ""]
                return (domains[failure.domain] ?? failure.domain) + "\(failure.code)" + (mark == "P" ? "P" : "")
            }
            var reused: [Operation: LAContext] = [:]
            if row.hands == .reused {
                device.approveEverything()
                for operation in Operation.allCases {
                    let context = matrix.made(for: row.flags)
                    // What it comes to is the table's own first column.
                    _ = use(operation, context)
                    reused[operation] = context
                }
                device.answerAlways(nil)
            }
            await matrix.bring(about: happening, on: device)
            device.approveEverything()
            return Operation.allCases.map { operation in
                let context = reused[operation] ?? matrix.made(for: row.flags)
                context.interactionNotAllowed = row.hands == .silent
                return (operation, use(operation, context))
            }
        }

        private func make(_ flags: SecAccessControlCreateFlags, _ context: LAContext) throws -> SecKey {
            let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
            let fields: Fields = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecUseAuthenticationContext: context,
                kSecPrivateKeyAttrs: [kSecAttrAccessControl: control, kSecAttrApplicationTag: "key"] as Fields,
            ]
            return try #require(SecKeyCreateRandomKey(fields as CFDictionary, nil))
        }

        private func found(_ context: LAContext) -> SecKey? {
            var result: AnyObject?
            let query: Fields = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: "key", kSecReturnRef: true,
                kSecUseAuthenticationContext: context,
            ]
            return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess ? result as? SecKey : nil
        }
    }
}
