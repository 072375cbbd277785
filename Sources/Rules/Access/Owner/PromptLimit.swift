/// How long a prompt may hold the screen, and for how long a dismissed program is refused.
public enum PromptLimit {
    /// Seconds without an act of the owner's. Others wait in the meantime.
    public static let secondsWithoutAct = 30.0
    /// Seconds in all, so that a prompt that claims acts which nobody did doesn't hold the screen for ever.
    public static let secondsAtMost = 180.0
    /// Seconds in which a program that its owner dismissed is refused.
    public static let secondsDismissed = 60.0
    /// How many dismissed programs are remembered. No owner dismisses more.
    public static let dismissedPrograms = 256
    /// Seconds that a prompt has to bring its first content to the screen: a toolkit's start on a busy machine.
    public static let secondsToShow = 5.0
    /// Seconds of silence after which a prompt counts as gone. A prompt that is up says so each second.
    public static let secondsOfSilence = 3.0
    /// Seconds between two checks that the owner's session is still the active one.
    public static let secondsForSeat = 1.0
    /// Seconds that a prompt has to come with its ticket.
    public static let secondsForTicket = 30.0
    /// Seconds between two messages by which a prompt says that it is there.
    public static let secondsBetweenWords = 1.0
    /// Seconds that an agent has to come with a ticket; then the app gets it.
    public static let secondsForAgent = 5.0
}
