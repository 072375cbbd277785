/// How long a prompt may hold the screen, and what the owner doesn't want to hear of.
public enum PromptLimit {
    /// Seconds without anything that its owner did there. Others wait meanwhile.
    public static let secondsWithoutAct = 30.0
    /// Seconds in all: who could claim acts that nobody did doesn't hold the screen for ever.
    public static let secondsAtMost = 180.0
    /// Seconds in which a program that its owner dismissed asks nothing.
    public static let secondsDismissed = 60.0
    /// Dismissed programs that are remembered; more are nobody's doing.
    public static let dismissedPrograms = 256
    /// Seconds in which a prompt that has the screen says that its first content is there: a toolkit's start on a busy machine.
    public static let secondsToShow = 5.0
    /// Seconds after which a prompt that says nothing is gone. It says each second that it is there.
    public static let secondsOfSilence = 3.0
    /// Seconds between two looks whether the owner's session is still the active one.
    public static let secondsForSeat = 1.0
    /// Seconds in which a prompt comes with its ticket.
    public static let secondsForTicket = 30.0
    /// Seconds between two words of a prompt that it is there.
    public static let secondsBetweenWords = 1.0
    /// Seconds for an agent to come with a ticket; then the app has it.
    public static let secondsForAgent = 5.0
}
