import LocalAuthentication
import Testing

// Code in the manner of apps: that it compiles as it stands is most of the test.

private protocol Authenticating {
    func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
    var biometryType: LABiometryType { get }
}

extension LAContext: Authenticating {}

/// A stand-in as apps write it for their own tests.
private final class RefusingContext: LAContext {
    let code: LAError.Code
    init(code: LAError.Code) {
        self.code = code
        super.init()
    }
    override var biometryType: LABiometryType { .faceID }
    override var interactionNotAllowed: Bool {
        get { true }
        set {}
    }
    override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        error?.pointee = NSError(domain: LAErrorDomain, code: code.rawValue)
        return false
    }
    override func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, (any Error)?) -> Void
    ) {
        reply(false, LAError(code))
    }
}

private final class AsyncContext: LAContext {
    override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool { true }
}

@MainActor
private final class Gate {
    enum Outcome: Equatable {
        case open, cancelled, lockedOut
        case unavailable(String)
        case failed(LAError)
    }

    private(set) var outcome: Outcome?
    private let context: LAContext
    init(context: LAContext) { self.context = context }

    func open() async {
        context.localizedCancelTitle = "Not now"
        do {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open the gate")
            outcome = .open
        } catch LAError.userCancel, LAError.appCancel {
            outcome = .cancelled
        } catch let error as LAError where error.code == .biometryLockout {
            outcome = .lockedOut
        } catch let error as LAError {
            outcome = .failed(error)
        } catch {
            outcome = .unavailable(error.localizedDescription)
        }
    }
}

private struct Store {
    let service: String

    func query(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }

    func save(_ data: Data, _ account: String) -> OSStatus {
        var item = query(account)
        item[kSecValueData as String] = data
        item[kSecAttrAccessControl as String] = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)
        item[kSecUseAuthenticationContext as String] = LAContext()
        SecItemDelete(item as CFDictionary)
        return SecItemAdd(item as CFDictionary, nil)
    }

    func read(_ account: String) -> (OSStatus, Data?) {
        var query = query(account)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = withUnsafeMutablePointer(to: &result) { SecItemCopyMatching(query as CFDictionary, $0) }
        return (status, result as? Data)
    }
}

struct SourceCompatibilityTests {
    @Test("89: a subclass that overrides the reply form answers the async form too")
    func mocks() async {
        let context = RefusingContext(code: .biometryLockout)
        await #expect(throws: LAError.self) {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r")
        }
        var error: NSError?
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
        #expect(error?.code == Int(kLAErrorBiometryLockout))
        #expect((context as LAContext).biometryType == .faceID)
    }

    @Test("an actor uses its own context, and sorts the outcome as apps do")
    @MainActor func gate() async {
        for (context, expected) in [
            (AsyncContext(), .open), (RefusingContext(code: .userCancel), .cancelled),
            (RefusingContext(code: .biometryLockout), .lockedOut),
            (RefusingContext(code: .passcodeNotSet), .failed(LAError(.passcodeNotSet))),
        ] as [(LAContext, Gate.Outcome)] {
            let gate = Gate(context: context)
            await gate.open()
            #expect(gate.outcome == expected)
        }
    }

    @Test("codes are switched over by their newer names")
    func switching() {
        func advice(_ code: LAError.Code) -> String {
            switch code {
            case .biometryNotAvailable, .biometryNotEnrolled: "password"
            case .biometryLockout: "passcode"
            case .userCancel, .appCancel, .systemCancel: "nothing"
            default: "retry"
            }
        }
        #expect(advice(.touchIDNotEnrolled) == "password")
        #expect(advice(.authenticationFailed) == "retry")
        #expect(LAPolicy(rawValue: 2) == .deviceOwnerAuthentication && LAPolicy(rawValue: 0) == nil)
        #expect(LABiometryType(rawValue: 4) == .opticID)
        #expect(
            Int32(LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue) == kLAPolicyDeviceOwnerAuthenticationWithBiometrics)
    }

    /// Never called: it would reach for whatever keychain this machine has. What counts is that it compiles, and that results
    /// nobody uses give no warning.
    private func keychain() {
        let store = Store(service: "com.example.compatibility")
        _ = (store.save(Data("x".utf8), "nobody"), store.read("nobody"))
        SecItemAdd(store.query("nobody") as CFDictionary, nil)
        SecItemCopyMatching(store.query("nobody") as CFDictionary, nil)
        SecItemUpdate(store.query("nobody") as CFDictionary, [kSecAttrLabel: "l"] as CFDictionary)
        SecItemDelete(store.query("nobody") as CFDictionary)
        LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
        LAContext().isCredentialSet(.applicationPassword)
    }
}
