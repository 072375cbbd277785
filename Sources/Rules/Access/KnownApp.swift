/// What the owner said when an app first asked for face recognition.
public enum AppVerdict: UInt8, Sendable, Hashable {
    case allowed = 1
    case denied = 2
}

/// An app the owner has decided about.
public struct KnownApp: Sendable, Hashable {
    /// The app as its items know it: a bundle identifier or a path, a label and not proof.
    public var app: String
    /// What a prompt calls it.
    public var name: String
    public var verdict: AppVerdict
    /// When it was decided, in seconds since the reference date.
    public var date: Double

    public init(app: String, name: String, verdict: AppVerdict, date: Double) {
        self.app = app
        self.name = name
        self.verdict = verdict
        self.date = date
    }
}
