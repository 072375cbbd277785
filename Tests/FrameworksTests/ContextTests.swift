import Foundation
import LocalAuthentication
import Observation
import Testing
import ThumbAccess
import ThumbLocalAuthenticationAPI
import ThumbSecrets
import thumbturn_test_support

/// What a context does by itself; whether the owner is the owner is the daemon's.
struct ContextTests {
    let device = FakeDevice()
    var context: LAContext { LAContext(device: device) }

    func won(_ factor: Factor = .biometry) -> EvaluationReply {
        EvaluationReply(result: .success(factor), kind: .touchID, domainState: [9])
    }

    func lost(_ failure: EvaluationFailure) -> EvaluationReply { EvaluationReply(result: .failure(failure), kind: .touchID) }

    /// Waits until the device has a pending evaluation.
    func waitForEvaluation() async {
        await eventually("an evaluation is pending") { !device.now.pending.isEmpty }
    }

    @Test("1 to 3: the kind of sensor is known without a preflight, whatever is enrolled")
    func kind() {
        device.set(Capability(failure: .biometryNotEnrolled, kind: .touchID, domainState: nil))
        #expect(context.biometryType == .touchID)
        device.set(Capability(failure: .biometryNotAvailable, kind: .none, domainState: nil))
        #expect(context.biometryType == .none)
    }

    @Test("4: a preflight writes why not, and nil when nothing is in the way")
    func preflight() {
        let context = context
        var error: NSError? = NSError(domain: "old", code: 1)
        #expect(context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error))
        #expect(error == nil)
        device.set(Capability(failure: .biometryNotEnrolled, kind: .touchID, domainState: nil))
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
        #expect(error?.code == LAError.biometryNotEnrolled.rawValue && error?.domain == LAErrorDomain)
        #expect((error as? LAError)?.code == .biometryNotEnrolled)
        context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
    }

    @Test("17: the reply comes once, later, and off the main thread, even if the client answers twice")
    func reply() async {
        let context = context
        let replies = Locked(0)
        let isMain = await withCheckedContinuation { continuation in
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r") { success, error in
                #expect(success && error == nil)
                if replies.withLock({
                    $0 += 1
                    return $0
                }) == 1 {
                    continuation.resume(returning: Thread.isMainThread)
                }
            }
            device.answer(won(), times: 3)
        }
        #expect(!isMain)
        #expect(replies.withLock { $0 } == 1)
    }

    @Test("19: a context that nobody holds stays until its reply, and is forgotten at the device after it")
    func unheld() async {
        let error = await withCheckedContinuation { continuation in
            LAContext(device: device).evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r") { _, error in
                continuation.resume(returning: error)
            }
            #expect(device.now.released.isEmpty && device.now.pending.count == 1)
            device.answer(won())
        }
        #expect(error == nil)
        await eventually("the context is forgotten at the device") { !device.now.released.isEmpty }
        #expect(device.now.released == [1])
    }

    @Test("19: an evaluation that fails lets go of its context too")
    func unheldAndEnded() async {
        let error = await withCheckedContinuation { continuation in
            LAContext(device: device).evaluateAccessControl(
                SecAccessControl(rule: AccessRule(.whenUnlocked)), operation: .useItem, localizedReason: "r"
            ) { _, error in
                continuation.resume(returning: error)
            }
            device.answer(lost(.systemCancel))
        }
        #expect((error as? LAError)?.code == .systemCancel)
        await eventually("the context is forgotten at the device") { !device.now.released.isEmpty }
    }

    @Test("20: invalidating cancels what is pending, then everything is invalid; again does nothing")
    func invalidation() async throws {
        let context = context
        let error = await withCheckedContinuation { continuation in
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r") { _, error in
                continuation.resume(returning: error)
            }
            context.invalidate()
        }
        #expect((error as? LAError)?.code == .appCancel)
        context.invalidate()
        #expect(device.now.invalidated == [1])
        await #expect(throws: LAError.self) {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r")
        }
        var preflight: NSError?
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &preflight))
        #expect(preflight?.code == LAError.invalidContext.rawValue)
    }

    @Test("21: an invalidated context shows its defaults and keeps no credential")
    func defaults() {
        let context = context
        context.localizedFallbackTitle = "x"
        context.interactionNotAllowed = true
        context.touchIDAuthenticationAllowableReuseDuration = 10
        context.setCredential(Data("p".utf8), type: .applicationPassword)
        context.invalidate()
        context.localizedCancelTitle = "late"
        #expect(context.localizedFallbackTitle == nil && context.localizedCancelTitle == nil)
        #expect(!context.interactionNotAllowed && context.touchIDAuthenticationAllowableReuseDuration == 0)
        #expect(!context.setCredential(Data("p".utf8), type: .applicationPassword))
        #expect(!context.isCredentialSet(.applicationPassword))
    }

    @Test("21: an invalidated context tells no enrolment, neither one that it knew nor one that it was just asking for")
    func forgottenState() {
        let context = context
        context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
        #expect(context.evaluatedPolicyDomainState != nil)
        context.invalidate()
        #expect(context.evaluatedPolicyDomainState == nil)

        nonisolated(unsafe) let asking = LAContext(device: device)
        device.onQuestion { _ in asking.invalidate() }
        asking.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
        #expect(device.now.invalidated.count == 2 && asking.evaluatedPolicyDomainState == nil)
        // It holds the context, and the context the device.
        device.onQuestion { _ in }
    }

    @Test("23: an empty reason traps")
    func emptyReason() async {
        await #expect(processExitsWith: .failure) {
            LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "") { _, _ in }
        }
        await #expect(processExitsWith: .failure) {
            let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)!
            LAContext().evaluateAccessControl(control, operation: .useItem, localizedReason: "") { _, _ in }
        }
    }

    @Test("24, 35, 36, 40, 41, 63: an evaluation carries the passed reason, the titles and the flags; the reuse time is capped")
    func request() throws {
        let context = context
        context.localizedReason = "default"
        context.localizedFallbackTitle = ""
        context.localizedCancelTitle = "Stop"
        context.interactionNotAllowed = true
        context.touchIDAuthenticationAllowableReuseDuration = 10_000
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 10_000)
        context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "passed") { _, _ in }
        let request = try #require(device.now.requests.first)
        #expect(request.subject == .policy(.biometrics))
        #expect(request.words == PromptWords(reason: "passed", fallbackTitle: "", cancelTitle: "Stop"))
        #expect(request.interactionNotAllowed)
        #expect(request.reuseSeconds == LATouchIDAuthenticationMaximumAllowableReuseDuration)
        for odd in [-1, .nan, -.infinity] as [TimeInterval] {
            context.touchIDAuthenticationAllowableReuseDuration = odd
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r") { _, _ in }
            #expect(device.now.requests.last?.reuseSeconds == 0)
        }
    }

    @Test("26: the async form returns true or throws an LAError")
    func asyncForm() async throws {
        let context = context
        for reply in [won(), lost(.userCancel)] {
            async let answered: Void = {
                await waitForEvaluation()
                device.answer(reply)
            }()
            do {
                let success = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r")
                #expect(success && reply == won())
            } catch LAError.userCancel {
                #expect(reply == lost(.userCancel))
            }
            await answered
        }
    }

    @Test("58: the domain state is there after a preflight or a success by biometry, and not otherwise")
    func domainState() async {
        let context = context
        #expect(context.evaluatedPolicyDomainState == nil)
        context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
        #expect(context.evaluatedPolicyDomainState == Data([1, 2, 3]))
        for (reply, expected) in [(won(), Data([9])), (won(.passcode), nil), (lost(.biometryLockout), nil)] {
            await withCheckedContinuation { continuation in
                context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r") { _, _ in continuation.resume() }
                device.answer(reply)
            }
            #expect(context.evaluatedPolicyDomainState == expected)
        }
    }

    @Test("58: the enrolment that an evaluation found is there when its reply is called, for the app to keep")
    func stateInReply() async {
        nonisolated(unsafe) let context = LAContext(device: device)
        let seen: Data? = await withCheckedContinuation { continuation in
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "r") { _, _ in
                continuation.resume(returning: context.evaluatedPolicyDomainState)
            }
            device.answer(won())
        }
        #expect(seen == Data([9]))
    }

    @Test("60: the domain state object needs no preflight, and has no hash when nothing is enrolled")
    func domainStateObject() {
        let context = context
        #expect(context.domainState.biometry.stateHash == Data([1, 2, 3]))
        #expect(context.domainState.biometry.biometryType == .touchID)
        #expect(context.domainState.stateHash == Data([1, 2, 3]))
        #expect(context.domainState.companion.availableCompanionTypes.isEmpty)
        #expect(context.evaluatedPolicyDomainState == nil)
        device.set(Capability(failure: .biometryNotEnrolled, kind: .touchID, domainState: nil))
        #expect(context.domainState.biometry.stateHash == nil)
    }

    @Test(
        "66: a credential can be set, seen and taken back; taking back says true",
        arguments: [
            LACredentialType.applicationPassword, .smartCardPIN,
        ])
    func credentials(_ type: LACredentialType) {
        let context = context
        #expect(context.setCredential(Data("p".utf8), type: type))
        #expect(context.isCredentialSet(type))
        #expect(context.setCredential(nil, type: type))
        #expect(!context.isCredentialSet(type))
        #expect(context.setCredential(nil, type: type))
        #expect(!context.setCredential(Data(count: QueryLimit.secretBytes + 1), type: type))
    }

    @Test("69: an access control is evaluated for an operation")
    func accessControl() async throws {
        let context = context
        let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, nil))
        async let answered: Void = {
            await waitForEvaluation()
            device.answer(won())
        }()
        try await context.evaluateAccessControl(control, operation: .useKeySign, localizedReason: "sign")
        await answered
        #expect(device.now.requests.first?.subject == .rule(control.rule, .signWithKey))
    }

    @Test("93: changes of a context can be observed")
    func observation() async {
        let context = context
        await confirmation { changed in
            withObservationTracking {
                _ = context.localizedReason
            } onChange: {
                changed()
            }
            context.localizedReason = "new"
        }
    }
}
