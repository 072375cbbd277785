import Testing
import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbSecrets
import ThumbSignIn
import ThumbturnSimulator
import thumbturn_test_support

/// Sign-in keys at the daemon, below Apple's names: what a client of its own may try.
extension OnDevice {
    @Suite("Sign-in keys at the daemon") struct SignInKeyTests {
        private let client = DeviceClient.shared
        private let challenge = (0..<32).map(UInt8.init)
        private let bank = SignInWords(origin: "https://bank.example", account: "anna@bank.example", purpose: .signIn)

        private func key(
            _ constraints: Constraints = [.privateKeyUsage, .signIn, .biometryAny], isEnclave: Bool = true,
            isPermanent: Bool = true
        ) throws -> KeyRecord {
            try client.makeKey(
                NewKey(
                    kind: .elliptic(.p256), isEnclave: isEnclave, isPermanent: isPermanent, attributes: [.label: .text("key")],
                    rule: AccessRule(.whenUnlockedThisDeviceOnly, constraints)))
        }

        private func name(_ record: KeyRecord) -> KeyName {
            record.detached.map(KeyName.detached) ?? .stored(record.item.persistentRef)
        }

        private func publicKey(_ record: KeyRecord) throws -> PublicKey {
            guard case .data(let bytes)? = record.item.attributes[.publicKey] else { throw KeychainFailure.damaged }
            return try PublicKey(external: bytes, .elliptic)
        }

        private func signature(
            _ record: KeyRecord, _ words: SignInWords? = nil, asking: AskingTerms = AskingTerms()
        ) throws(KeyUseFailure) -> [UInt8] {
            let product = try client.sign(
                StatementUse(name(record), words ?? bank, challenge: challenge, asking: asking))
            return product.bytes.plainBytes(in: 0..<product.bytes.count)
        }

        /// The statement that `key` should have signed, written out by hand.
        private func statement(_ record: KeyRecord, _ purpose: String = "sign-in") throws -> [UInt8] {
            let device = Base64URL.encoded(try HashFunction.sha256.hash(publicKey(record).spki))
            return Array(
                """
                thumbturn sign-in 1
                origin https://bank.example
                account anna@bank.example
                purpose \(purpose)
                challenge AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8
                device \(device)

                """.utf8)
        }

        @Test("it signs the statement of its own name, and the prompt says where and as whom", arguments: [true, false])
        func signs(isPermanent: Bool) async throws {
            try await withDevice { device in
                let record = try key(isPermanent: isPermanent)
                device.answer(.match, .match)
                let words = PromptWords(reason: "sign in to https://other.example", fallbackTitle: "Yes", cancelTitle: "No")
                let signature = try signature(record, asking: AskingTerms(words: words))
                let digest = try HashFunction.sha256.hash(statement(record))
                #expect(try publicKey(record).isSignature(signature, of: digest, .ecdsa))
                let shown = try #require(device.prompts.last)
                let told = try #require(shown.signIn)
                #expect(told.origin == bank.origin.text && told.account == bank.account.text && !told.registers)
                #expect(shown.reason.isEmpty && shown.fallbackTitle == nil && shown.cancelTitle == nil)

                var registering = bank
                registering.purpose = .register
                let other = try self.signature(record, registering)
                let registered = try HashFunction.sha256.hash(statement(record, "register"))
                #expect(try publicKey(record).isSignature(other, of: registered, .ecdsa))
                #expect(device.prompts.last?.signIn?.registers == true)
            }
        }

        @Test("it refuses every raw signature, agreement and decryption, unasked", arguments: [true, false])
        func refusesAllElse(isPermanent: Bool) async throws {
            try await withDevice { device in
                let record = try key(isPermanent: isPermanent)
                let half = try publicKey(record)
                let digest = try HashFunction.sha256.hash(statement(record))
                let schemes: [EncryptionScheme] = HashFunction.allCases.flatMap {
                    [.ecies($0, derivesNonce: false), .ecies($0, derivesNonce: true)]
                }
                let operations: [KeyOperation] =
                    [.sign(digest: digest, .ecdsa), .sign(digest: digest, .rsaRaw), .agree(peer: half.external, .raw)]
                    + HashFunction.allCases.map { .agree(peer: half.external, .x963($0, count: 32, sharedInfo: [])) }
                    + schemes.map { .decrypt([7], $0) }
                for operation in operations {
                    #expect(throws: KeychainFailure.unsupported) { try client.use(KeyUse(name(record), operation)) }
                }
                #expect(device.prompts.isEmpty)
                #expect(try client.audit().contains { $0.itemClass == .key && $0.failure == .unsupported && $0.ring == .notice })
            }
        }

        @Test("no other key signs statements, and the owner isn't asked")
        func othersRefuse() async throws {
            try await withDevice { device in
                let others = [
                    try key([.privateKeyUsage, .biometryAny]), try key([]), try key([], isPermanent: false),
                    try key([], isEnclave: false), try key(.userPresence, isEnclave: false),
                ]
                for other in others {
                    #expect(throws: KeyUseFailure.keychain(.unsupported)) { try signature(other) }
                }
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("the owner is asked for each statement, whatever a context has shown, and the yes counts for nothing else")
        func asksEachTime() async throws {
            try await withDevice { device in
                let (record, other) = (try key(), try key([.privateKeyUsage, .biometryAny]))
                let asking = AskingTerms(context: 7, reuseSeconds: 300, words: PromptWords(reason: "open"))
                let digest = [UInt8](repeating: 1, count: 32)
                // The session was just unlocked by finger, and the context has shown one: enough for every other key.
                device.lock()
                device.unlock(with: .biometry)
                device.answer(.match, .match)
                _ = try client.use(
                    KeyUse(
                        name(other), .sign(digest: digest, .ecdsa),
                        asking: AskingTerms(context: 7, words: PromptWords(reason: "open"))))
                #expect(device.prompts.count == 1)
                _ = try signature(record, asking: asking)
                #expect(device.prompts.count == 2)
                #expect(throws: KeyUseFailure.owner(.notInteractive)) {
                    try signature(record, asking: AskingTerms(context: 7, permission: .fail, reuseSeconds: 300))
                }
                // A context that has shown nothing but a sign-in opens nothing.
                device.answer(.match, .cancel)
                _ = try signature(record, asking: AskingTerms(context: 8))
                #expect(throws: KeychainFailure.userCanceled) {
                    try client.use(KeyUse(name(other), .sign(digest: digest, .ecdsa), asking: AskingTerms(context: 8)))
                }
            }
        }

        @Test("words that can't stand in a statement are refused before anybody is asked")
        func words() async throws {
            try await withDevice { device in
                let record = try key()
                let origins = [
                    "", "https://bank.example/", "http://bank.example", "https://bank.example\npurpose register",
                    "https://b\u{1b}[2Jank.example", "https://b\u{202e}ank.example", "https://BANK.example",
                    "https://" + String(repeating: "a", count: 248),
                ]
                for origin in origins {
                    var words = bank
                    words.origin = ExactName(origin)
                    #expect(throws: KeyUseFailure.keychain(.parameter)) { try signature(record, words) }
                }
                let accounts = [
                    "", "anna at https://other.example", "anna\u{1b}]0;x\u{7}", "änna", "a\nb", "anna\u{200b}",
                    String(repeating: "a", count: 129),
                ]
                for account in accounts {
                    var words = bank
                    words.account = ExactName(account)
                    #expect(throws: KeyUseFailure.keychain(.parameter)) { try signature(record, words) }
                }
                for count in [0, 31, 33] {
                    let use = StatementUse(name(record), bank, challenge: [UInt8](repeating: 1, count: count))
                    #expect(throws: KeyUseFailure.keychain(.parameter)) { try client.sign(use) }
                }
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("no update makes another key one for signing in, or one for signing in another")
        func stays() async throws {
            try await withDevice { device in
                let (record, other) = (try key(), try key([.privateKeyUsage, .biometryAny]))
                let software = try key([], isEnclave: false)
                func change(_ record: KeyRecord, to constraints: Constraints) throws {
                    let query = Query(itemClass: .key, persistentRef: record.item.persistentRef)
                    let rule = try AccessRule(.whenUnlockedThisDeviceOnly, constraints)
                    try client.update(query, with: ItemChange(rule: rule))
                }
                device.answerAlways(.match)
                #expect(throws: KeychainFailure.parameter) { try change(record, to: [.privateKeyUsage, .biometryAny]) }
                #expect(throws: KeychainFailure.parameter) { try change(record, to: []) }
                let signIn: Constraints = [.privateKeyUsage, .signIn, .biometryAny]
                #expect(throws: KeychainFailure.parameter) { try change(other, to: signIn) }
                #expect(throws: KeychainFailure.authenticationFailed) { try change(software, to: signIn) }
                device.answerAlways(nil)
                let query = Query(itemClass: .key, persistentRef: record.item.persistentRef)
                // The row is changed unasked; the signature asks.
                device.answer(.match)
                try client.update(query, with: ItemChange(attributes: [.label: .text("renamed")]))
                _ = try signature(record)
            }
        }

        @Test("nothing but a key that a custodian holds can be under such a rule, and none comes out")
        func keysAlone() async throws {
            try await withDevice { _ in
                let rule = try AccessRule(.whenUnlockedThisDeviceOnly, [.privateKeyUsage, .signIn, .userPresence])
                let secret = try SecretBytes(copying: [1, 2, 3])
                for itemClass: ItemClass in [.genericPassword, .key, .certificate] {
                    #expect(throws: KeychainFailure.authenticationFailed) {
                        try client.add(NewItem(itemClass: itemClass, attributes: [:], rule: rule, secret: secret))
                    }
                }
                #expect(throws: KeychainFailure.authenticationFailed) {
                    try key([.privateKeyUsage, .signIn, .userPresence], isEnclave: false)
                }
                let record = try key()
                let found = try client.find(
                    Query(itemClass: .key, persistentRef: record.item.persistentRef, shape: [.data, .attributes]))
                #expect(found.count == 1 && found[0].secret == nil && found[0].rule.isForSigningIn)
            }
        }

        @Test("its fingers changed, it is gone for good; the audit has what was signed and what was refused")
        func dies() async throws {
            try await withDevice { device in
                let record = try key([.privateKeyUsage, .signIn, .biometryCurrentSet])
                device.answer(.match, .cancel)
                _ = try signature(record)
                #expect(throws: KeyUseFailure.owner(.userCancel)) { try signature(record) }
                device.enroll("stranger")
                #expect(throws: KeyUseFailure.keychain(.damaged)) { try signature(record) }
                let records = try client.audit()
                #expect(records.contains { $0.event == .statementSigned && $0.failure == nil && $0.factors == [.biometry] })
                #expect(records.contains { $0.failure == .userCanceled })
            }
        }
    }
}
