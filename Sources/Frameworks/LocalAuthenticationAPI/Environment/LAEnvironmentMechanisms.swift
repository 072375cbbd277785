public import Foundation
import ThumbAccess

extension LAEnvironment {
    /// A way to authenticate. Immutable.
    // Unchecked because a class with subclasses can't be checked: every property, here and below, is a `let` of a Sendable
    // type.
    public class Mechanism: NSObject, @unchecked Sendable {
        /// Whether the matching preflight would succeed.
        public let isUsable: Bool
        /// The mechanism's name, to show.
        public let localizedName: String
        /// The name of a symbol for it.
        public let iconSystemName: String

        init(isUsable: Bool, name: String, icon: String) {
            self.isUsable = isUsable
            localizedName = name
            iconSystemName = icon
        }

        /// Whether `object` describes the same mechanism in the same state.
        public override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? Mechanism else { return false }
            return type(of: self) == type(of: other) && isUsable == other.isUsable && localizedName == other.localizedName
        }

        /// A hash that equal mechanisms share.
        public override var hash: Int { localizedName.hashValue }
    }

    /// Authentication by a sensor.
    public final class MechanismBiometry: Mechanism, @unchecked Sendable {
        /// The kind of sensor, usable or not.
        public let biometryType: LABiometryType
        /// Whether a finger or a face is enrolled. Also false if that can't be seen.
        public let isEnrolled: Bool
        /// Whether biometry is locked until the passcode is given.
        public let isLockedOut: Bool
        /// The enrolment's fingerprint as this app sees it; empty when it can't be seen.
        public let stateHash: Data
        /// Whether there is a sensor that can't be reached, as under a closed lid.
        public let builtInSensorInaccessible: Bool

        init(_ found: Capability) {
            biometryType = LABiometryType(found.kind)
            isLockedOut = found.failure == .biometryLockout
            // A missing passcode is reported only after enrolment and lockout were checked.
            isEnrolled = found.failure == nil || isLockedOut || found.failure == .passcodeNotSet
            stateHash = Data(found.domainState ?? [])
            builtInSensorInaccessible = found.failure == .biometryNotAvailable
            let isFace = found.kind == .faceID
            super.init(
                isUsable: found.failure == nil, name: isFace ? "Face" : "Fingerprint", icon: isFace ? "faceid" : "touchid")
        }

        /// Whether `object` describes the same sensor in the same state.
        public override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? MechanismBiometry, super.isEqual(object) else { return false }
            return biometryType == other.biometryType && isEnrolled == other.isEnrolled && isLockedOut == other.isLockedOut
                && stateHash == other.stateHash && builtInSensorInaccessible == other.builtInSensorInaccessible
        }
    }

    /// Authentication by the passcode.
    public final class MechanismUserPassword: Mechanism, @unchecked Sendable {
        /// Whether a passcode is set.
        public let isSet: Bool

        init(_ found: Capability) {
            isSet = found.failure != .passcodeNotSet && found.failure != .deviceFailure
            super.init(isUsable: found.failure == nil, name: "Passcode", icon: "ellipsis.rectangle")
        }

        /// Whether `object` describes the passcode in the same state.
        public override func isEqual(_ object: Any?) -> Bool {
            super.isEqual(object) && (object as? MechanismUserPassword)?.isSet == isSet
        }
    }

    /// Authentication by a companion: a paired machine of the owner's that says yes for this one.
    public final class MechanismCompanion: Mechanism, @unchecked Sendable {
        /// The kind of companion.
        public let type: LACompanionType
        /// The pairings' fingerprint; nil if none is paired.
        public let stateHash: Data?

        init(_ stateHash: Data, isUsable: Bool) {
            type = .mac
            self.stateHash = stateHash
            super.init(isUsable: isUsable, name: "Companion", icon: "laptopcomputer")
        }

        /// Whether `object` describes the same pairings in the same state.
        public override func isEqual(_ object: Any?) -> Bool {
            super.isEqual(object) && (object as? MechanismCompanion)?.stateHash == stateHash
        }
    }
}
