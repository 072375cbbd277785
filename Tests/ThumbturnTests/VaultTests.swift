import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("Vault")
    @MainActor final class VaultTests {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234").install()
        let vault = Vault("org.example.vault")

        deinit { device.uninstall() }

        struct Account: Codable, Sendable, Equatable {
            var user: String
            var token: Data
            var uses: Int?
        }

        @Test("What is saved is read as it was, whatever its type")
        func values() async throws {
            let vault = Vault("org.example.vault", guardedBy: .nothing)
            let account = Account(user: "me", token: Data([0, 1, 0xff]), uses: nil)
            try await vault.save(account, as: "account")
            try await vault.save(Data([0, 0xff]), as: "bytes")
            try await vault.save("tøken", as: "text")
            try await vault.save("", as: "empty")
            try await vault.save([1, 2, 3], as: "list")
            #expect(try await vault.read("account", as: Account.self) == account)
            #expect(try await vault.read("bytes", as: Data.self) == Data([0, 0xff]))
            #expect(try await vault.read("text", as: String.self) == "tøken")
            #expect(try await vault.read("empty", as: String.self) == "")
            #expect(try await vault.read("list", as: [Int].self) == [1, 2, 3])
            // Texts are kept as they are, for whoever else reads the item.
            #expect(try await vault.read("text", as: Data.self) == Data("tøken".utf8))
            #expect(device.prompts.isEmpty)
        }

        @Test("A value of another type is an error, and what it is stays unsaid")
        func otherType() async throws {
            let vault = Vault("org.example.vault", guardedBy: .nothing)
            try await vault.save(Data([0xff, 0xfe]), as: "bytes")
            await #expect(throws: VaultError.unreadable) { try await vault.read("bytes", as: String.self) }
            await #expect(throws: VaultError.unreadable) { try await vault.read("bytes", as: Account.self) }
            await #expect(throws: VaultError.unreadable) { try await vault.save(Double.nan, as: "bytes") }
            #expect(try await vault.read("bytes", as: Data.self) == Data([0xff, 0xfe]))
        }

        @Test("Names are listed and removed without a question, and only this service's")
        func names() async throws {
            device.answer(.cancel)
            try await vault.save("1", as: "b")
            try await vault.save("2", as: "a")
            try await Vault("org.example.other").save("3", as: "c")
            #expect(try vault.list() == ["a", "b"])
            #expect(try vault.remove("a"))
            #expect(try !vault.remove("a"))
            #expect(try !vault.remove("c"))
            #expect(try vault.list() == ["b"])
            #expect(try Vault("org.example.none").list().isEmpty)
            #expect(try await vault.read("a", as: String.self) == nil)
            #expect(device.prompts.isEmpty && device.unusedAnswers == 1)
        }

        @Test("What guards a secret is asked for, with the reason that was given", arguments: Vault.Guard.allCases)
        func guards(_ guardedBy: Vault.Guard) async throws {
            let vault = Vault("org.example.vault", guardedBy: guardedBy)
            try await vault.save("secret", as: "token")
            device.answer(guardedBy == .passcode ? .passcode("1234") : .match)
            #expect(try await vault.read("token", as: String.self, reason: "sign in") == "secret")
            #expect(device.prompts.map(\.reason) == (guardedBy == .nothing ? [] : ["sign in"]))
            device.answer(guardedBy == .presence || guardedBy == .passcode ? .passcode("1234") : .match)
            #expect(try await vault.read("token", as: String.self, reason: "sign in again") == "secret")
        }

        @Test("A secret stays on this device and waits while that is locked, whatever guards it", arguments: Vault.Guard.allCases)
        func stays(_ guardedBy: Vault.Guard) async throws {
            try await Vault("org.example.vault", guardedBy: guardedBy).save("secret", as: "token")
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: vault.service,
                kSecReturnAttributes as String: true,
            ]
            var found: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            let attributes = try #require(found as? [String: Any])
            let when = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            #expect(attributes[kSecAttrAccessible as String] as? String == when as String)
            let flags: SecAccessControlCreateFlags =
                switch guardedBy {
                case .nothing: []
                case .presence: .userPresence
                case .passcode: .devicePasscode
                case .biometry: .biometryAny
                case .currentBiometry: .biometryCurrentSet
                }
            let rule = SecAccessControlCreateWithFlags(nil, when, flags, nil)
            #expect(rule != nil && attributes[kSecAttrAccessControl as String] as? SecAccessControl == rule)
        }

        @Test("A context that has shown enough asks no second time, for saving and reading alike")
        func context() async throws {
            try await vault.save("old", as: "token")
            let context = LAContext()
            device.answer(.match)
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "open the vault")
            try await vault.save("new", as: "token", context: context)
            #expect(try await vault.read("token", as: String.self, context: context) == "new")
            #expect(device.prompts.count == 1)
            context.invalidate()
            await #expect(throws: VaultError.notAuthenticated) {
                try await vault.read("token", as: String.self, context: context)
            }
        }

        @Test("Saving replaces value and guard, and leaves one item")
        func replace() async throws {
            try await Vault("org.example.vault", guardedBy: .nothing).save("old", as: "token")
            try await vault.save("new", as: "token")
            #expect(device.prompts.isEmpty)
            #expect(try vault.list() == ["token"])
            device.answer(.match)
            #expect(try await vault.read("token", as: String.self) == "new")
            #expect(device.prompts.count == 1)
        }

        @Test("Whoever is asked to open the value that is replaced is told the reason that was given")
        func reasonToReplace() async throws {
            try await vault.save("old", as: "token")
            device.answer(.match)
            try await vault.save("new", as: "token", reason: "replace the token")
            #expect(device.prompts.map(\.reason) == ["replace the token"])
        }

        @Test("Under another enrolment a secret is gone, and can be saved anew")
        func anotherEnrolment() async throws {
            let vault = Vault("org.example.vault", guardedBy: .currentBiometry)
            try await vault.save("old", as: "token")
            device.enroll("another")
            #expect(try await vault.read("token", as: String.self) == nil)
            try await vault.save("new", as: "token")
            device.answer(.match)
            #expect(try await vault.read("token", as: String.self) == "new")
        }
    }
}
