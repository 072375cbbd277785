/// What stands between the daemon and its sensor.
public enum SensorHindrance: UInt8, Sendable, Hashable, CaseIterable {
    /// No service answers that would drive a reader.
    case noService = 1
    /// What drives readers has none.
    case noReader = 2
    /// The user isn't let near the reader from where they sit.
    case notPermitted = 3
    case asleep = 4
    case lidClosed = 5
}

/// What is known of the sensor and of what drives it, for whoever wants to mend it.
public struct SensorFacts: Sendable, Hashable {
    /// As much of a reader's name as is told.
    public static let longestName = 128

    /// The name that its driver has for it; empty if it has none.
    public var name: String
    public var hindrance: SensorHindrance?
    /// Whether the daemon can tell one enrolment from another.
    public var tellsEnrolments: Bool
    /// Whether the sensor was seen to tell when a finger lies on it.
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
