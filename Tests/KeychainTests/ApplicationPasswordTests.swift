import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator
import thumbturn_test_support

@Suite("Application passwords", .oneDevice) struct ApplicationPasswordTests {
    private typealias Words = [CFString: Any]

    private func onDevice(_ body: (SimulatedDevice) throws -> Void) rethrows {
        let device = SimulatedDevice(biometry: .touchID, enrolled: ["me"], passcode: "1234").install()
        defer { device.uninstall() }
        try body(device)
        #expect(device.unusedAnswers == 0)
    }

    private func context(_ password: String?) -> LAContext {
        let context = LAContext()
        if let password { #expect(context.setCredential(Data(password.utf8), type: .applicationPassword)) }
        return context
    }

    private var name: Words { [kSecClass: kSecClassGenericPassword, kSecAttrService: "tests", kSecAttrAccount: "own"] }

    private func add(_ flags: SecAccessControlCreateFlags, with context: LAContext?) -> OSStatus {
        var words = name
        words[kSecValueData] = Data("secret".utf8)
        words[kSecAttrAccessControl] = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
        words[kSecUseAuthenticationContext] = context
        return SecItemAdd(words as CFDictionary, nil)
    }

    private func read(with context: LAContext?) -> (status: OSStatus, secret: Data?) {
        var result: AnyObject?
        var words = name
        words[kSecReturnData] = true
        words[kSecUseAuthenticationContext] = context
        return (SecItemCopyMatching(words as CFDictionary, &result), result as? Data)
    }

    @Test("87: the password that made an item opens it, after a restart too; another, none, or no context doesn't")
    func opens() {
        onDevice { device in
            #expect(add(.applicationPassword, with: context("open sesame")) == errSecSuccess)
            #expect(read(with: context("open sesame")) == (errSecSuccess, Data("secret".utf8)))
            #expect(read(with: context("open barley")).status == errSecAuthFailed)
            #expect(read(with: context(nil)).status == errSecAuthFailed)
            #expect(read(with: nil).status == errSecAuthFailed)
            device.restart()
            device.unlock(with: .passcode("1234"))
            #expect(read(with: context("open sesame")) == (errSecSuccess, Data("secret".utf8)))
        }
    }

    @Test("92: a search that skips what would have to ask skips what wants a password of the app's")
    func skipped() {
        onDevice { _ in
            #expect(add(.applicationPassword, with: context("open sesame")) == errSecSuccess)
            var plain = name
            plain[kSecAttrAccount] = "plain"
            plain[kSecValueData] = Data("readable".utf8)
            #expect(SecItemAdd(plain as CFDictionary, nil) == errSecSuccess)
            let query: Words = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "tests", kSecReturnData: true,
                kSecMatchLimit: kSecMatchLimitAll, kSecUseAuthenticationUI: kSecUseAuthenticationUISkip,
            ]
            var result: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            #expect(result as? [Data] == [Data("readable".utf8)])
        }
    }

    @Test("87: without a password no such item can be made, and nothing is stored")
    func needed() {
        onDevice { _ in
            #expect(add(.applicationPassword, with: context(nil)) == errSecAuthFailed)
            #expect(add(.applicationPassword, with: nil) == errSecAuthFailed)
            #expect(SecItemCopyMatching(name as CFDictionary, nil) == errSecItemNotFound)
        }
    }

    @Test("The owner is asked besides where the rule says so, and not in vain where the password is missing")
    func both() {
        onDevice { device in
            #expect(add([.biometryAny, .and, .applicationPassword], with: context("pw")) == errSecSuccess)
            #expect(read(with: context(nil)).status == errSecAuthFailed)
            #expect(device.prompts.isEmpty)
            device.answer(.match, .match)
            #expect(read(with: context("pw")).secret == Data("secret".utf8))
            #expect(read(with: context("wp")).status == errSecAuthFailed)
        }
    }

    @Test("A password taken away, or gone with its invalidated context, opens nothing any more")
    func takenAway() {
        onDevice { _ in
            let context = context("pw")
            #expect(add(.applicationPassword, with: context) == errSecSuccess)
            #expect(read(with: context).status == errSecSuccess)
            #expect(context.setCredential(nil, type: .applicationPassword))
            #expect(!context.isCredentialSet(.applicationPassword))
            #expect(read(with: context).status == errSecAuthFailed)
            #expect(context.setCredential(Data("pw".utf8), type: .applicationPassword))
            #expect(context.isCredentialSet(.applicationPassword))
            context.invalidate()
            #expect(read(with: context).status == errSecAuthFailed)
        }
    }

    @Test("A change of another attribute keeps secret and password; a change of the rule drops the password")
    func changes() {
        onDevice { _ in
            let context = context("pw")
            #expect(add(.applicationPassword, with: context) == errSecSuccess)
            var query = name
            #expect(SecItemUpdate(query as CFDictionary, [kSecAttrLabel: "new"] as CFDictionary) == errSecAuthFailed)
            query[kSecUseAuthenticationContext] = context
            #expect(SecItemUpdate(query as CFDictionary, [kSecAttrLabel: "new"] as CFDictionary) == errSecSuccess)
            #expect(read(with: nil).status == errSecAuthFailed)
            #expect(read(with: context).secret == Data("secret".utf8))
            let plain: Words = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
            #expect(SecItemUpdate(query as CFDictionary, plain as CFDictionary) == errSecSuccess)
            #expect(read(with: nil).secret == Data("secret".utf8))
        }
    }

    @Test("A password of any length up to 4 KiB serves, the empty one too; a longer one is refused")
    func lengths() {
        onDevice { _ in
            let long = String(repeating: "x", count: 4 << 10)
            #expect(add(.applicationPassword, with: context(long)) == errSecSuccess)
            #expect(read(with: context(long)).secret == Data("secret".utf8))
            #expect(read(with: context("")).status == errSecAuthFailed)
            #expect(!LAContext().setCredential(Data((long + "x").utf8), type: .applicationPassword))
        }
    }
}
