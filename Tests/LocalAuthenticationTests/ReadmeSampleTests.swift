import LocalAuthentication
import Testing
import ThumbturnSimulator

// The first sample of README.md, exactly as it is there.

/// Keeps a token that comes out only for the owner. This works from the first day, with any fingerprint reader or
/// none, once you have run `thumbturn passcode set`.
///
/// With `.biometryCurrentSet` it would come out only for the fingers that are enrolled today. Only system mode can
/// tell which these are; before `sudo thumbturn system-mode on` such an item is refused with `errSecAuthFailed`.
func keep(_ token: Data) -> OSStatus {
    let rule = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "org.example.bank",
        kSecAttrAccessControl as String: rule as Any,
        kSecValueData as String: token,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

/// Asks for a finger, a face or the passcode, and returns the token.
func token() -> Data? {
    let context = LAContext()
    context.localizedReason = "Sign in to your account"
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "org.example.bank",
        kSecReturnData as String: true,
        kSecUseAuthenticationContext as String: context,
    ]
    var result: AnyObject?
    guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return nil }
    return result as? Data
}

extension DeviceTests {
    /// The first sample on the machines that its readers have.
    @Suite struct ReadmeSampleTests {
        private static let kept = Data("4711".utf8)

        @Test("What is tried here is README's first sample, word for word")
        func same() throws {
            let tests = URL(filePath: #filePath)
            let page = tests.deletingLastPathComponent().appending(path: "../../README.md").standardized
            let sample = try #require(
                try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst().first?
                    .components(separatedBy: "```").first)
            let functions = try #require(sample.components(separatedBy: "import LocalAuthentication\n").last)
            #expect(functions.contains("func keep") && functions.contains("func token"))
            #expect(try String(contentsOf: tests, encoding: .utf8).contains(functions))
        }

        @Test("It works on a first install with a reader, by finger and by passcode, also after a restart")
        func laptop() {
            let device = SimulatedDevice(as: .laptopWithReader).install()
            defer { device.uninstall() }
            #expect(keep(Self.kept) == errSecSuccess)
            for answer in [SimulatedDevice.Answer.match, .passcode("1234")] {
                device.answer(answer)
                #expect(token() == Self.kept)
            }
            #expect(device.prompts.map(\.reason) == ["Sign in to your account", "Sign in to your account"])
            device.restart()
            device.answer(.passcode("1234"))
            #expect(token() == Self.kept)
            device.answer(.noMatch, .noMatch, .noMatch, .cancel)
            #expect(token() == nil)
        }

        @Test("It works without a reader")
        func server() {
            let device = SimulatedDevice(as: .serverWithoutSensor).install()
            defer { device.uninstall() }
            #expect(keep(Self.kept) == errSecSuccess)
            device.answer(.passcode("1234"))
            #expect(token() == Self.kept)
        }

        @Test("Before a passcode is set it keeps the token, and nobody gets it")
        func noPasscode() {
            let device = SimulatedDevice(as: .laptopWithReader, passcode: nil).install()
            defer { device.uninstall() }
            #expect(keep(Self.kept) == errSecSuccess)
            #expect(token() == nil && device.prompts.isEmpty)
        }

        @Test("What it says of the fingers enrolled today is so, and the text of that error names the doctor")
        func present() {
            let device = SimulatedDevice(as: .laptopWithReader).install()
            defer { device.uninstall() }
            #expect(Item.add(.biometryCurrentSet) == errSecAuthFailed)
            let text = SecCopyErrorMessageString(errSecAuthFailed, nil) as String?
            #expect(text?.contains("'thumbturn doctor'") == true)
        }
    }
}
