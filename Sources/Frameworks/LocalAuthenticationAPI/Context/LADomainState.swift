public import Foundation
import ThumbAccess

/// Fingerprints of what is enrolled and paired. They change when that changes.
public final class LADomainState: NSObject, Sendable {
    /// The biometric part.
    public let biometry: LADomainStateBiometry
    /// The companion part.
    public let companion = LADomainStateCompanion()

    init(_ capability: Capability) { biometry = LADomainStateBiometry(capability) }

    /// Both parts together; nil when nothing is enrolled or paired. Nothing can be paired here yet, so this is the biometric part.
    public var stateHash: Data? { biometry.stateHash }
}

/// What is enrolled.
public final class LADomainStateBiometry: NSObject, Sendable {
    /// The kind of sensor, usable or not.
    public let biometryType: LABiometryType
    /// The enrolment's fingerprint; nil when nothing is enrolled or biometry can't be used just now.
    public let stateHash: Data?

    init(_ capability: Capability) {
        biometryType = LABiometryType(capability.kind)
        stateHash = capability.failure == nil ? capability.domainState.map { Data($0) } : nil
    }
}

/// What is paired: nothing, yet.
public final class LADomainStateCompanion: NSObject, Sendable {
    override init() {}

    /// The kinds of paired companions.
    public var availableCompanionTypes: Set<LACompanionType> { [] }
    /// The pairings' fingerprint; nil when nothing is paired.
    public var stateHash: Data? { nil }
    /// The fingerprint of one kind's pairings; nil when none is paired.
    public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
