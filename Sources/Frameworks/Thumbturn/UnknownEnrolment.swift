import LocalAuthentication

/// A device whose sensor can be used, but that can't tell which fingers or faces are enrolled: a user's own daemon can't read them. Nothing
/// can be bound to the present ones there.
enum UnknownEnrolment {
    /// What switches to a daemon that can.
    static let remedy = "sudo thumbturn system-mode on"

    /// Whether this device is one, just now.
    static var isHere: Bool {
        let context = LAContext()
        let isReady = unsafe context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
        return isReady && context.evaluatedPolicyDomainState == nil
    }
}
