/// What keeps the daemon from its sensor, or from knowing which faces a camera knows.
public enum SensorHindrance: UInt8, Sendable, Hashable, CaseIterable {
    /// No service that could drive a reader answers.
    case noService = 1
    /// The service that drives readers has none.
    case noReader = 2
    /// The user may not use the reader from where they sit.
    case notPermitted = 3
    case asleep = 4
    case lidClosed = 5
    /// A reader that knew the owner when it was last here isn't plugged in.
    case unplugged = 6

    // Why the files in which a camera's module keeps its faces, its models, were refused. After the first three the camera doesn't count.

    /// One of them belongs to another user, who could change which faces the module knows.
    case modelsForeign = 16
    /// Others can write one of them.
    case modelsWritable = 17
    /// There is a link among them.
    case modelsLink = 18
    /// The administrator's file that says where they are isn't understood.
    case modelsSetting = 19
    /// The folder in which they should be doesn't exist.
    case modelsMissing = 20
    case modelsUnreadable = 21
    /// Something among them is neither a file nor a folder.
    case modelsStrange = 22
    case modelsTooMany = 23
    case modelsTooLarge = 24
    case modelsTooDeep = 25
    /// They changed while they were read.
    case modelsChanging = 26

    /// Whether it is about a camera's models.
    public var isAboutModels: Bool { rawValue >= Self.modelsForeign.rawValue }

    /// Whether somebody other than root might have taught the camera a face. Its match then proves nothing.
    public var distrustsModels: Bool { self == .modelsForeign || self == .modelsWritable || self == .modelsLink }
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
