public import Foundation
import ThumbAccess

extension LAEnvironment {
    /// How the owner can authenticate at one moment. Immutable.
    public final class State: NSObject, NSCopying, Sendable {
        /// The sensor; nil if the device has none.
        public let biometry: MechanismBiometry?
        /// The passcode, set or not.
        public let userPassword: MechanismUserPassword?
        /// Companion devices, one of each paired kind.
        public let companions: [MechanismCompanion]

        init(biometry: Capability, owner: Capability, companions found: CompanionState) {
            self.biometry = biometry.kind == .none ? nil : MechanismBiometry(biometry)
            userPassword = MechanismUserPassword(owner)
            companions = found.digest.map { [MechanismCompanion(Data($0), isUsable: found.isNear)] } ?? []
        }

        /// All of them.
        public var allMechanisms: [Mechanism] {
            var all: [Mechanism] = []
            if let biometry { all.append(biometry) }
            if let userPassword { all.append(userPassword) }
            return all + companions
        }

        /// The state itself: it never changes.
        public func copy(with zone: NSZone? = nil) -> Any { self }

        /// Whether `object` describes every mechanism in the same state.
        public override func isEqual(_ object: Any?) -> Bool { (object as? State)?.allMechanisms == allMechanisms }

        /// A hash that equal states share.
        public override var hash: Int { allMechanisms.count }
    }
}
