public import ThumbAccess

/// The prompts' own words, in one language: a catalogue of ours, small enough to be read whole.
public struct PromptTexts: Sendable {
    public let asks: String
    /// Stands before what the app says of itself, so that nobody takes that for ours.
    public let ownWords: String
    /// Where one signs in, has the device registered or something done to the account, in a line.
    let signIn: @Sendable (StatementPurpose, _ origin: String) -> String
    let account: @Sendable (String) -> String
    public let cancel: String
    /// The same, in the middle of a sentence.
    public let cancelKey: String
    public let accept: String
    public let fallback: String
    public let failed: String
    public let cancelled: String
    public let takenBack: String
    /// How surely the program is known, where that is more than its name: in a window, and in a sentence.
    let known: @Sendable (CallerClass) -> String?
    let knownInside: @Sendable (CallerClass) -> String
    let purpose: @Sendable (PromptPurpose) -> String?
    let sensor: @Sendable (BiometryKind, _ orPasscode: Bool) -> String?
    let notice: @Sendable (PromptNotice) -> String
    /// Beside the field, where the system asks for more than the password.
    let answer: String
    let field: @Sendable (PromptPurpose) -> String
    let wait: @Sendable (_ seconds: Int) -> String
    let picture: @Sendable (BiometryKind) -> String

    public init(_ language: PromptLanguage) {
        self =
            switch language {
            case .english: .english
            case .japanese: .japanese
            }
    }

    init(
        asks: String, ownWords: String, signIn: @escaping @Sendable (StatementPurpose, String) -> String,
        account: @escaping @Sendable (String) -> String, cancel: String, cancelKey: String, accept: String, fallback: String,
        failed: String,
        cancelled: String, takenBack: String, known: @escaping @Sendable (CallerClass) -> String?,
        knownInside: @escaping @Sendable (CallerClass) -> String, purpose: @escaping @Sendable (PromptPurpose) -> String?,
        sensor: @escaping @Sendable (BiometryKind, Bool) -> String?, notice: @escaping @Sendable (PromptNotice) -> String,
        answer: String, field: @escaping @Sendable (PromptPurpose) -> String, wait: @escaping @Sendable (Int) -> String,
        picture: @escaping @Sendable (BiometryKind) -> String
    ) {
        self.asks = asks
        self.ownWords = ownWords
        self.signIn = signIn
        self.account = account
        self.cancel = cancel
        self.cancelKey = cancelKey
        self.accept = accept
        self.fallback = fallback
        self.failed = failed
        self.cancelled = cancelled
        self.takenBack = takenBack
        self.known = known
        self.knownInside = knownInside
        self.purpose = purpose
        self.sensor = sensor
        self.notice = notice
        self.answer = answer
        self.field = field
        self.wait = wait
        self.picture = picture
    }

    /// Who asks, in one line.
    public func asking(_ content: PromptContent) -> String {
        "\(SafeText(content.callerName))\(knownInside(content.callerKind))\(asks)"
    }

    /// Where the owner signs in and as whom, a line each; none for every other question. Whole: what is cut off an origin may be
    /// what it belongs to.
    public func signIn(_ content: PromptContent) -> [String] {
        guard let words = content.signIn else { return [] }
        return [
            signIn(words.purpose, SafeText(words.origin, limit: Self.originLimit).description),
            account(SafeText(words.account).description),
        ]
    }

    /// The bytes of the longest origin that a statement takes.
    static let originLimit = 255

    /// What can be done with the sensor now; nil where it isn't listening.
    public func invitation(_ content: PromptContent) -> String? { sensor(content.listening, content.acceptsPasscode) }

    public func notice(of content: PromptContent) -> String? { content.notice.map(notice) }

    public func field(of content: PromptContent) -> String {
        if case .question? = content.notice { answer } else { field(content.purpose) }
    }

    /// How long a passcode would not be looked at yet; whole seconds, never too few.
    public func wait(_ seconds: Double) -> String { wait(Int(seconds) + 1) }

    /// A button's title: the app's, made safe, or ours where it has none.
    public func title(_ own: String?, or ours: String) -> String {
        own.flatMap { $0.isEmpty ? nil : SafeText($0, limit: Self.titleLimit).description } ?? ours
    }

    /// More wouldn't fit on a button, and could push the others out of sight.
    static let titleLimit = 40
}
