import Foundation
import Observation
import ThumbAccess
import ThumbSecrets
import ThumbSecurityAPI

/// The inside of an `LARight`: its state, and the context in which the owner authenticated.
///
/// It is an object of its own, so that a persisted right's key and secret can hold it without keeping the right alive: dropping the right
/// ends what it authorized.
final class RightCore: Sendable, Observable {
    typealias Ending = @Sendable ((any Error)?) -> Void

    private struct State {
        var standing = LARight.State.unknown
        /// The context that asks, or that has succeeded.
        var context: HeldContext?
        var waiting: [Ending] = []
    }

    let rule: AccessRule
    /// Why the right can never be authorized on this device in its present state. Evaluations don't see these reasons.
    private let objection: @Sendable () -> LAError?
    private let state = Locked(State())
    private let registrar = ObservationRegistrar()

    init(_ rule: AccessRule, objection: @escaping @Sendable () -> LAError?) {
        self.rule = rule
        self.objection = objection
    }

    /// For a right that isn't stored. The enrolment that counts is the one when it was made.
    convenience init(_ requirement: LAAuthenticationRequirement) {
        let rule = requirement.rule
        let enrolment = rule.isBoundToEnrolment ? LAContext().domainState.biometry.stateHash : nil
        self.init(rule) {
            guard rule.isBoundToEnrolment, let now = LAContext().domainState.biometry.stateHash else { return nil }
            return now == enrolment ? nil : LAError(failure: .biometryNotEnrolled)
        }
    }

    var standing: LARight.State {
        registrar.access(self, keyPath: \.standing)
        return state.withLock { $0.standing }
    }

    /// The context that has met the requirement and asks nobody. Before and after that, a context in which nothing was shown.
    var context: LAContext {
        let held = state.withLock { $0.standing == .authorized ? $0.context : nil } ?? HeldContext()
        held.context.interactionNotAllowed = true
        return held.context
    }

    /// Asks the owner. A caller that comes in the meantime gets the same answer, and an authorized right isn't asked about again.
    func authorize(_ reason: String, _ ending: @escaping Ending) {
        precondition(!reason.isEmpty, "localizedReason must say why the owner is asked")
        let fresh = HeldContext()
        let standing = change { state in
            let standing = state.standing
            switch standing {
            case .authorized: break
            case .authorizing: state.waiting.append(ending)
            case .unknown, .notAuthorized:
                state.standing = .authorizing
                state.context = fresh
                state.waiting = [ending]
            }
            return standing
        }
        switch standing {
        case .authorizing: break
        case .authorized: replyQueue.async { ending(nil) }
        case .unknown, .notAuthorized:
            guard rule.isBoundToEnrolment else { return evaluate(reason, fresh) }
            // Only the device knows what could prevent it, and asking the device takes time.
            replyQueue.async { [self] in
                if let error = objection() { end(fresh, error) } else { evaluate(reason, fresh) }
            }
        }
    }

    private func evaluate(_ reason: String, _ held: HeldContext) {
        held.context.evaluateAccessControl(
            SecAccessControl(rule: rule), operation: .useItem, localizedReason: reason
        ) { [self] success, error in
            end(held, success ? nil : error ?? LAError(failure: .authenticationFailed))
        }
    }

    private func end(_ held: HeldContext, _ error: (any Error)?) {
        let waiting = change { state -> [Ending] in
            // The right was deauthorized in the meantime, and those who waited have been told.
            guard state.context === held else { return [] }
            state.standing = error == nil ? .authorized : .notAuthorized
            if error != nil { state.context = nil }
            defer { state.waiting = [] }
            return state.waiting
        }
        for ending in waiting { ending(error) }
    }

    /// Why it couldn't be authorized just now; nil if it could. Shows and changes nothing.
    func preflight() -> (any Error)? {
        if let error = objection() { return error }
        let onlyBiometry = rule.demands.allSatisfy { $0.contains(.biometry) }
        var error: NSError?
        let policy = onlyBiometry ? LAPolicy.deviceOwnerAuthenticationWithBiometrics : .deviceOwnerAuthentication
        if unsafe LAContext().canEvaluatePolicy(policy, error: &error) { return nil }
        return error.map { LAError(_nsError: $0) } ?? LAError(failure: .authenticationFailed)
    }

    /// Forgets that the owner was there, and closes a prompt that is up.
    func deauthorize() {
        let (held, waiting) = change { state -> (HeldContext?, [Ending]) in
            defer { state = State(standing: .notAuthorized) }
            return (state.context, state.waiting)
        }
        held?.context.invalidate()
        guard !waiting.isEmpty else { return }
        replyQueue.async { for ending in waiting { ending(LAError(failure: .appCancel)) } }
    }

    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        registrar.withMutation(of: self, keyPath: \.standing) { state.withLock { body(&$0) } }
    }
}

/// A context that several threads may hold.
final class HeldContext: @unchecked Sendable {
    // @unchecked: a context isn't `Sendable`, but its members may be called from any thread.
    let context = LAContext()
}
