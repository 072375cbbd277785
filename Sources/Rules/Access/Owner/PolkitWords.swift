/// What polkit wants somebody's word for, as its agent heard it: an action, and what is known of this use of it.
///
/// The prompt shows all of it. If something is missing, no finger counts, because the owner has to know what a touch is for.
public struct PolkitWords: Sendable, Hashable {
    public struct Detail: Sendable, Hashable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// The action's name, as in `org.freedesktop.policykit.exec`.
    public let action: ExactName
    /// What is to be allowed, in the session's language. Parts of it may come from the program that wants it.
    public let message: String
    /// Whose the action is; nil if nobody says.
    public let vendor: String?
    /// The icon that stands for it, by its name in the desktop's theme.
    public let icon: String?
    /// The command that root will run, whole.
    public let command: String?
    /// What the asking program was started with. It is that program's own word.
    public let asker: String?
    /// What else polkit says of this use of the action.
    public let details: [Detail]
    /// The account whose password counts.
    public let account: ExactName
    /// Whether polkit keeps the answer for a while, for what the same program asks next.
    public let isKept: Bool
    /// Whether nothing was left out, and nothing in it could pass for something else.
    public let isWhole: Bool

    /// Keeps as much of each text as is shown.
    public init(
        action: ExactName, message: String, vendor: String? = nil, icon: String? = nil, command: String? = nil,
        asker: String? = nil, details: [Detail] = [], account: ExactName, isKept: Bool = false, isWhole: Bool = true
    ) {
        var isWhole = isWhole && details.count <= Self.mostDetails
        func kept(_ text: String, _ limit: Int) -> String {
            // Blanks could push the rest out of the place where it is looked for. A line's end, shown as a blank, would hide that another
            // command begins there.
            if Self.hasRunOfBlanks(text) || SafeText(text, limit: .max).description != text { isWhole = false }
            if text.unicodeScalars.count <= limit { return text }
            isWhole = false
            return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
        }
        /// A text that is shown between quotation marks, so that it can't have any of its own.
        func quoted(_ text: String, _ limit: Int) -> String {
            if SafeText(text, limit: .max).withoutMarks != text { isWhole = false }
            return kept(text, limit)
        }
        self.action = ExactName(quoted(action.text, Self.actionLimit))
        self.message = kept(message, Self.textLimit)
        self.vendor = vendor.map { kept($0, Self.nameLimit) }
        self.icon = icon.flatMap { Self.isIcon($0) ? $0 : nil }
        self.command = command.map { quoted($0, Self.textLimit) }
        self.asker = asker.map { quoted($0, Self.textLimit) }
        self.details = details.prefix(Self.mostDetails).map {
            Detail(quoted($0.name, Self.nameLimit), quoted($0.value, Self.textLimit))
        }
        self.account = ExactName(quoted(account.text, Self.nameLimit))
        self.isKept = isKept
        self.isWhole = isWhole
    }

    private static func hasRunOfBlanks(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return zip(scalars, scalars.dropFirst()).contains { $0.properties.isWhitespace && $1.properties.isWhitespace }
    }

    /// How many characters of each are shown, and how many details: as much as fits in a window.
    public static let textLimit = 200
    public static let actionLimit = 120
    public static let nameLimit = 64
    public static let mostDetails = 8

    /// Whether it is a name in a theme. A path would be a picture of somebody's own.
    private static func isIcon(_ name: String) -> Bool {
        (1...nameLimit).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            } && name.utf8.first != UInt8(ascii: ".")
    }
}
