public import ThumbAccess

// The reader's fingers.

/// Lists the fingers that are enrolled.
public struct ListFingers: BareWord, Call {
    public static let wireKind = WordKind.listFingers
    public typealias Reply = EnrolledFingers
    public typealias Failure = FingerFailure
    public init() {}
}

/// Enrolls a finger.
public struct EnrollFinger: SteppedCall {
    public static let wireKind = WordKind.enrollFinger
    public typealias Reply = EnrollingEnded
    public typealias Failure = FingerFailure
    public typealias Step = EnrollingProgress

    public let finger: Finger

    public init(_ finger: Finger) { self.finger = finger }
    public func encode(to encoder: inout Encoder) { encoder.put(finger) }
    public init(from decoder: inout Decoder) throws(Refusal) { finger = try decoder.value() }
}

/// Forgets a finger, or all of them.
public struct ForgetFinger: Call {
    public static let wireKind = WordKind.forgetFinger
    public typealias Reply = EnrollingEnded
    public typealias Failure = FingerFailure

    public let finger: Finger?

    public init(_ finger: Finger?) { self.finger = finger }
    public func encode(to encoder: inout Encoder) { encoder.put(finger) }
    public init(from decoder: inout Decoder) throws(Refusal) { finger = try decoder.value() }
}

extension EnrolledFingers: Word {
    public static let wireKind = WordKind.fingers

    public func encode(to encoder: inout Encoder) { encoder.put(fingers, isSwipe) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(fingers: try decoder.value(), isSwipe: try decoder.value())
    }
}

extension EnrollingProgress: Word {
    public static let wireKind = WordKind.enrolling
    public var isLast: Bool { false }

    public func encode(to encoder: inout Encoder) { encoder.put(UInt8(clamping: done), UInt8(clamping: stages), hint) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            done: Int(try decoder.value(UInt8.self)), stages: Int(try decoder.value(UInt8.self)), hint: try decoder.value())
    }
}

/// The reader is done, or this is why it failed.
public struct EnrollingEnded: Word {
    public static let wireKind = WordKind.enrollingEnded

    public let failure: EnrollingFailure?

    public init(_ failure: EnrollingFailure? = nil) { self.failure = failure }
    public func encode(to encoder: inout Encoder) { encoder.put(failure) }
    public init(from decoder: inout Decoder) throws(Refusal) { failure = try decoder.value() }
}
