public import ThumbAccess
public import ThumbAuthentication

/// A sensor that does what a script says.
public final class SimulatedBiometry {
    public let kind: BiometryKind
    /// How much a match says.
    public var level = BiometryLevel.strong
    /// A script doesn't leave its finger on the sensor, so no rest is needed, unless a test is about that.
    public var rest = 0.0
    /// Whether the owner lets apps use it.
    public var isPermitted = true
    /// Whether it tells one enrolment from another. A daemon that can't read fprintd's templates can't.
    public var tellsEnrolments = true
    /// Whether the names alone may stand for an enrolment that it can't tell.
    public var allowsWeakEnrolment: () -> Bool = { false }
    /// Whether a reader is plugged in. A camera doesn't say when it is unplugged.
    public var isConnected = true {
        didSet { if isAway { report?(.disconnected) } }
    }
    private var isAway: Bool { kind == .touchID && !isConnected }
    private var fingers: Set<String>
    /// Grows with every change, so that a finger that was removed and added again doesn't count as the same.
    private var revision: UInt64 = 1
    private var report: ((BiometryReport) -> Void)?

    public init(kind: BiometryKind, enrolled: [String]) {
        self.kind = kind
        fingers = Set(enrolled)
    }

    public var isListening: Bool { report != nil }

    public func enroll(_ finger: String) {
        fingers.insert(finger)
        revision += 1
    }

    /// False if there was no such finger.
    public func remove(_ finger: String) -> Bool {
        guard fingers.remove(finger) != nil else { return false }
        revision += 1
        return true
    }

    /// Lets the sensor see the owner, or somebody else.
    public func see(owner: Bool) { report?(owner ? .match(enrolment) : .miss) }
}

extension SimulatedBiometry: Biometry {
    public func condition(for caller: Caller) -> BiometryCondition {
        if isAway { return .disconnected }
        if !isPermitted { return .notAvailable }
        return fingers.isEmpty ? .notEnrolled : .ready
    }

    public var enrolment: Enrolment {
        if isAway { return .unknown }
        if kind == .none || fingers.isEmpty { return .empty }
        if !tellsEnrolments {
            return allowsWeakEnrolment() ? .known(Array("names \(fingers.sorted())".utf8)) : .unknown
        }
        var digest: [UInt8] = Array("simulated".utf8)
        digest += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: revision >> UInt64($0)) }
        return .known(digest)
    }

    public var facts: SensorFacts {
        SensorFacts(hindrance: isAway ? .unplugged : nil, tellsEnrolments: enrolment != .unknown)
    }

    public func listen(_ report: @escaping (BiometryReport) -> Void) {
        self.report = report
        if isAway { report(.disconnected) }
    }
    public func stop() { report = nil }
}
