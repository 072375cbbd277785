import Foundation
import Observation
import ThumbAccess
import ThumbSecrets
import ThumbSecurityAPI

/// Where app code is called back: never on the thread that asked, never on the main thread, never on the client's loop. It is concurrent,
/// so that a reply that waits for another reply doesn't wait for ever.
let replyQueue = DispatchQueue(label: "thumbturn.replies", attributes: .concurrent)

/// The inside of an `LAContext`.
///
/// It is an object of its own, because it is `Sendable` and a context isn't: replies come from other threads.
final class ContextCore: Sendable, Observable {
    private struct State {
        /// The context's number at the device. It is made when first needed, so that a mock never asks the device for one.
        var number: UInt64?
        var isInvalidated = false
        var settings = ContextSettings()
        var domainState: Data?
        /// The kind of sensor, once one has been seen.
        var kind = BiometryKind.none
    }

    private let device: any AuthenticationDevice
    private let state = Locked(State())
    private let registrar = ObservationRegistrar()

    init(device: any AuthenticationDevice) { self.device = device }

    /// The settings of the app. Setting has no effect once the context is invalidated.
    var settings: ContextSettings {
        get {
            registrar.access(self, keyPath: \.settings)
            return state.withLock { $0.settings }
        }
        set {
            registrar.withMutation(of: self, keyPath: \.settings) {
                state.withLock { if !$0.isInvalidated { $0.settings = newValue } }
            }
        }
    }

    /// The enrolment that the last preflight or evaluation found.
    var domainState: Data? {
        registrar.access(self, keyPath: \.domainState)
        let found = state.withLock { $0.domainState }
        if found != nil { WrittenDefaults.soon() }
        return found
    }

    /// The kind of sensor. Asks the device until one has been seen.
    var kind: BiometryKind {
        registrar.access(self, keyPath: \.kind)
        let known = state.withLock { $0.kind }
        if known != .none { return known }
        let found = device.capability(of: .biometrics, context: number).kind
        state.withLock { $0.kind = found }
        return found
    }

    /// The context's number.
    var number: UInt64 {
        state.withLock { state in
            if let number = state.number { return number }
            let number = device.makeContext()
            state.number = number
            return number
        }
    }

    /// Whether the context was ended. This is also known here, because a daemon that wasn't running at that time can't know it.
    var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

    /// Why a policy can't be evaluated; nil if it can.
    func preflight(_ policy: Policy) -> EvaluationFailure? {
        if isInvalidated { return .invalidContext }
        let found = device.capability(of: policy, context: number)
        remember(found.kind, found.failure == nil ? found.domainState : nil)
        return found.failure
    }

    /// What the device can do for biometry now. This needs no preflight and changes nothing.
    func biometryNow() -> Capability {
        let found = device.capability(of: .biometrics, context: number)
        if found.domainState != nil { WrittenDefaults.soon() }
        return found
    }

    /// Which companions are paired, and whether one is near.
    func companionsNow() -> CompanionState { device.companionState() }

    /// Asks the owner; `reply` is called once, on the reply queue.
    func evaluate(
        _ subject: EvaluationSubject, words: PromptWords, interactionNotAllowed: Bool, reuseSeconds: Double,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let once = Locked<(@Sendable (Bool, (any Error)?) -> Void)?>(reply)
        let answer: @Sendable (EvaluationReply) -> Void = { [self] answer in
            guard
                let reply = once.withLock({ waiting in
                    defer { waiting = nil }
                    return waiting
                })
            else { return }
            replyQueue.async { self.deliver(answer, to: reply) }
        }
        if isInvalidated {
            answer(EvaluationReply(result: .failure(.invalidContext), kind: .none))
            return
        }
        let request = EvaluationRequest(
            context: number, subject: subject, words: words.cut(), interactionNotAllowed: interactionNotAllowed,
            reuseSeconds: reuseSeconds)
        device.evaluate(request, reply: answer)
    }

    private func deliver(_ answer: EvaluationReply, to reply: @Sendable (Bool, (any Error)?) -> Void) {
        WrittenDefaults.atTheEnd()
        switch answer.result {
        case .success(let factor):
            remember(answer.kind, factor == .biometry ? answer.domainState : nil)
            reply(true, nil)
        case .failure(let failure):
            remember(answer.kind, nil)
            reply(false, LAError(failure: failure))
        }
        WrittenDefaults.soon()
    }

    private func remember(_ kind: BiometryKind, _ domainState: [UInt8]?) {
        registrar.withMutation(of: self, keyPath: \.domainState) {
            state.withLock { state in
                if kind != .none { state.kind = kind }
                state.domainState = state.isInvalidated ? nil : domainState.map { Data($0) }
            }
        }
    }

    func setCredential(_ credential: Data?, _ kind: UInt8) -> Bool {
        if isInvalidated { return false }
        guard let credential else {
            _ = device.setCredential(nil, kind: kind, context: number)
            return true
        }
        guard let secret = try? lockedCopy(of: credential) else { return false }
        return device.setCredential(secret, kind: kind, context: number)
    }

    func isCredentialSet(_ kind: UInt8) -> Bool {
        !isInvalidated && device.isCredentialSet(kind: kind, context: number)
    }

    /// Ends the context. Its properties then read as their defaults.
    func invalidate() {
        let number = state.withLock { state -> UInt64? in
            if state.isInvalidated { return nil }
            state.isInvalidated = true
            state.settings = ContextSettings()
            state.domainState = nil
            return state.number
        }
        if let number { device.invalidate(context: number) }
        registrar.withMutation(of: self, keyPath: \.settings) {}
    }

    /// The context is gone: forgets its number, which cancels everything pending.
    func end() {
        if let number = state.withLock({ $0.number }) { device.release(context: number) }
    }
}
