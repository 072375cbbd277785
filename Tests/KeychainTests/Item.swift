import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbSecrets
import ThumbturnSimulator
import thumbturn_test_support

/// Everything here goes through Apple's names to a simulated device, and so through the real service and store.
@Suite("The keychain on a device", .oneDevice) enum OnDevice {}

/// Installs a simulated device for the length of `body`. An answer that no prompt asked for is a failure: the script of a test
/// is what its owner does.
func withDevice(
    _ biometry: SimulatedDevice.Biometry = .touchID, enrolled: [String] = ["me"], passcode: String? = "1234",
    _ body: (SimulatedDevice) async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
    let device = SimulatedDevice(biometry: biometry, enrolled: enrolled, passcode: passcode).install()
    defer { device.uninstall() }
    try await body(device)
    #expect(device.unusedAnswers == 0, "answers were scripted that no prompt asked for", sourceLocation: sourceLocation)
}

typealias Fields = [CFString: Any]

/// One password and what can be done with it; `nil` stands for success.
struct Item: Sendable {
    var account = "one"
    static let secret = Data("correct horse".utf8)

    private var query: Fields {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: "tests", kSecAttrAccount: account]
    }

    func add(_ fields: Fields = [:]) -> OSStatus? {
        let all: Fields = query.merging([kSecValueData: Self.secret]) { $1 }.merging(fields) { $1 }
        return failure(SecItemAdd(all as CFDictionary, nil))
    }

    /// Adds it under an access control.
    func add(
        _ flags: SecAccessControlCreateFlags, _ accessible: CFString = kSecAttrAccessibleWhenUnlocked, _ fields: Fields = [:]
    ) -> OSStatus? {
        add(fields.merging([kSecAttrAccessControl: Self.control(flags, accessible)]) { $1 })
    }

    func read(_ fields: Fields = [:]) -> (failure: OSStatus?, result: AnyObject?) {
        var result: AnyObject?
        let all: Fields = query.merging([kSecReturnData: true]) { $1 }.merging(fields) { $1 }
        let status = SecItemCopyMatching(all as CFDictionary, &result)
        return (failure(status), result)
    }

    /// The secret, or why it wasn't released.
    func secret(_ fields: Fields = [:]) -> Release {
        let (failure, result) = read(fields)
        if let failure { return .refused(failure) }
        return .released(result as? Data)
    }

    func update(_ changes: Fields, _ fields: Fields = [:]) -> OSStatus? {
        failure(SecItemUpdate(query.merging(fields) { $1 } as CFDictionary, changes as CFDictionary))
    }

    func delete(_ fields: Fields = [:]) -> OSStatus? {
        failure(SecItemDelete(query.merging(fields) { $1 } as CFDictionary))
    }

    /// Whether it is there: found without being opened, so that nobody is asked.
    var exists: Bool { failure(SecItemCopyMatching(query as CFDictionary, nil)) == nil }

    private func failure(_ status: OSStatus) -> OSStatus? { status == errSecSuccess ? nil : status }
}

extension Item {
    /// What a search among all of these tests' passwords gave: their accounts, in the order in which they came.
    enum Found: Equatable {
        case accounts([String])
        case refused(OSStatus)
    }

    static func search(_ fields: Fields = [:]) -> Found {
        let all: Fields = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "tests", kSecReturnAttributes: true,
            kSecMatchLimit: kSecMatchLimitAll,
        ]
        var result: AnyObject?
        let status = SecItemCopyMatching(all.merging(fields) { $1 } as CFDictionary, &result)
        guard status == errSecSuccess else { return .refused(status) }
        let found = result as? [[String: Any]] ?? []
        return .accounts(found.map { $0[kSecAttrAccount as String] as? String ?? "?" })
    }

    /// Its attributes; nil if it isn't found.
    func attributes(_ fields: Fields = [:]) -> [String: Any]? {
        let wanted: Fields = [kSecReturnData: false, kSecReturnAttributes: true]
        return read(wanted.merging(fields) { $1 }).result as? [String: Any]
    }

    /// Adds it and says what that returned.
    func added(_ fields: Fields) -> (failure: OSStatus?, result: AnyObject?) {
        var result: AnyObject? = NSString(string: Self.untouched)
        let all: Fields = query.merging([kSecValueData: Self.secret]) { $1 }.merging(fields) { $1 }
        return (failure(SecItemAdd(all as CFDictionary, &result)), result)
    }

    /// What stands in the place of a result before a call.
    static let untouched = "untouched"

    static func control(
        _ flags: SecAccessControlCreateFlags, _ accessible: CFString = kSecAttrAccessibleWhenUnlocked
    ) -> SecAccessControl {
        guard let control = SecAccessControlCreateWithFlags(nil, accessible, flags, nil) else {
            fatalError("the flags of this test exclude each other")
        }
        return control
    }
}

/// What came of wanting a secret.
enum Release: Equatable {
    case released(Data?)
    case refused(OSStatus)

    static let ours = Release.released(Item.secret)
}

extension LAContext {
    static func silent() -> LAContext {
        let context = LAContext()
        context.interactionNotAllowed = true
        return context
    }
}
