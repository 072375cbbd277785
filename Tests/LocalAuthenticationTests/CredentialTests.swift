import LocalAuthentication
import Testing
import ThumbturnSimulator

/// Credentials in the keychain for the present fingers or faces, in the manner of apps for Apple's systems: one dictionary serves for the
/// deletion and the addition, each has a fresh context, and nothing is evaluated before.
private enum Credentials {
    enum Failure: Error, Equatable {
        case noAccessControl
        case notSaved(OSStatus), notRead(OSStatus), notDeleted(OSStatus)
    }

    static func save(_ credentials: Data, for account: String) throws {
        guard
            let rule = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)
        else { throw Failure.noAccessControl }
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "org.example.credentials",
            kSecAttrAccount as String: account, kSecValueData as String: credentials,
            kSecAttrAccessControl as String: rule, kSecUseAuthenticationContext as String: LAContext(),
        ]
        SecItemDelete(item as CFDictionary)
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw Failure.notSaved(status) }
    }

    static func read(
        _ account: String, context: LAContext = LAContext(), reason: String = "Read your credentials"
    ) throws -> Data {
        context.localizedReason = reason
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "org.example.credentials",
            kSecAttrAccount as String: account, kSecReturnData as String: true,
            kSecMatchLimit as String: kSecMatchLimitOne, kSecUseAuthenticationContext as String: context,
        ]
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, let data = result as? Data else { throw Failure.notRead(status) }
        return data
    }

    static func delete(_ account: String) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "org.example.credentials",
            kSecAttrAccount as String: account,
        ]
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure.notDeleted(status) }
    }
}

extension DeviceTests {
    @Suite struct CredentialTests {
        @Test("Saved twice is replaced, reading asks with the reason that was given, and deleting twice is no failure")
        func lifecycle() async throws {
            try await withDevice(.faceID) { device in
                try Credentials.save(Data("first".utf8), for: "login")
                try Credentials.save(Data("second".utf8), for: "login")
                #expect(device.prompts.isEmpty)
                device.answer(.match)
                #expect(try Credentials.read("login", reason: "Show the designs") == Data("second".utf8))
                #expect(device.prompts.map(\.reason) == ["Show the designs"])
                for _ in 1...2 { try Credentials.delete("login") }
                #expect(throws: Credentials.Failure.notRead(errSecItemNotFound)) { try Credentials.read("login") }
            }
        }

        @Test("Nobody else reads them: a stranger is refused, a passcode isn't offered, and a cancel says so")
        func others() async throws {
            try await withDevice { device in
                try Credentials.save(Data("kept".utf8), for: "login")
                device.answer(.noMatch, .noMatch, .noMatch, .cancel)
                #expect(throws: Credentials.Failure.notRead(errSecAuthFailed)) { try Credentials.read("login") }
                #expect(throws: Credentials.Failure.notRead(errSecUserCanceled)) { try Credentials.read("login") }
                #expect(device.prompts.allSatisfy { !$0.acceptsPasscode })
            }
        }

        @Test("After another enrolment they are gone, and can be saved for the new one")
        func anotherEnrolment() async throws {
            try await withDevice(.faceID) { device in
                try Credentials.save(Data("old".utf8), for: "login")
                device.enroll("somebody")
                #expect(throws: Credentials.Failure.notRead(errSecItemNotFound)) { try Credentials.read("login") }
                try Credentials.save(Data("new".utf8), for: "login")
                device.answer(.match)
                #expect(try Credentials.read("login") == Data("new".utf8))
            }
        }

        @Test("Without a passcode none can be saved, and they go with it for good")
        func passcode() async throws {
            try await withDevice { device in
                try Credentials.save(Data("kept".utf8), for: "login")
                device.setPasscode(nil)
                #expect(throws: Credentials.Failure.notSaved(errSecAuthFailed)) {
                    try Credentials.save(Data("more".utf8), for: "other")
                }
                device.setPasscode("2468")
                device.answerAlways(.match)
                #expect(throws: Credentials.Failure.notRead(errSecItemNotFound)) { try Credentials.read("login") }
            }
        }

        @Test("Several are read after one prompt with the context that succeeded; without it each asks, whatever the reuse time")
        func several() async throws {
            try await withDevice { device in
                for account in ["one", "two"] { try Credentials.save(Data(account.utf8), for: account) }
                let context = LAContext()
                context.touchIDAuthenticationAllowableReuseDuration = 30
                device.answer(.match)
                #expect(await context.ask() == nil)
                for account in ["one", "two"] {
                    #expect(try Credentials.read(account, context: context) == Data(account.utf8))
                }
                #expect(device.prompts.count == 1)
                device.answer(.match, .match)
                for account in ["one", "two"] { #expect(try Credentials.read(account) == Data(account.utf8)) }
                #expect(device.prompts.count == 3)
            }
        }
    }
}
