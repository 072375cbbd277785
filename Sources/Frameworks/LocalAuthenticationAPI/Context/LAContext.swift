public import Foundation
public import Observation
package import ThumbAccess
public import ThumbSecurityAPI

/// The longest time for which an unlocked device can count as authentication: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// One session of authentication. It asks whether this is the owner, and remembers a yes for the keychain calls that you pass it to.
///
/// The daemon remembers it, so nothing in this process can forge it. You needn't hold it while an evaluation is pending: a pending
/// evaluation keeps its context until the reply. The class is open, so that apps can replace it in their tests.
///
/// It isn't `Sendable`, and neither is Apple's; its own members may still be called from any thread.
open class LAContext: NSObject {
    private var core = ContextCore(device: AppDevice.client)

    /// Makes a context that nobody has authenticated yet.
    public override init() { super.init() }

    /// A context over some other device.
    package convenience init(device: any AuthenticationDevice) {
        self.init()
        core = ContextCore(device: device)
    }

    deinit { core.end() }

    // MARK: Asking

    /// Finds out whether `policy` could be evaluated now. Shows nothing.
    ///
    /// If not, `error` gets the reason: an invalidated context first, then what the device lacks. Don't keep the answer, because
    /// sensors and enrolment change. You may call this anywhere, even in a reply.
    @discardableResult
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        let failure = core.preflight(policy.policy)
        if let error = unsafe error { unsafe error.pointee = failure.map { LAError(failure: $0)._nsError } }
        return failure == nil
    }

    /// Asks the owner to satisfy `policy`, and returns at once.
    ///
    /// `reply` is called exactly once, on a private queue: with true and nil, or with false and an `LAError`. On a context
    /// that has already succeeded it is called without asking again. An empty reason is a programming error and traps.
    @preconcurrency
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate(.policy(policy.policy), localizedReason, reply)
    }

    /// Asks the owner to satisfy `policy`; a normal return is true, failures are thrown as `LAError`.
    ///
    /// Calls the form with a reply, so that a subclass need only override that one. Runs on its caller's executor, so an actor can use a
    /// context that it owns.
    @discardableResult
    nonisolated(nonsending) open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await result { evaluatePolicy(policy, localizedReason: localizedReason, reply: $0) }
    }

    /// Asks the owner to satisfy `accessControl`, so that `operation` on such an item can follow without a prompt.
    ///
    /// Replies as `evaluatePolicy` does; an empty reason traps.
    @preconcurrency
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate(.rule(accessControl.rule, operation.operation), localizedReason, reply)
    }

    /// Asks the owner to satisfy `accessControl`; a normal return is true, failures are thrown as `LAError`.
    @discardableResult
    nonisolated(nonsending) open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        try await result {
            evaluateAccessControl(accessControl, operation: operation, localizedReason: localizedReason, reply: $0)
        }
    }

    private func evaluate(
        _ subject: EvaluationSubject, _ reason: String, _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Apple raises an exception here. An owner must never see a prompt that doesn't say why.
        precondition(!reason.isEmpty, "localizedReason must say why the owner is asked")
        var words = contextWords
        words.reason = reason
        // Public code mostly makes a context, begins an evaluation and holds nothing. Apple's implementation keeps such a context too.
        let kept = HeldContext(self)
        core.evaluate(
            subject, words: words, interactionNotAllowed: interactionNotAllowed, reuseSeconds: contextReuseSeconds
        ) { success, error in
            withExtendedLifetime(kept) { reply(success, error) }
        }
    }

    nonisolated(nonsending) private func result(
        of evaluation: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluation { success, error in
                if success {
                    continuation.resume(returning: true)
                } else {
                    continuation.resume(throwing: error ?? LAError(failure: .authenticationFailed))
                }
            }
        }
    }

    /// Ends the session: pending evaluations fail with `LAError.appCancel`, later calls with `LAError.invalidContext`.
    ///
    /// Calling it again does nothing. Afterwards the properties read as their defaults, and setting them has no effect. No credential is
    /// set or can be set, because nothing that the context was told should be found in it.
    open func invalidate() { core.invalidate() }

    // MARK: Credentials

    /// Gives the context a secret of the app's own; nil takes it back.
    ///
    /// Returns false if it isn't kept: the context is invalidated, the secret is too long, or the daemon has no use for the type. Taking a
    /// secret back always succeeds on a valid context.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        core.setCredential(credential, type.kind)
    }

    /// Whether the context holds a secret of that type.
    @discardableResult
    open func isCredentialSet(_ type: LACredentialType) -> Bool { core.isCredentialSet(type.kind) }

    // MARK: What the app says

    /// The reason that a keychain call with this context shows if it has to ask. A reason passed to a method takes precedence.
    open var localizedReason: String {
        get { core.settings.localizedReason }
        set { core.settings.localizedReason = newValue }
    }

    /// The fallback button's title: nil is the default, "" hides the button.
    open var localizedFallbackTitle: String? {
        get { core.settings.localizedFallbackTitle }
        set { core.settings.localizedFallbackTitle = newValue }
    }

    /// The cancel button's title: nil or "" is the default. The button can't be hidden.
    open var localizedCancelTitle: String? {
        get { core.settings.localizedCancelTitle }
        set { core.settings.localizedCancelTitle = newValue }
    }

    /// Whether no prompt may be shown. If true, a call that would have to ask fails with `LAError.notInteractive`, and a keychain call with
    /// `errSecInteractionNotAllowed`.
    open var interactionNotAllowed: Bool {
        get { core.settings.interactionNotAllowed }
        set { core.settings.interactionNotAllowed = newValue }
    }

    /// How many seconds an unlock of the device by finger or face counts as a match. 0, the default, means never; at most 300 count.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { core.settings.reuseDuration }
        set { core.settings.reuseDuration = newValue }
    }

    /// Has no effect.
    @available(*, deprecated, message: "It has no effect")
    open var maxBiometryFailures: NSNumber? {
        get { core.settings.maxBiometryFailures }
        set { core.settings.maxBiometryFailures = newValue }
    }

    // MARK: What the device says

    /// The kind of sensor that the device has, usable or not. This needs no preflight.
    open var biometryType: LABiometryType { LABiometryType(core.kind) }

    /// A fingerprint of the enrolment, which changes when the enrolment does and differs from app to app.
    ///
    /// Set by a preflight of either policy if biometry can be used, and by an evaluation that succeeded by biometry. Every other preflight
    /// or evaluation leaves nil, a success by passcode too. `domainState` needs neither.
    open var evaluatedPolicyDomainState: Data? { core.domainState }

    /// The present enrolment, without a preflight.
    open var domainState: LADomainState { LADomainState(core.biometryNow(), core.companionsNow()) }
}

extension LAContext: Observable {}

extension LAContext: AuthenticationContextSource {
    package var contextNumber: UInt64 { core.number }
    package var isInvalidated: Bool { core.isInvalidated }

    package var contextReuseSeconds: Double {
        let reuse = touchIDAuthenticationAllowableReuseDuration
        return reuse > 0 ? min(reuse, LATouchIDAuthenticationMaximumAllowableReuseDuration) : 0
    }

    package var contextWords: PromptWords {
        PromptWords(
            reason: localizedReason, fallbackTitle: localizedFallbackTitle, cancelTitle: localizedCancelTitle)
    }
}
