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

extension [Finger] {
    /// The fingers in fprintd's list of names, in order. An older fprintd enrolled fingers without names. We have no name for them, so they
    /// are left out.
    init(fprintNames names: BusValue?) {
        self = (names?.list ?? []).compactMap { $0.text.flatMap(Finger.init(fprintName:)) }.sorted()
    }
}

extension FprintReader {
    /// The reader at a path, from the properties that fprintd gives; fails with `malformed` if it has no name.
    init(path: String, properties: BusValue?) throws(BusError) {
        guard let properties, let name = properties["name"]?.text else { throw BusError(.malformed) }
        self.init(
            path: path, name: name, isSwipe: properties["scan-type"]?.text == "swipe",
            stages: Int(clamping: max(1, properties["num-enroll-stages"]?.number ?? 1)))
    }
}

/// A status as fprintd signals it: its word, and whether what was asked for is over.
struct FprintStatus {
    let name: String
    let isDone: Bool

    /// nil if the signal has another form.
    init?(_ values: [BusValue]) {
        guard values.count == 2, let name = values[0].text, let isDone = values[1].flag else { return nil }
        (self.name, self.isDone) = (name, isDone)
    }
}

/// What a change of a reader's properties says about a finger.
struct FprintTouch {
    let isPresent: Bool?
    let isNeeded: Bool?

    /// nil if it says nothing about one.
    init?(_ values: [BusValue]) {
        guard values.count == 3 else { return nil }
        (isPresent, isNeeded) = (values[1]["finger-present"]?.flag, values[1]["finger-needed"]?.flag)
        if isPresent == nil && isNeeded == nil { return nil }
    }
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
