import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// Sign-in keys through the names that apps write.
    @Suite("Keys that sign in") struct SignInTests {
        private let flags: SecAccessControlCreateFlags = [.privateKeyUsage, .signIn, .biometryAny]

        private func statement(_ device: String, origin: String = "https://bank.example", account: String = "anna") -> Data {
            Data(
                """
                thumbturn sign-in 1
                origin \(origin)
                account \(account)
                purpose sign-in
                challenge AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8
                device \(device)

                """.utf8)
        }

        private func device(_ key: SecKey) throws -> String {
            try #require(key.attributes[kThumbturnKeyDevice as String] as? String)
        }

        @Test("a statement is signed, and its signature is that of SHA-256 over its bytes")
        func signs() async throws {
            try await withDevice { simulated in
                let key = try enclaveKey(flags, isPermanent: true)
                let (half, text) = (key.publicHalf, statement(try device(key)))
                #expect(key.can(.sign, .signInStatement) && half.can(.verify, .signInStatement))
                simulated.answer(.match)
                let signature = try key.sign(text, .signInStatement)
                #expect(try half.verifies(signature, of: text, .signInStatement))
                #expect(try half.verifies(signature, of: text, .ecdsaSignatureMessageX962SHA256))
                let other = statement(try device(key), account: "otto")
                #expect(try !half.verifies(signature, of: other, .signInStatement))
                #expect(throws: Refusal.status(errSecParam)) { try half.verifies(signature, of: message, .signInStatement) }
                let told = try #require(simulated.prompts.last?.signIn)
                #expect(told.origin == "https://bank.example" && told.account == "anna" && !told.registers)
            }
        }

        @Test("an app's reason and titles aren't shown, and a context that has shown enough is asked again")
        func words() async throws {
            try await withDevice { simulated in
                let key = try enclaveKey(flags, isPermanent: true, "aku", [kSecAttrApplicationTag: Data("in".utf8)])
                let context = LAContext()
                context.localizedReason = "sign in to https://other.example"
                context.localizedFallbackTitle = "Sign in to https://other.example"
                context.touchIDAuthenticationAllowableReuseDuration = 300
                simulated.answer(.match, .match)
                #expect(try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "open"))
                let found = try findKey([kSecAttrApplicationTag: Data("in".utf8), kSecUseAuthenticationContext: context])
                _ = try found.sign(statement(try device(key)), .signInStatement)
                #expect(simulated.prompts.count == 2)
                let shown = try #require(simulated.prompts.last)
                #expect(shown.reason.isEmpty && shown.fallbackTitle == nil && shown.signIn?.origin == "https://bank.example")
                context.invalidate()
                #expect(throws: Refusal.owner(-10)) { try found.sign(statement(try device(key)), .signInStatement) }
            }
        }

        @Test("it does nothing else, by any algorithm; and no other key signs statements that way")
        func nothingElse() async throws {
            try await withDevice { simulated in
                let key = try enclaveKey(flags)
                let others = [
                    try enclaveKey([.privateKeyUsage, .biometryAny]), try newKey(kSecAttrKeyTypeEC, 256), Shared.rsa2048,
                ]
                for algorithm in SupportTests.all {
                    for operation: SecKeyOperationType in [.sign, .verify, .encrypt, .decrypt, .keyExchange] {
                        #expect(!key.can(operation, algorithm))
                    }
                    #expect(throws: Refusal.status(errSecParam)) { try key.sign(message, algorithm) }
                    #expect(throws: Refusal.status(errSecParam)) { try key.decrypt(message, algorithm) }
                }
                let peer = Shared.curves[256]!.publicHalf
                #expect(throws: Refusal.status(errSecParam)) { try key.agree(with: peer, .ecdhKeyExchangeStandard) }
                #expect(throws: Refusal.status(errSecUnimplemented)) { try key.exported() }
                for other in others {
                    #expect(!other.can(.sign, .signInStatement))
                    #expect(other.attributes[kThumbturnKeyDevice as String] == nil)
                    #expect(throws: Refusal.status(errSecParam)) {
                        try other.sign(statement(try device(key)), .signInStatement)
                    }
                }
                #expect(!Shared.curves[384]!.publicHalf.can(.verify, .signInStatement))
                #expect(simulated.prompts.isEmpty)
            }
        }

        @Test("what isn't a statement of this key's is refused before anybody is asked")
        func malformed() async throws {
            try await withDevice { simulated in
                let (key, other) = (try enclaveKey(flags), try enclaveKey(flags))
                let right = statement(try device(key))
                let wrong = [
                    Data(), message, right.dropLast(), right + Data([0x0a]), statement(try device(other)), Data([0]) + right,
                    statement(try device(key), origin: "https://bank.example/"), statement(try device(key), account: "a b"),
                    Data(String(decoding: right, as: UTF8.self).replacing("\n", with: "\r\n").utf8),
                    Data(repeating: 0x61, count: 1 << 20),
                ]
                for data in wrong {
                    #expect(throws: Refusal.status(errSecParam)) { try key.sign(data, .signInStatement) }
                }
                #expect(simulated.prompts.isEmpty)
            }
        }

        @Test("the flag needs a key's use and a constraint that asks the owner, and is refused without either")
        func flag() throws {
            func rule(_ flags: SecAccessControlCreateFlags) -> SecAccessControl? {
                SecAccessControlCreateWithFlags(nil, "aku" as NSString, flags, nil)
            }
            #expect(rule(flags) != nil && rule([.privateKeyUsage, .signIn, .userPresence]) != nil)
            #expect(rule(.signIn) == nil && rule([.signIn, .biometryAny]) == nil && rule([.signIn, .privateKeyUsage]) == nil)
        }
    }
}
