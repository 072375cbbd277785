public import Foundation
import ThumbAccess

/// What a right requires of the owner.
public final class LAAuthenticationRequirement: NSObject, Sendable {
    let rule: AccessRule

    private init(_ constraints: Constraints) {
        guard let rule = try? AccessRule(.whenUnlockedThisDeviceOnly, constraints) else {
            preconditionFailure("the constraints below go together")
        }
        self.rule = rule
    }

    /// The default requirement.
    public override convenience init() { self.init(.userPresence) }

    /// A finger, a face or the passcode.
    public static var `default`: LAAuthenticationRequirement { LAAuthenticationRequirement() }

    /// Any enrolled finger or face. It fails if there is none, or if the sensor can't be used.
    public static var biometry: LAAuthenticationRequirement { LAAuthenticationRequirement(.biometryAny) }

    /// A finger or face that is enrolled now. It fails for good after the enrolment changed.
    public static var biometryCurrentSet: LAAuthenticationRequirement { LAAuthenticationRequirement(.biometryCurrentSet) }

    /// Any enrolled finger or face, or the fallback if that failed, can't be used or isn't wanted.
    public static func biometry(fallback: LABiometryFallbackRequirement) -> LAAuthenticationRequirement {
        LAAuthenticationRequirement(fallback.constraints)
    }

    /// Whether `object` requires the same.
    public override func isEqual(_ object: Any?) -> Bool { (object as? LAAuthenticationRequirement)?.rule == rule }

    /// A hash that requirements with the same meaning share.
    public override var hash: Int { rule.hashValue }
}

/// What a requirement accepts instead of biometry.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
    /// The constraints of a requirement with this fallback.
    fileprivate let constraints: Constraints

    private init(_ constraints: Constraints) { self.constraints = constraints }

    /// The default fallback.
    public override convenience init() { self.init(.userPresence) }

    /// Any other way to authenticate here, which is the passcode.
    public static var `default`: LABiometryFallbackRequirement { LABiometryFallbackRequirement() }

    /// The passcode.
    public static var devicePasscode: LABiometryFallbackRequirement {
        LABiometryFallbackRequirement([.biometryAny, .or, .devicePasscode])
    }
}
