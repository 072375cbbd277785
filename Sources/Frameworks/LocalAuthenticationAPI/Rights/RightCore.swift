import Foundation
import Observation
import ThumbAccess
import ThumbSecrets
import ThumbSecurityAPI

/// The inside of an `LARight`: its state, and the context in which the owner authenticated.
///
/// It is an object of its own, so that a persisted right's key and secret can hold it without keeping the right alive: dropping the right
/// ends what it authorized, as soon as nothing that was begun with it is pending.
final class RightCore: Sendable, Observable {
    typealias Ending = @Sendable ((any Error)?) -> Void

    private struct State {
        var standing = LARight.State.unknown
        /// The context that asks, or that has succeeded.
        var context: HeldContext?
        var waiting: [Ending] = []
        /// How many calls of the right's key and secret are pending.
        var uses = 0
        /// Whether the right itself is gone.
        var isDropped = false
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
            defer {
                state.standing = .notAuthorized
                state.context = nil
                state.waiting = []
            }
            return (state.context, state.waiting)
        }
        held?.context.invalidate()
        guard !waiting.isEmpty else { return }
        replyQueue.async { for ending in waiting { ending(LAError(failure: .appCancel)) } }
    }

    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        registrar.withMutation(of: self, keyPath: \.standing) { state.withLock { body(&$0) } }
    }

    // MARK: Uses

    /// The right is gone. What it authorized ends now, or with the last call that was begun before.
    func drop() {
        let isUsed = state.withLock { state in
            state.isDropped = true
            return state.uses > 0
        }
        if !isUsed { deauthorize() }
    }

    /// Begins a call of the right's key or secret. False if the right is gone, and then nothing is authorized.
    fileprivate func beginUse() -> Bool {
        state.withLock { state in
            if state.isDropped { return false }
            state.uses += 1
            return true
        }
    }

    fileprivate func endUse() {
        let wasLast = state.withLock { state in
            state.uses -= 1
            return state.isDropped && state.uses == 0
        }
        if wasLast { deauthorize() }
    }
}

/// One call of a right's key or secret, from its beginning to its end. It holds the right until then, so its caller needn't.
struct RightUse: Sendable {
    private let core: RightCore
    private let isAuthorized: Bool

    /// Begins the call. `run` ends it, and must be called once.
    init(_ core: RightCore) {
        self.core = core
        isAuthorized = core.beginUse()
    }

    /// Runs the call in the right's context.
    func run<Value>(_ body: (LAContext) throws -> Value) rethrows -> Value {
        guard isAuthorized else {
            let mute = LAContext()
            mute.interactionNotAllowed = true
            return try body(mute)
        }
        defer { core.endUse() }
        return try body(core.context)
    }
}

/// A context that several threads may hold.
final class HeldContext: @unchecked Sendable {
    // @unchecked: a context isn't `Sendable`, but its members may be called from any thread.
    let context: LAContext

    init(_ context: LAContext = LAContext()) { self.context = context }
}
