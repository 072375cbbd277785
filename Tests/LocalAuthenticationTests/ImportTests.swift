import LocalAuthentication
import Observation
import Testing
import ThumbturnSimulator

/// What an app's source takes for granted about the shape of the names, written as apps write it.
struct ImportTests {
    class Mock: LAContext {
        var asked: [LAPolicy] = []
        private let kind: LABiometryType

        init(kind: LABiometryType) {
            self.kind = kind
            super.init()
        }

        override var biometryType: LABiometryType { kind }
        override var interactionNotAllowed: Bool {
            get { true }
            set {}
        }
        override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
            error?.pointee = NSError(domain: LAErrorDomain, code: LAError.biometryLockout.rawValue)
            return false
        }
        override func evaluatePolicy(
            _ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, (any Error)?) -> Void
        ) {
            asked.append(policy)
            reply(false, LAError(.userFallback))
        }
    }

    final class AsyncMock: LAContext {
        override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
            throw LAError(.systemCancel)
        }
    }

    @Test("89, 98: a context can be subclassed, with an initializer of its own and replies written without @Sendable")
    func subclass() async {
        let mock = Mock(kind: .faceID)
        #expect(mock.biometryType == .faceID && mock.interactionNotAllowed)
        #expect(mock.preflight() == .biometryLockout)
        #expect(await mock.ask(.deviceOwnerAuthentication) == .userFallback)
        #expect(mock.asked == [.deviceOwnerAuthentication])
        #expect(await AsyncMock().ask() == .systemCancel)
    }

    @Test("90: the names on the error are codes, in every idiom")
    func codes() throws {
        let error: any Error = LAError(.userCancel)
        #expect((error as? LAError)?.code == .userCancel && LAError.userCancel.rawValue == -2)
        let caught: Bool
        do { throw error } catch LAError.userCancel { caught = true } catch { caught = false }
        #expect(caught)
        let passed: Bool
        do { throw error } catch LAError.userFallback { passed = false } catch { passed = true }
        #expect(passed)
    }

    @Test("91: the newer names are aliases: printing a code shows the old one")
    func aliases() {
        #expect("\(LAError.Code.biometryLockout)" == "touchIDLockout")
        #expect("\(LAError.Code.biometryNotAvailable)" == "touchIDNotAvailable")
        #expect("\(LAError.Code.biometryNotEnrolled)" == "touchIDNotEnrolled")
    }

    @Test("92: codes compare with the macros of older sources")
    func macros() {
        let error: any Error = LAError(.userFallback)
        #expect(error._code == Int(kLAErrorUserFallback) && (error as NSError).code == Int(kLAErrorUserFallback))
        #expect(type(of: kLAErrorUserFallback) == Int32.self)
    }

    @Test("93: a context is observable, and companions come as a set")
    func overlay() {
        func takes<Value: Observable>(_ value: Value) -> Bool { true }
        #expect(takes(LAContext()))
        let types: Set<LACompanionType> = [.watch, .watch]
        #expect(types.count == 1)
    }

    @Test("94: a reply may be @Sendable or not")
    func replies() {
        let mock = Mock(kind: .none)
        var plain: [Int] = []
        mock.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r") { _, error in plain.append(error?._code ?? 0) }
        let sendable: @Sendable (Bool, (any Error)?) -> Void = { success, _ in #expect(!success) }
        mock.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "r", reply: sendable)
        #expect(plain == [LAError.userFallback.rawValue] && mock.asked.count == 2)
    }

    @Test("95: an error pointer takes the address of an error, and nil")
    func errorPointer() {
        var error: NSError?
        let pointer: NSErrorPointer = nil
        #expect(pointer == nil)
        #expect(!Mock(kind: .none).canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
        #expect(error?.code == -8)
    }

    @Test("96: whichever of the two it was made as, an error casts to both")
    func casts() {
        let wrapped: any Error = LAError(.userCancel), plain: any Error = NSError(domain: LAErrorDomain, code: -2)
        for error in [wrapped, plain] {
            #expect((error as? LAError)?.code == .userCancel)
            #expect((error as NSError).domain == LAErrorDomain && (error as NSError).code == -2)
        }
    }

    @Test("97: errors can be hashed, and equal ones are one in a set")
    func hashing() {
        #expect(Set([LAError(.userCancel), LAError(.userCancel), LAError(.userFallback)]).count == 2)
        #expect(LAError(.userCancel).hashValue == LAError(.userCancel).hashValue)
        #expect(LAError(_nsError: NSError(domain: LAErrorDomain, code: -1)).errorCode == -1)
    }

    @Test("99: the names that Linux lacks are there: access controls, their flags, the key of a context in a query")
    func standIns() {
        let control: SecAccessControl? = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, nil)
        #expect(control != nil)
        let query = [kSecUseAuthenticationContext as String: LAContext()] as CFDictionary
        #expect(query.count == 1)
    }
}
