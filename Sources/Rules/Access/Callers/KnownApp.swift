/// What an app may do only after the owner agreed.
public enum AppWish: Sendable, Hashable {
    case face
    /// Use an access group that another program made.
    case group(ExactName)
    /// Go on, as the program at that path, under a bundle identifier that another program used first.
    case program(ExactName)
    /// The same, for every program in that folder.
    case folder(ExactName)
    /// Read an item that a provider keeps for another program; the item by its id, in hexadecimal digits.
    case keptItem(ExactName)
}

/// What the owner said when an app first asked for something.
public enum AppVerdict: UInt8, Sendable, Hashable {
    case allowed = 1
    case denied = 2
    /// The first of its kind, which was noted without a question.
    case noted = 3
}

/// An app the owner has decided about.
public struct KnownApp: Sendable, Hashable {
    /// The app as its items know it: a bundle identifier or a path, a label and not proof.
    public var app: ExactName
    /// What a prompt calls it.
    public var name: String
    public var kind: CallerClass
    public var wish: AppWish
    public var verdict: AppVerdict
    /// When it was decided, in seconds since the reference date.
    public var date: Double

    public init(
        app: ExactName, name: String, kind: CallerClass = .consented, wish: AppWish = .face, verdict: AppVerdict, date: Double
    ) {
        self.app = app
        self.name = name
        self.kind = kind
        self.wish = wish
        self.verdict = verdict
        self.date = date
    }
}
