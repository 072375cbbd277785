import Testing
import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbSecrets
import ThumbturnSimulator
import thumbturn_test_support

/// Keys as the daemon makes and uses them, below Apple's names: what a client of its own may try.
extension OnDevice {
    @Suite("Keys at the daemon") struct KeyCallTests {
        private let client = DeviceClient.shared
        private let digest = [UInt8](repeating: 7, count: 32)

        private func rule(_ constraints: Constraints) throws -> AccessRule {
            try AccessRule(.whenUnlockedThisDeviceOnly, constraints)
        }

        private func enclaveKey(_ constraints: Constraints = [], isPermanent: Bool = false) throws -> KeyRecord {
            try client.makeKey(
                NewKey(
                    kind: .elliptic(.p256), isEnclave: true, isPermanent: isPermanent, attributes: [.label: .text("key")],
                    rule: rule(constraints)))
        }

        private func name(_ record: KeyRecord) -> KeyName {
            record.detached.map(KeyName.detached) ?? .stored(record.item.persistentRef)
        }

        private func publicKey(_ record: KeyRecord) throws -> PublicKey {
            guard case .data(let bytes)? = record.item.attributes[.publicKey] else { throw KeychainFailure.damaged }
            return try PublicKey(external: bytes, .elliptic)
        }

        private func isSigned(_ record: KeyRecord) throws -> Bool {
            let product = try client.use(KeyUse(name(record), .sign(digest: digest, .ecdsa)))
            #expect(product.custodian == .software)
            let signature = product.bytes.plainBytes(in: 0..<product.bytes.count)
            return try publicKey(record).isSignature(signature, of: digest, .ecdsa)
        }

        @Test("a key signs, in the keychain and in its maker's hands, and never comes out", arguments: [true, false])
        func signs(isPermanent: Bool) async throws {
            try await withDevice { _ in
                let record = try enclaveKey(isPermanent: isPermanent)
                #expect((record.detached == nil) == isPermanent)
                #expect(record.item.secret == nil)
                // Whoever made it: a query by token or use finds it.
                #expect(record.item.attributes[.token] == .text("com.apple.setoken"))
                #expect(record.item.attributes[try #require(AttributeName("sign"))] == .number(1))
                #expect(try isSigned(record))
                guard isPermanent else { return }
                let found = try client.find(
                    Query(itemClass: .key, persistentRef: record.item.persistentRef, shape: [.data, .attributes]))
                #expect(found.count == 1 && found[0].secret == nil)
            }
        }

        @Test("a key with a rule is used when the owner says so, each time")
        func asks() async throws {
            try await withDevice { device in
                let record = try enclaveKey([.privateKeyUsage, .userPresence])
                #expect(device.prompts.isEmpty)
                device.answer(.match, .cancel)
                #expect(try isSigned(record))
                #expect(throws: KeychainFailure.userCanceled) { try isSigned(record) }
                #expect(device.prompts.count == 2)
            }
        }

        @Test("the audit has a key's making and each use of it, with what the owner had shown", arguments: [true, false])
        func noted(isPermanent: Bool) async throws {
            try await withDevice { device in
                let record = try enclaveKey([.privateKeyUsage, .userPresence], isPermanent: isPermanent)
                device.answer(.match)
                #expect(try isSigned(record))
                let records = try client.audit().filter { $0.itemClass == .key && $0.failure == nil }
                // Nothing else shows that there is a key which its maker keeps itself.
                #expect(records.contains { $0.event == .added && $0.ring == .notice })
                #expect(records.contains { $0.event == .keyUsed && $0.factors == [.biometry] })
                #expect(!records.contains { $0.event == .statementSigned })
            }
        }

        @Test("83: an enclave key whose rule doesn't speak of its use is refused, unasked")
        func withoutUsage() async throws {
            try await withDevice { device in
                let record = try enclaveKey(.userPresence)
                #expect(throws: KeychainFailure.authenticationFailed) { try isSigned(record) }
                #expect(device.prompts.isEmpty)
                #expect(try client.audit().contains { $0.itemClass == .key && $0.failure == .authenticationFailed })
            }
        }

        @Test("a sealed form opens at its own device only, whole, and not in a store's place")
        func sealedForms() async throws {
            var sealed: [UInt8] = []
            try await withDevice { _ in
                let record = try enclaveKey()
                sealed = try #require(record.detached)
                for index in sealed.indices {
                    var changed = sealed
                    changed[index] ^= 1
                    #expect(throws: KeychainFailure.parameter) {
                        try client.use(KeyUse(.detached(changed), .sign(digest: digest, .ecdsa)))
                    }
                    #expect(throws: KeychainFailure.parameter) { try client.readKey(detached: Array(sealed.prefix(index))) }
                }
                #expect(try client.readKey(detached: sealed).item.attributes == record.item.attributes)
            }
            await withDevice { _ in
                #expect(throws: KeychainFailure.parameter) { try client.readKey(detached: sealed) }
            }
        }

        @Test("a detached key can be kept, and stays under the rule it was made with")
        func kept() async throws {
            try await withDevice { device in
                let record = try enclaveKey([.privateKeyUsage, .biometryCurrentSet])
                let sealed = try #require(record.detached)
                #expect(throws: KeychainFailure.noSuchAttribute) {
                    try client.keepKey(detached: sealed, [.custodian: .number(2)])
                }
                let kept = try client.keepKey(detached: sealed, [.label: .text("other"), .publicKey: .data([4])])
                #expect(kept.item.attributes[.publicKey] == record.item.attributes[.publicKey])
                device.answer(.match)
                #expect(try isSigned(kept))
                device.enroll("stranger")
                #expect(throws: KeychainFailure.damaged) { try isSigned(kept) }
                #expect(throws: KeychainFailure.damaged) { try isSigned(record) }
            }
        }

        @Test("whoever keeps a detached key says what it is called, and not what it is")
        func keptAsMade() async throws {
            try await withDevice { _ in
                let record = try enclaveKey()
                let said: Attributes = [
                    .label: .text("other"), .keyClass: .number(0), .type: .number(42), .keySize: .number(384),
                    .effectiveKeySize: .number(128),
                ]
                let kept = try client.keepKey(detached: try #require(record.detached), said)
                #expect(kept.item.attributes[.label] == .text("other"))
                for name: AttributeName in [.keyClass, .type, .keySize, .effectiveKeySize] {
                    #expect(kept.item.attributes[name] == record.item.attributes[name], "\(name)")
                }
                #expect(try isSigned(kept))
            }
        }

        @Test("an Enclave key is no other token's, and isn't synchronized, because whoever keeps it says so")
        func keptHere() async throws {
            try await withDevice { _ in
                let record = try enclaveKey()
                let detached = try #require(record.detached)
                for said: Attributes in [[.token: .text("com.example.card")], [.synchronizable: .number(1)]] {
                    #expect(throws: KeychainFailure.parameter) { try client.keepKey(detached: detached, said) }
                }
                let own = try #require(record.item.attributes[.token])
                let kept = try client.keepKey(detached: detached, [.token: own, .synchronizable: .number(0)])
                #expect(kept.item.attributes[.token] == own)
            }
        }

        @Test("the device makes no Enclave key on another curve, and no key that neither stays nor is held")
        func unmade() async {
            await withDevice { _ in
                for (curve, isEnclave, isPermanent) in [
                    (Curve.p384, true, true), (.p521, true, false), (.p256, false, false),
                ] {
                    #expect(throws: KeychainFailure.parameter) {
                        try client.makeKey(
                            NewKey(
                                kind: .elliptic(curve), isEnclave: isEnclave, isPermanent: isPermanent, attributes: [:],
                                rule: rule([])))
                    }
                }
            }
        }

        @Test("a detached key whose fingers have changed isn't alive again because it is put into the keychain")
        func keptDead() async throws {
            try await withDevice { device in
                let record = try enclaveKey([.privateKeyUsage, .biometryCurrentSet])
                let sealed = try #require(record.detached)
                device.enroll("stranger")
                let kept = try client.keepKey(detached: sealed, [.label: .text("late")])
                #expect(throws: KeychainFailure.damaged) { try isSigned(kept) }
            }
        }

        @Test("a program can't say itself who holds a key, nor change what a key is")
        func forged() async throws {
            try await withDevice { _ in
                let secret = try SecretBytes(copying: [1, 2, 3])
                #expect(throws: KeychainFailure.noSuchAttribute) {
                    try client.add(
                        NewItem(
                            itemClass: .key, attributes: [.custodian: .number(2), .token: .text("com.apple.setoken")],
                            rule: rule([]), secret: secret))
                }
                for isEnclave in [true, false] {
                    #expect(throws: KeychainFailure.noSuchAttribute) {
                        try client.makeKey(
                            NewKey(
                                kind: .elliptic(.p256), isEnclave: isEnclave, isPermanent: true,
                                attributes: [.custodian: .number(2)], rule: rule([])))
                    }
                }
                let record = try enclaveKey(isPermanent: true)
                let query = Query(itemClass: .key, persistentRef: record.item.persistentRef)
                for change in [
                    ItemChange(secret: secret), ItemChange(rule: try rule([])), ItemChange(attributes: [.keySize: .number(384)]),
                    ItemChange(attributes: [.publicKey: .data([4])]),
                ] {
                    #expect(throws: KeychainFailure.parameter) { try client.update(query, with: change) }
                }
                #expect(throws: KeychainFailure.noSuchAttribute) {
                    try client.update(query, with: ItemChange(attributes: [.custodian: .number(2)]))
                }
                try client.update(query, with: ItemChange(attributes: [.label: .text("renamed")]))
                #expect(try isSigned(record))
            }
        }

        @Test("a key of another program's is not this one's, stored or sealed")
        func groups() async throws {
            try await withDevice { device in
                let stored = try enclaveKey(isPermanent: true)
                let sealed = try enclaveKey()
                device.accessGroups = ["another"]
                // Another program from here on.
                device.install()
                #expect(throws: KeychainFailure.itemNotFound) { try isSigned(stored) }
                #expect(throws: KeychainFailure.missingEntitlement) { try isSigned(sealed) }
            }
        }

        @Test("an elliptic key that may leave is made, found and released as its rule says", arguments: Curve.allCases)
        func software(curve: Curve) async throws {
            try await withDevice { _ in
                let record = try client.makeKey(
                    NewKey(kind: .elliptic(curve), isEnclave: false, isPermanent: true, attributes: [:], rule: rule([])))
                #expect(try isSigned(record))
                let found = try client.find(Query(itemClass: .key, persistentRef: record.item.persistentRef, shape: .data))
                #expect(found.first?.secret?.count == curve.pointBytes + curve.fieldBytes)
            }
        }
    }
}
