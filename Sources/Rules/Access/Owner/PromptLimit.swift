/// How long a prompt may have the screen, and how long a dismissed program is refused.
public enum PromptLimit {
    /// How many seconds a prompt may have the screen without any act of the owner's. Others wait in the meantime.
    public static let secondsWithoutAct = 30.0
    /// How many seconds it may have the screen in all. Otherwise a prompt could hold the screen for ever by claiming acts that nobody did.
    public static let secondsAtMost = 180.0
    /// How many seconds a program is refused after its owner dismissed it.
    public static let secondsDismissed = 60.0
    /// How many dismissed programs are remembered. No owner dismisses more.
    public static let dismissedPrograms = 256
    /// How many seconds a prompt has to bring its first content to the screen: enough for a toolkit to start on a busy machine.
    public static let secondsToShow = 5.0
    /// After this many silent seconds a prompt counts as gone. A prompt that is up reports each second.
    public static let secondsOfSilence = 3.0
    /// Seconds between two checks that the owner's session is still the active one.
    public static let secondsForSeat = 1.0
    /// How many seconds a prompt has to come with its ticket.
    public static let secondsForTicket = 30.0
    /// Seconds between two messages in which a prompt says that it is there.
    public static let secondsBetweenWords = 1.0
    /// How many seconds an agent has to come with a ticket. After that the app gets it.
    public static let secondsForAgent = 5.0
}
