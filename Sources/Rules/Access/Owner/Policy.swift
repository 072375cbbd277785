/// What an app asks for when it asks "is this the owner?". The numbers are Apple's and travel on the wire.
public enum Policy: UInt8, Sendable, Hashable, CaseIterable {
    /// A finger or a face, nothing else.
    case biometrics = 1
    /// A finger or a face if there is one, else the passcode.
    case deviceOwner = 2
    /// A paired companion device nearby.
    case companion = 3
    /// A finger, a face, or a companion.
    case biometricsOrCompanion = 4
    /// A watch on its owner's wrist.
    case wristDetection = 5
}

/// The kind of sensor a device has. The numbers are Apple's.
public enum BiometryKind: UInt8, Sendable, Hashable, CaseIterable {
    case none = 0
    case touchID = 1
    case faceID = 2
}

/// How hard it is for somebody else to pass for the owner at a sensor. An item can refuse the lower level.
public enum BiometryLevel: UInt8, Sendable, Hashable, CaseIterable {
    /// The match is made on this machine from a camera's picture, so a photograph may pass for the owner.
    case convenience = 1
    /// The sensor is built for this.
    case strong = 2
}

/// What the owner showed in an evaluation.
public enum Factor: UInt8, Sendable, Hashable {
    case biometry = 1
    case passcode = 2
    /// The owner said yes at a paired machine nearby.
    case companion = 3
}

/// Why an evaluation did not succeed: the closed list that every layer switches over.
public enum EvaluationFailure: UInt8, Error, Sendable, Hashable, CaseIterable {
    case authenticationFailed = 1
    case userCancel
    case userFallback
    case systemCancel
    case passcodeNotSet
    case biometryNotAvailable
    case biometryNotEnrolled
    case biometryLockout
    case appCancel
    case invalidContext
    case companionNotAvailable
    case notInteractive
    /// The call itself made no sense (a policy this device doesn't know).
    case invalidParameter
    /// The device could not do its part (its store can't be written, its sensor broke). The daemon's log says more.
    case deviceFailure
    /// The sensor knew the owner when it was last here, and isn't plugged in, or was unplugged while it listened.
    case biometryDisconnected = 18
}

/// What a device can do for a policy just now, determined without showing anything.
public struct Capability: Sendable, Hashable {
    /// Why the policy can't be evaluated; nil when it can.
    public var failure: EvaluationFailure?
    /// The device's sensor, usable or not.
    public var kind: BiometryKind
    /// The enrolment in the form that this app may see; only after a successful preflight.
    public var domainState: [UInt8]?

    public init(failure: EvaluationFailure?, kind: BiometryKind, domainState: [UInt8]?) {
        self.failure = failure
        self.kind = kind
        self.domainState = domainState
    }
}

/// The words that an app wants in its prompt. A peer chose them, so they are shown only through `SafeText`, and never logged.
public struct PromptWords: Sendable, Hashable {
    public var reason: String
    /// nil: the default title; "": no fallback button; else the title.
    public var fallbackTitle: String?
    /// nil or "": the default title.
    public var cancelTitle: String?
    /// Whether these are the daemon's own words for a question of its own, and not the app's. No app can set it.
    public private(set) var areOurs = false

    /// The daemon's own words for a question that it asks the owner itself.
    public init(ours reason: String) {
        self.init(reason: reason)
        areOurs = true
    }

    public init(reason: String, fallbackTitle: String? = nil, cancelTitle: String? = nil) {
        self.reason = Self.clipped(reason)
        self.fallbackTitle = fallbackTitle.map(Self.clipped)
        self.cancelTitle = cancelTitle.map(Self.clipped)
    }

    /// Cuts a text to much more than is ever shown, so that a reason of a megabyte harms nobody.
    private static func clipped(_ text: String) -> String {
        guard text.utf8.count > QueryLimit.wordsBytes else { return text }
        // A cut inside a character would decode as one replacement character, which may be longer than what was cut.
        return String(decoding: text.utf8.prefix(QueryLimit.wordsBytes - 3), as: UTF8.self)
    }
}
