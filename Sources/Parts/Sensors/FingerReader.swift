public import ThumbAuthentication

/// A reader of one user's fingers. Either this process speaks with fprintd, or the reader's broker does.
public protocol FingerReader: Biometry, FingerKeeper {
    /// Whether finger names alone may stand for an enrolment if templates can't be read.
    var allowsWeakEnrolment: () -> Bool { get set }
    /// Says that the reader is out of reach, or back.
    func set(_ absence: ReaderAbsence, _ isAway: Bool)
    /// Whether there is a reader, and whether it knows the user, as far as that was found out.
    var presence: ReaderPresence { get }
}

/// Whether there is a reader, and whether it knows the user.
public enum ReaderPresence: Sendable, Hashable {
    /// Nobody was asked yet, or nobody answers.
    case unknown
    /// Whoever drives readers has none.
    case away
    case here(name: String, isEnrolled: Bool)
}

/// What makes a reader unusable for a while although it is there.
public enum ReaderAbsence: Sendable, Hashable {
    case asleep
    case lidClosed
}
