/// The kind of a paired companion. Every companion here is a computer that runs Thumbturn: `mac`.
public enum LACompanionType: Int, Sendable, BitwiseCopyable {
    /// A watch.
    case watch = 1
    /// A desktop or notebook computer.
    case mac = 2
    /// A headset.
    case vision = 4
}
