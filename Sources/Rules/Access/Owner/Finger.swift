/// A finger that can be enrolled. The numbers travel on the wire.
public enum Finger: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    case leftThumb = 1
    case leftIndex
    case leftMiddle
    case leftRing
    case leftLittle
    case rightThumb
    case rightIndex
    case rightMiddle
    case rightRing
    case rightLittle

    public static func < (one: Finger, other: Finger) -> Bool { one.rawValue < other.rawValue }
}

/// The reader, and the fingers that are enrolled in it.
public struct EnrolledFingers: Sendable, Hashable {
    public var fingers: [Finger]
    /// Whether a finger is drawn over the reader rather than laid on it.
    public var isSwipe: Bool

    public init(fingers: [Finger], isSwipe: Bool) {
        self.fingers = fingers
        self.isSwipe = isSwipe
    }
}

/// How far an enrolment has come.
public struct EnrollingProgress: Sendable, Hashable {
    public var done: Int
    /// How many times the reader wants to see the finger.
    public var stages: Int
    /// Why the last one didn't count; nil when it did.
    public var hint: RetryHint?

    public init(done: Int, stages: Int, hint: RetryHint? = nil) {
        self.done = done
        self.stages = stages
        self.hint = hint
    }
}

/// Why a call about fingers failed.
public enum FingerFailure: Error, Sendable, Hashable {
    /// The reader, or the service behind it, refused.
    case reader(EnrollingFailure)
    /// The owner wasn't recognized, or could not be asked; or the daemon can't be reached.
    case keychain(KeychainFailure)
}

/// Why fingers could not be listed, enrolled or forgotten.
public enum EnrollingFailure: UInt8, Error, Sendable, Hashable, CaseIterable {
    case noReader = 1
    /// Another program has the reader.
    case busy
    /// The finger is enrolled already, for this user or another.
    case duplicate
    /// The reader has no room for another finger.
    case full
    case notEnrolled
    /// The system doesn't let this user change fingers from where they sit.
    case notPermitted
    /// The reader went away, or could not go on.
    case failed
    case cancelled
}
