import LocalAuthentication
import Testing
import ThumbSecrets
import ThumbturnSimulator
import thumbturn_test_support

/// Every test that needs a device. A process has one device at a time, so they take turns, with other targets' tests too.
@Suite(.serialized, .oneDevice) enum DeviceTests {}

typealias Code = LAError.Code

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

extension LAContext {
    /// Evaluates a policy to its end: nil when it succeeded.
    func ask(_ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) async -> Code? {
        do {
            try await evaluatePolicy(policy, localizedReason: "a test asks")
            return nil
        } catch let error as LAError {
            return error.code
        } catch {
            Issue.record("not an LAError: \(error)")
            return nil
        }
    }

    /// What a preflight finds in the way: nil when nothing is.
    func preflight(_ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) -> Code? {
        var error: NSError?
        let isReady = canEvaluatePolicy(policy, error: &error)
        #expect(isReady == (error == nil))
        return (error as? LAError)?.code
    }
}

/// An evaluation that was begun and is still pending, and how often it has replied.
final class Pending: Sendable {
    private let replies: AsyncStream<Code?>
    private let continuation: AsyncStream<Code?>.Continuation
    private let counted = Locked(0)

    /// Begins; `begin` gets the reply to hand to an evaluating method.
    init(_ begin: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void) {
        (replies, continuation) = AsyncStream.makeStream(of: Code?.self)
        begin { [counted, continuation] success, error in
            #expect(success == (error == nil))
            counted.withLock { $0 += 1 }
            continuation.yield(success ? nil : (error as? LAError)?.code)
        }
    }

    convenience init(_ context: LAContext, _ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) {
        self.init { context.evaluatePolicy(policy, localizedReason: "a test asks", reply: $0) }
    }

    var count: Int { counted.withLock { $0 } }

    /// Waits for the next reply: nil for a success. One that doesn't come within a minute is an issue.
    var code: Code? {
        get async {
            let end = Task { [continuation] in
                if (try? await Task.sleep(for: .seconds(60))) != nil { continuation.finish() }
            }
            defer { end.cancel() }
            for await reply in replies { return reply }
            Issue.record("no reply came")
            return nil
        }
    }
}

/// Returns when the device has dealt with everything this process sent it before: calls of one connection are taken in order.
func settle() { LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) }

extension SimulatedDevice {
    /// Misses five times in a row, which locks biometry.
    func lockBiometry() async {
        answer(.noMatch, .noMatch)
        let isFace = LAContext().biometryType == .faceID
        answer(isFace ? .cancel : .noMatch)
        _ = await LAContext().ask()
        answer(.noMatch, .noMatch)
        if isFace { answer(.cancel) }
        _ = await LAContext().ask()
        if isFace {
            answer(.noMatch)
            _ = await LAContext().ask()
        }
        #expect(LAContext().preflight() == .biometryLockout)
    }
}

/// One secret in the keychain, under a rule.
enum Item {
    static let secret = Data("secret".utf8)

    private static var query: [String: Any] {
        [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "tests", kSecAttrAccount as String: "one"]
    }

    static func control(_ flags: SecAccessControlCreateFlags) -> SecAccessControl {
        guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil) else {
            fatalError("the flags of this test exclude each other")
        }
        return control
    }

    static func add(_ flags: SecAccessControlCreateFlags, _ context: LAContext? = nil) -> OSStatus {
        var item = query.merging([
            kSecValueData as String: secret, kSecAttrAccessControl as String: control(flags),
        ]) { $1 }
        if let context { item[kSecUseAuthenticationContext as String] = context }
        return SecItemAdd(item as CFDictionary, nil)
    }

    static func read(_ context: LAContext? = nil) -> (status: OSStatus, secret: Data?) {
        var query = query
        query[kSecReturnData as String] = true
        if let context { query[kSecUseAuthenticationContext as String] = context }
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result as? Data)
    }
}
