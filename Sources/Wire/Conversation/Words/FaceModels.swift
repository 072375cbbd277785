public import ThumbAccess

// What a device and the reader's broker say to each other about the files in which a camera's module keeps the faces that it knows. Only
// root can read them.

/// Asks what is in those files now.
public struct ReadFaceModels: BareWord {
    public static let wireKind = WordKind.readFaceModels
    public init() {}
}

/// What was in them when they were read for this answer.
public struct FaceModelsRead: Word, Equatable {
    public static let wireKind = WordKind.faceModels

    public let enrolment: ReaderEnrolment
    /// Differs if a file was written in between, even if it has the same contents again.
    public let stamp: [UInt8]
    /// Why they were refused; nil if they weren't, or if nobody named them.
    public let problem: SensorHindrance?

    public init(enrolment: ReaderEnrolment, stamp: [UInt8], problem: SensorHindrance?) {
        (self.enrolment, self.stamp, self.problem) = (enrolment, stamp, problem)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(enrolment, stamp, problem) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(enrolment: try decoder.value(), stamp: try decoder.value(), problem: try decoder.value())
        // Files that were refused tell nothing.
        guard problem == nil || (problem?.isAboutModels == true && enrolment == .unknown) else { throw .malformed }
    }
}
