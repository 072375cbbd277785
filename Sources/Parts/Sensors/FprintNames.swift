import ThumbAccess
import ThumbAuthentication
import ThumbBus

// fprintd's names and ours.

extension Finger {
    /// fprintd's name for it.
    var fprintName: String {
        switch self {
        case .leftThumb: "left-thumb"
        case .leftIndex: "left-index-finger"
        case .leftMiddle: "left-middle-finger"
        case .leftRing: "left-ring-finger"
        case .leftLittle: "left-little-finger"
        case .rightThumb: "right-thumb"
        case .rightIndex: "right-index-finger"
        case .rightMiddle: "right-middle-finger"
        case .rightRing: "right-ring-finger"
        case .rightLittle: "right-little-finger"
        }
    }

    init?(fprintName: String) {
        guard let finger = Finger.allCases.first(where: { $0.fprintName == fprintName }) else { return nil }
        self = finger
    }

    /// The name of its template's file: libfprint's number in hexadecimal.
    var templateName: String { String(rawValue, radix: 16) }
}

/// What a status of a verification says.
enum VerifyStatus {
    case match
    case noMatch
    case retry(RetryHint)
    case disconnected
    case unknown

    /// Whether it is about a finger rather than the reader.
    var isTouch: Bool {
        switch self {
        case .match, .noMatch, .retry: true
        case .disconnected, .unknown: false
        }
    }

    init(_ name: String, isDone: Bool) {
        switch name {
        case "verify-match": self = .match
        case "verify-no-match": self = .noMatch
        case "verify-swipe-too-short": self = .retry(.tooShort)
        case "verify-finger-not-centered": self = .retry(.centre)
        case "verify-remove-and-retry": self = .retry(.liftAndRepeat)
        case "verify-retry-scan": self = .retry(.again)
        case "verify-disconnected": self = .disconnected
        // A newer fprintd may have other reasons to look at a finger again.
        default: self = isDone ? .unknown : .retry(.again)
        }
    }
}

/// What a status of an enrolment says.
enum EnrollStatus {
    case stage
    case retry(RetryHint)
    case ended(EnrollingFailure?)

    init(_ name: String, isDone: Bool) {
        switch name {
        case "enroll-completed": self = .ended(nil)
        case "enroll-stage-passed": self = .stage
        case "enroll-swipe-too-short": self = .retry(.tooShort)
        case "enroll-finger-not-centered": self = .retry(.centre)
        case "enroll-remove-and-retry": self = .retry(.liftAndRepeat)
        case "enroll-retry-scan": self = .retry(.again)
        case "enroll-data-full": self = .ended(.full)
        case "enroll-duplicate": self = .ended(.duplicate)
        default: self = isDone ? .ended(.failed) : .retry(.again)
        }
    }
}

/// Why fprintd refused a call.
enum FprintRefusal {
    case inUse
    case noPrints
    case noDevice
    case notPermitted
    /// The reader or fprintd has a problem, or is gone.
    case trouble

    init(_ error: BusError) {
        switch error.name {
        case "net.reactivated.Fprint.Error.AlreadyInUse": self = .inUse
        case "net.reactivated.Fprint.Error.NoEnrolledPrints": self = .noPrints
        case "net.reactivated.Fprint.Error.NoSuchDevice": self = .noDevice
        case "net.reactivated.Fprint.Error.PermissionDenied": self = .notPermitted
        default: self = .trouble
        }
    }
}
