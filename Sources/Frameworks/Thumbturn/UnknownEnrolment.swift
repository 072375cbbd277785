import LocalAuthentication

/// A device whose sensor can be used, but that can't tell which fingers or faces are enrolled. Nothing can be bound to the present ones
/// there. A user's own daemon can't read a fingerprint reader's. For a camera's, root has to say where its module keeps them.
enum UnknownEnrolment {
    /// The file that says that system mode is on.
    private static let systemMarker = "/etc/thumbturn/system-mode"

    /// What mends that on this machine, or says what does.
    static var remedy: String {
        remedy(BiometrySupport.current(), isSystem: FileManager.default.fileExists(atPath: systemMarker))
    }

    static func remedy(_ support: BiometrySupport, isSystem: Bool) -> String {
        switch support {
        // Only the mode is missing.
        case .available(.touchID) where !isSystem, .lockedOut(.touchID) where !isSystem: "sudo thumbturn system-mode on"
        default: "thumbturn doctor"
        }
    }

    /// Whether this device is one, just now.
    static var isHere: Bool {
        let context = LAContext()
        let isReady = unsafe context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
        return isReady && context.evaluatedPolicyDomainState == nil
    }
}
