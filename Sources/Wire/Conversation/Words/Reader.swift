public import ThumbAccess

// What a device and the reader's broker say to each other. The words that list, enroll and forget fingers, and their answers, are the same
// as an app's. No word names a user, because each connection belongs to one user.

/// Asks what is known of the reader.
public struct PrepareReader: Word, Equatable {
    public static let wireKind = WordKind.prepareReader

    /// Whether an earlier result about the reader itself is good enough.
    public let isCasual: Bool
    /// Whether the owner allows finger names alone to stand for an enrolment if templates can't be read.
    public let allowsWeakEnrolment: Bool

    public init(isCasual: Bool, allowsWeakEnrolment: Bool) {
        (self.isCasual, self.allowsWeakEnrolment) = (isCasual, allowsWeakEnrolment)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(isCasual, allowsWeakEnrolment) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(isCasual: try decoder.value(), allowsWeakEnrolment: try decoder.value())
    }
}

/// Watches for a finger until told to stop. Each finding is reported to this call.
public struct WatchFinger: Word, Equatable {
    public static let wireKind = WordKind.watchFinger

    /// As in `PrepareReader`.
    public let allowsWeakEnrolment: Bool

    public init(allowsWeakEnrolment: Bool) { self.allowsWeakEnrolment = allowsWeakEnrolment }
    public func encode(to encoder: inout Encoder) { encoder.put(allowsWeakEnrolment) }
    public init(from decoder: inout Decoder) throws(Refusal) { allowsWeakEnrolment = try decoder.value() }
}

/// Ends the watch.
public struct StopWatching: BareWord {
    public static let wireKind = WordKind.stopWatching
    public init() {}
}

/// Ends the enrolment that is under way.
public struct StopEnrolling: BareWord {
    public static let wireKind = WordKind.stopEnrolling
    public init() {}
}

/// Why the reader is out of the owner's reach: the machine sleeps, or the lid is closed over it.
public struct ReaderAway: Word, Equatable {
    public static let wireKind = WordKind.readerAway

    public let isAsleep: Bool
    public let isLidClosed: Bool

    public init(isAsleep: Bool, isLidClosed: Bool) { (self.isAsleep, self.isLidClosed) = (isAsleep, isLidClosed) }
    public func encode(to encoder: inout Encoder) { encoder.put(isAsleep, isLidClosed) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(isAsleep: try decoder.value(), isLidClosed: try decoder.value())
    }
}

/// An enrolment in its form on the wire.
public enum ReaderEnrolment: WireValue, Sendable, Hashable {
    case known([UInt8])
    case empty
    case unknown

    public func encode(to encoder: inout Encoder) {
        switch self {
        case .known(let digest): encoder.put(UInt8(1), digest)
        case .empty: encoder.put(UInt8(2))
        case .unknown: encoder.put(UInt8(3))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .known(try decoder.value())
        case 2: self = .empty
        case 3: self = .unknown
        default: throw .malformed
        }
    }
}

/// What is known of the reader at the moment it is said.
public struct ReaderSnapshot: Word, Equatable {
    public static let wireKind = WordKind.readerSnapshot

    /// Whether there is one.
    public let isThere: Bool
    /// Whether the user has a finger enrolled.
    public let isEnrolled: Bool
    public let enrolment: ReaderEnrolment
    public let facts: SensorFacts

    public init(isThere: Bool, isEnrolled: Bool, enrolment: ReaderEnrolment, facts: SensorFacts) {
        (self.isThere, self.isEnrolled, self.enrolment, self.facts) = (isThere, isEnrolled, enrolment, facts)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(isThere, isEnrolled, enrolment, facts) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            isThere: try decoder.value(), isEnrolled: try decoder.value(), enrolment: try decoder.value(),
            facts: try decoder.value())
    }
}

/// What a watch reports.
public enum FingerReport: Word, Equatable {
    /// A finger of the owner's. The enrolment was read before and after the match and was the same.
    case match(ReaderEnrolment)
    case miss
    case retry(RetryHint)
    /// The watch is over.
    case failed
    /// The watch is over, because the reader was unplugged.
    case disconnected

    public static let wireKind = WordKind.fingerReport
    public var isLast: Bool { false }

    public func encode(to encoder: inout Encoder) {
        switch self {
        case .match(let enrolment): encoder.put(UInt8(1), enrolment)
        case .miss: encoder.put(UInt8(2))
        case .retry(let hint): encoder.put(UInt8(3), hint)
        case .failed: encoder.put(UInt8(4))
        case .disconnected: encoder.put(UInt8(5))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .match(try decoder.value())
        case 2: self = .miss
        case 3: self = .retry(try decoder.value())
        case 4: self = .failed
        case 5: self = .disconnected
        default: throw .malformed
        }
    }
}
