package import ThumbAccess
import ThumbClient
package import ThumbSecrets

/// A device that can find out whether this is the owner.
package protocol AuthenticationDevice: Sendable {
    /// What the device can do for a policy just now; shows nothing.
    func capability(of policy: Policy, context: UInt64) -> Capability
    /// A number for a new context.
    func makeContext() -> UInt64
    /// Asks the owner; `reply` is called once, from a thread that app code mustn't run on.
    func evaluate(_ request: EvaluationRequest, reply: @escaping @Sendable (EvaluationReply) -> Void)
    /// Ends the context: what is pending replies `.appCancel`, what comes later `.invalidContext`.
    func invalidate(context: UInt64)
    /// Forgets the context; what is pending replies `.appCancel`.
    func release(context: UInt64)
    func setCredential(_ secret: SecretBytes?, kind: UInt8, context: UInt64) -> Bool
    func isCredentialSet(kind: UInt8, context: UInt64) -> Bool
}

extension DeviceClient: AuthenticationDevice {}

// The daemon keeps no credentials yet, and refuses items that need one. An app is told so, rather than believing its password
// kept: these two go when the client has its own.
extension DeviceClient {
    func setCredential(_ secret: SecretBytes?, kind: UInt8, context: UInt64) -> Bool { false }
    func isCredentialSet(kind: UInt8, context: UInt64) -> Bool { false }
}
