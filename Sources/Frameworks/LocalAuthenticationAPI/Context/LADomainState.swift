public import Foundation
import ThumbAccess

/// Fingerprints of what is enrolled and paired. They change when that changes.
public final class LADomainState: NSObject, Sendable {
    /// The biometric part.
    public let biometry: LADomainStateBiometry
    /// The companion part.
    public let companion: LADomainStateCompanion

    init(_ capability: Capability, _ companions: CompanionState) {
        biometry = LADomainStateBiometry(capability)
        companion = LADomainStateCompanion(companions)
    }

    /// Both parts together: the one that there is, or both hashes one after the other; nil when nothing is enrolled or paired.
    public var stateHash: Data? {
        guard let paired = companion.stateHash else { return biometry.stateHash }
        return (biometry.stateHash ?? Data()) + paired
    }
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

/// What is paired: machines of the owner's that say yes for this one.
public final class LADomainStateCompanion: NSObject, Sendable {
    /// The pairings' fingerprint; nil when nothing is paired.
    public let stateHash: Data?

    init(_ state: CompanionState) { stateHash = state.digest.map { Data($0) } }

    /// The kinds of paired companions. A companion here is a computer, near or not.
    public var availableCompanionTypes: Set<LACompanionType> { stateHash == nil ? [] : [.mac] }

    /// The fingerprint of one kind's pairings; nil when none is paired.
    public func stateHash(for companionType: LACompanionType) -> Data? { companionType == .mac ? stateHash : nil }
}
