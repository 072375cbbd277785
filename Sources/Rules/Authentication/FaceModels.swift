public import ThumbAccess

/// What the files say in which a camera's module keeps the faces that it knows, its *models*.
public struct FaceModels: Sendable, Hashable {
    public var enrolment: Enrolment
    /// Differs if a file was written in between, even if it has the same contents again.
    public var stamp: [UInt8]
    /// Why they were refused; nil if they weren't, or if nobody named them.
    public var problem: SensorHindrance?

    public init(enrolment: Enrolment, stamp: [UInt8] = [], problem: SensorHindrance? = nil) {
        self.enrolment = enrolment
        self.stamp = stamp
        self.problem = problem
    }

    /// Nobody named the files, so nobody knows which faces the module knows.
    public static let unnamed = FaceModels(enrolment: .unknown)

    /// They were refused for this reason.
    public static func refused(_ problem: SensorHindrance) -> FaceModels {
        FaceModels(enrolment: .unknown, problem: problem)
    }

    /// Whether a face can count at all: not if somebody else might have taught the module a face.
    public var areTrusted: Bool { problem?.distrustsModels != true }
}
