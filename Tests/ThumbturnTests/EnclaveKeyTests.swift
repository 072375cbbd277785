import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator
import thumbturn_test_programs
import thumbturn_test_support

extension OnDevice {
    @Suite("Enclave keys")
    @MainActor final class EnclaveKeyTests {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234").install()
        private let message = Data("what is signed".utf8)

        deinit { device.uninstall() }

        @Test("A key is made once under its name, found, listed in order and removed, and nobody is asked")
        func names() throws {
            #expect(try EnclaveKey.find("b") == nil && EnclaveKey.list().isEmpty)
            let key = try EnclaveKey.create("b")
            #expect(key.name == "b" && key.custodian == .software)
            #expect(throws: EnclaveKeyError.alreadyExists) { try EnclaveKey.create("b") }
            let other = try EnclaveKey.create("a")
            #expect(try EnclaveKey.find("b") == key && key != other && key.publicKey != other.publicKey)
            // A key that may leave isn't such a one.
            let attributes: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
                kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data("c".utf8),
            ]
            #expect(SecKeyCreateRandomKey(attributes as CFDictionary, nil) != nil)
            #expect(try EnclaveKey.list() == [other, key])
            #expect(try EnclaveKey.remove("b") && !EnclaveKey.remove("b"))
            #expect(try EnclaveKey.list() == [other])
            #expect(device.prompts.isEmpty)
        }

        @Test("A name is one key's in each access group, and what names a group finds and removes nothing of another one's")
        func groups() throws {
            device.accessGroups = ["first", "second"]
            device.install()
            let one = try EnclaveKey.create("key", accessGroup: "first")
            let other = try EnclaveKey.create("key", accessGroup: "second")
            #expect(one.publicKey != other.publicKey)
            #expect(try EnclaveKey.find("key", accessGroup: "first") == one)
            #expect(try EnclaveKey.list(accessGroup: "second") == [other])
            #expect(try EnclaveKey.remove("key", accessGroup: "first"))
            #expect(try EnclaveKey.find("key", accessGroup: "first") == nil)
            #expect(try EnclaveKey.find("key", accessGroup: "second") == other)
        }

        @Test("What guards a key is asked for at each use, with the reason that was given", arguments: Vault.Guard.allCases)
        func guards(_ guardedBy: Vault.Guard) async throws {
            let key = try EnclaveKey.create("key", guardedBy: guardedBy)
            func answer() { if guardedBy != .nothing { device.answer(guardedBy == .passcode ? .passcode("1234") : .match) } }
            answer()
            let signature = try await key.sign(message, reason: "sign the order")
            #expect(key.publicKey.isSignature(signature, of: message))
            #expect(!key.publicKey.isSignature(signature, of: message + [0]))
            let sealed = try key.publicKey.encrypt(message)
            answer()
            #expect(try await key.decrypt(sealed, reason: "open the order") == message)
            #expect(device.prompts.map(\.reason) == (guardedBy == .nothing ? [] : ["sign the order", "open the order"]))
            #expect(device.unusedAnswers == 0)
        }

        @Test("A key stays on this device and waits while that is locked, whatever guards it", arguments: Vault.Guard.allCases)
        func stays(_ guardedBy: Vault.Guard) throws {
            try EnclaveKey.create("key", guardedBy: guardedBy)
            let query: [String: Any] = [
                kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data("key".utf8),
                kSecReturnRef as String: true,
            ]
            var found: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            let told = SecKeyCopyAttributes(try #require(found as? SecKey)) as? [String: Any]
            let flags: SecAccessControlCreateFlags =
                switch guardedBy {
                case .nothing: .privateKeyUsage
                case .presence: [.privateKeyUsage, .userPresence]
                case .passcode: [.privateKeyUsage, .devicePasscode]
                case .biometry: [.privateKeyUsage, .biometryAny]
                case .currentBiometry: [.privateKeyUsage, .biometryCurrentSet]
                }
            let rule = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
            #expect(rule != nil && told?[kSecAttrAccessControl as String] as? SecAccessControl == rule)
        }

        @Test("A context that has shown enough asks no second time, and goes on being the app's")
        func context() async throws {
            let key = try EnclaveKey.create("key")
            let context = LAContext()
            device.answer(.match)
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "sign twice")
            for _ in 0..<2 {
                let signature = try await key.sign(message, context: context)
                #expect(key.publicKey.isSignature(signature, of: message))
            }
            #expect(device.prompts.count == 1)
            context.invalidate()
            await #expect(throws: EnclaveKeyError.notAuthenticated) { try await key.sign(message, context: context) }
        }

        @Test("The openssl command reads the public key, and judges its signatures of data and of digests")
        func openssl() async throws {
            let key = try EnclaveKey.create("key", guardedBy: .nothing)
            let folder = FileManager.default.temporaryDirectory.appending(path: "enclave-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data(key.publicKey.pem.utf8).write(to: folder.appending(path: "key.pem"))
            try key.publicKey.der.write(to: folder.appending(path: "key.der"))
            try message.write(to: folder.appending(path: "m"))
            try await key.sign(message).write(to: folder.appending(path: "s"))
            #expect(try await openssl(folder, "pkey -pubin -inform DER -in key.der -out same.pem") == 0)
            #expect(try Data(contentsOf: folder.appending(path: "same.pem")) == Data(key.publicKey.pem.utf8))
            #expect(try await openssl(folder, "dgst -sha256 -verify key.pem -signature s m") == 0)
            #expect(try await openssl(folder, "dgst -sha256 -binary -out d m") == 0)
            let digest = try Data(contentsOf: folder.appending(path: "d"))
            try await key.sign(digest: digest).write(to: folder.appending(path: "s"))
            #expect(try await openssl(folder, "dgst -sha256 -verify key.pem -signature s m") == 0)
            #expect(try await openssl(folder, "dgst -sha256 -verify key.pem -signature s d") != 0)
            await #expect(throws: EnclaveKeyError.unreadable) { try await key.sign(digest: digest.dropLast()) }
        }

        private func openssl(_ folder: URL, _ words: String) async throws -> Int32 {
            let process = OwnProcess()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["openssl"] + words.split(separator: " ").map(String.init)
            process.currentDirectoryURL = folder
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            return try await process.ended()
        }

        @Test("A public key is read from its point, and from nothing else")
        func point() throws {
            let key = try EnclaveKey.create("key").publicKey
            #expect(EnclaveKey.PublicKey(x963: key.x963) == key)
            var wrong = key.x963
            wrong[wrong.count - 1] ^= 1
            for bytes in [wrong, Data(), key.x963.dropLast(), key.der] { #expect(EnclaveKey.PublicKey(x963: bytes) == nil) }
        }

        @Test("Cancelling the task that waits takes the prompt away, and is no failure of the owner's")
        func taskCancelled() async throws {
            let key = try EnclaveKey.create("key")
            device.answer(.nothing)
            let message = message
            let signing = Task { try await key.sign(message) }
            try await until("the prompt is up") { device.isAsking }
            signing.cancel()
            await #expect(throws: EnclaveKeyError.cancelled) { try await signing.value }
            #expect(!device.isAsking)
        }

        @Test("Each failure has its name")
        func failures() async throws {
            let key = try EnclaveKey.create("key", guardedBy: .biometry)
            device.answer(.cancel)
            await #expect(throws: EnclaveKeyError.cancelled) { try await key.sign(message) }
            device.answer(.noMatch, .noMatch, .noMatch)
            await #expect(throws: EnclaveKeyError.notAuthenticated) { try await key.sign(message) }
            let silent = LAContext()
            silent.interactionNotAllowed = true
            await #expect(throws: EnclaveKeyError.cannotAsk) { try await key.sign(message, context: silent) }
            let free = try EnclaveKey.create("free", guardedBy: .nothing)
            let sealed = try key.publicKey.encrypt(message)
            for bytes in [sealed, Data(), message] {
                await #expect(throws: EnclaveKeyError.unreadable) { try await free.decrypt(bytes) }
            }
            #expect(throws: EnclaveKeyError.tooLarge) { try free.publicKey.encrypt(Data(count: 4 << 20 + 1)) }
            #expect(throws: EnclaveKeyError.notPermitted) { try EnclaveKey.create("x", accessGroup: "somebody.else") }
            try EnclaveKey.remove("free")
            await #expect(throws: EnclaveKeyError.notFound) { try await free.sign(message) }
            // One that is made anew under the name is another key.
            try EnclaveKey.create("free", guardedBy: .nothing)
            await #expect(throws: EnclaveKeyError.notFound) { try await free.sign(message) }
        }

        @Test("A prompt that the system takes away is a cancel: nobody is told that they aren't the owner")
        func interrupted() async throws {
            let key = try EnclaveKey.create("key", guardedBy: .biometry)
            device.answer(.systemCancel)
            await #expect(throws: EnclaveKeyError.cancelled) { try await key.sign(message) }
        }

        @Test("A key that is bound to the enrolment can't be used under another one, and is still found")
        func anotherEnrolment() async throws {
            let key = try EnclaveKey.create("key", guardedBy: .currentBiometry)
            device.enroll("another")
            await #expect(throws: EnclaveKeyError.unusable) { try await key.sign(message) }
            #expect(try EnclaveKey.find("key") == key)
            #expect(device.prompts.isEmpty)
        }
    }
}
