import ThumbAccess

/// The limits of companions, as docs/contributors/companion.md gives their reasons.
public enum CompanionLimit {
    /// Pairings in each direction.
    public static let pairings = 8
    public static let frameBytes = 16 << 10
    /// How long a companion has to say that it is there.
    public static let secondsToReach = 3.0
    /// How long its owner has for the verdict, by the asking machine's clock alone. Less than a prompt's turn without an act.
    public static let secondsToAnswer = 25.0
    /// Calls that a companion answers at once, and seconds until one more.
    public static let callsAtOnce = 4
    public static let secondsBetweenCalls = 1.0
    /// Callers who may still send their question.
    public static let callers = 4
    /// How long a pairing may take in all: as long as a prompt's turn.
    public static let secondsToPair = PromptLimit.secondsAtMost
}

/// Why a frame, or a conversation, came to nothing. Nobody but the log is told.
public enum CompanionRefusal: UInt8, Error, Sendable, Hashable, CaseIterable {
    /// It isn't formed as the page says, or it isn't this state's frame.
    case malformed
    /// It isn't the other side's: a box, a commitment or a signature that doesn't fit.
    case notGenuine
    /// Something that this machine needs for it is lacking: memory, randomness, its key.
    case failed
}
