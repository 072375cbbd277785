package import ThumbAccess
import ThumbClient
package import ThumbSecrets

/// A device that can find out whether this is the owner.
package protocol AuthenticationDevice: Sendable {
    /// What the device can do for a policy just now. Shows nothing.
    func capability(of policy: Policy, context: UInt64) -> Capability
    /// A number for a new context.
    func makeContext() -> UInt64
    /// Asks the owner; `reply` is called once, from a thread that app code mustn't run on.
    func evaluate(_ request: EvaluationRequest, reply: @escaping @Sendable (EvaluationReply) -> Void)
    /// Ends the context: pending calls reply `.appCancel`, later ones `.invalidContext`.
    func invalidate(context: UInt64)
    /// Forgets the context at the end of its life. Calls that are pending in spite of that reply `.appCancel`.
    func release(context: UInt64)
    func setCredential(_ secret: SecretBytes?, kind: UInt8, context: UInt64) -> Bool
    func isCredentialSet(kind: UInt8, context: UInt64) -> Bool
    /// Which companions may say yes.
    func companionState() -> CompanionState
    /// Calls back whenever the ways to authenticate may have changed.
    func watchEnvironment(_ changed: @escaping @Sendable () -> Void)
}

extension AuthenticationDevice {
    /// A device that knows no companions has none.
    package func companionState() -> CompanionState { CompanionState() }
}

extension DeviceClient: AuthenticationDevice {}
