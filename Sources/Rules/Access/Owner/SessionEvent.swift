/// What happens to the owner's session at this machine, as apps are told.
public enum SessionEvent: UInt8, Sendable, Hashable, CaseIterable {
    case locked = 1
    case unlocked
    /// The machine is about to sleep.
    case asleep
    /// It is awake again.
    case awake
    /// Another session is in front now.
    case left
    /// The owner's is in front again.
    case returned
}
