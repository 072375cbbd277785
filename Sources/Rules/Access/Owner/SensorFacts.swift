/// What keeps the daemon from its sensor.
public enum SensorHindrance: UInt8, Sendable, Hashable, CaseIterable {
    /// No service that could drive a reader answers.
    case noService = 1
    /// The service that drives readers has none.
    case noReader = 2
    /// The user may not use the reader from where they sit.
    case notPermitted = 3
    case asleep = 4
    case lidClosed = 5
}

/// What is known about the sensor and its driver, for whoever wants to repair it.
public struct SensorFacts: Sendable, Hashable {
    /// How much of a reader's name is shown.
    public static let longestName = 128

    /// The driver's name for it; empty if it has none.
    public var name: String
    public var hindrance: SensorHindrance?
    /// Whether the daemon can tell one enrolment from another.
    public var tellsEnrolments: Bool
    /// Whether the sensor has ever reported that a finger lies on it.
    public var tellsFingers: Bool

    public init(
        name: String = "", hindrance: SensorHindrance? = nil, tellsEnrolments: Bool = true, tellsFingers: Bool = false
    ) {
        self.name = SafeText(name, limit: Self.longestName).description
        self.hindrance = hindrance
        self.tellsEnrolments = tellsEnrolments
        self.tellsFingers = tellsFingers
    }
}
