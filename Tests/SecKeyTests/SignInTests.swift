import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbSecrets
import ThumbturnSimulator

@testable import ThumbClient

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

        /// A connection to a device on which the challenge of the statements above is changed on its way there.
        private static func changing(_ device: Int32) -> Int32? {
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
            let (mine, theirs) = (ends[0], ends[1])
            let challenge = (0..<32).map { UInt8($0) }
            for (from, to) in [(theirs, device), (device, theirs)] {
                Thread.detachNewThread {
                    var room = [UInt8](repeating: 0, count: 1 << 16)
                    while case let count = recv(from, &room, room.count, 0), count > 0 {
                        var said = Array(room[..<count])
                        if let place = said.firstRange(of: challenge)?.lowerBound { said[place] ^= 1 }
                        guard send(to, said, said.count, Int32(MSG_NOSIGNAL)) == said.count else { break }
                    }
                    // Both stay open until the test's process ends: the other thread may still be at one of them.
                    shutdown(to, Int32(SHUT_RDWR))
                }
            }
            return mine
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

        @Test("a signature over another statement than the app's is given to nobody, though its owner said yes")
        func anotherStatement() async throws {
            try await withDevice { simulated in
                let installed = Finding.installed.withLock { $0 }
                let connect = try #require(installed)
                DeviceClient.shared.install { connect().flatMap(Self.changing) }
                let key = try enclaveKey(flags)
                let text = statement(try device(key))
                simulated.answer(.match)
                // What Apple's calls return for a failure without a name.
                #expect(throws: Refusal.status(-26276)) { try key.sign(text, .signInStatement) }
                #expect(simulated.prompts.count == 1)
                // The same key over a connection that changes nothing.
                simulated.install()
                simulated.answer(.match)
                let signature = try key.sign(text, .signInStatement)
                #expect(try key.publicHalf.verifies(signature, of: text, .signInStatement))
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
