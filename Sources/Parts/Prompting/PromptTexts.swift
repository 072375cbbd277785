public import ThumbAccess

/// The prompts' own words in one language: our own catalogue, small enough to be read as a whole.
public struct PromptTexts: Sendable {
    public let asks: String
    /// Comes before the app's own words, so that nobody takes them for ours.
    public let ownWords: String
    /// Comes before a question of the daemon's own that it asks on behalf of a program.
    public let ourWords: String
    /// Where the owner signs in, registers the device or has something done to the account, in a line.
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
    /// A program that doesn't let anybody see its file.
    let hidden: @Sendable (_ process: UInt32) -> String
    let place: @Sendable (ProgramPlace) -> String
    let interpreter: String
    /// What it calls itself, presented as just that, so that nobody takes it for its name.
    let claim: @Sendable (String) -> String
    /// How surely the program is known, if more than its name shows it. One for a window, one for a sentence.
    let known: @Sendable (CallerClass) -> String?
    let knownInside: @Sendable (CallerClass) -> String
    let purpose: @Sendable (PromptPurpose) -> String?
    let sensor: @Sendable (BiometryKind, _ orPasscode: Bool) -> String?
    let notice: @Sendable (PromptNotice) -> String
    /// Beside the field, if the system asks for more than the password.
    let answer: String
    let field: @Sendable (PromptPurpose) -> String
    let wait: @Sendable (_ seconds: Int) -> String
    let picture: @Sendable (BiometryKind) -> String
    /// Refuses everything that the program asks for a while. One for a button, one for the middle of a sentence.
    public let dismiss: String
    public let dismissKey: String
    /// How many programs wait for their turn, and how many are asked before this one.
    let others: @Sendable (Int) -> String
    public let before: @Sendable (Int) -> String
    /// On which other machine the program asks, and which other machines may answer in this one's place.
    let asksFrom: @Sendable (_ machine: String) -> String
    let mayAnswer: @Sendable (_ machines: String) -> String

    public init(_ language: PromptLanguage) {
        self =
            switch language {
            case .english: .english
            case .japanese: .japanese
            }
    }

    init(
        asks: String, ownWords: String, ourWords: String, signIn: @escaping @Sendable (StatementPurpose, String) -> String,
        account: @escaping @Sendable (String) -> String, cancel: String, cancelKey: String, accept: String, fallback: String,
        failed: String,
        cancelled: String, takenBack: String, hidden: @escaping @Sendable (UInt32) -> String,
        place: @escaping @Sendable (ProgramPlace) -> String, interpreter: String, claim: @escaping @Sendable (String) -> String,
        known: @escaping @Sendable (CallerClass) -> String?,
        knownInside: @escaping @Sendable (CallerClass) -> String, purpose: @escaping @Sendable (PromptPurpose) -> String?,
        sensor: @escaping @Sendable (BiometryKind, Bool) -> String?, notice: @escaping @Sendable (PromptNotice) -> String,
        answer: String, field: @escaping @Sendable (PromptPurpose) -> String, wait: @escaping @Sendable (Int) -> String,
        picture: @escaping @Sendable (BiometryKind) -> String, dismiss: String, dismissKey: String,
        others: @escaping @Sendable (Int) -> String, before: @escaping @Sendable (Int) -> String,
        asksFrom: @escaping @Sendable (String) -> String, mayAnswer: @escaping @Sendable (String) -> String
    ) {
        self.asks = asks
        self.ownWords = ownWords
        self.ourWords = ourWords
        self.signIn = signIn
        self.account = account
        self.cancel = cancel
        self.cancelKey = cancelKey
        self.accept = accept
        self.fallback = fallback
        self.failed = failed
        self.cancelled = cancelled
        self.takenBack = takenBack
        self.hidden = hidden
        self.place = place
        self.interpreter = interpreter
        self.claim = claim
        self.known = known
        self.knownInside = knownInside
        self.purpose = purpose
        self.sensor = sensor
        self.notice = notice
        self.answer = answer
        self.field = field
        self.wait = wait
        self.picture = picture
        self.dismiss = dismiss
        self.dismissKey = dismissKey
        self.others = others
        self.before = before
        self.asksFrom = asksFrom
        self.mayAnswer = mayAnswer
    }

    /// The program that asks, in one line.
    public func asking(_ content: PromptContent) -> String {
        "\(caller(content))\(knownInside(content.program.kind))\(asks)"
    }

    /// The reason, made safe to show. Our own sentences may name two programs and a group; each of these is shortened by itself.
    public func reason(_ words: PromptWords) -> SafeText {
        SafeText(words.reason, limit: words.areOurs ? 2 * SafeText.limit : SafeText.limit)
    }

    /// The program that asks: the name that root or a sandbox gave it, or else the whole path of its file.
    public func caller(_ content: PromptContent) -> String {
        let program = content.program
        if let name = program.name { return SafeText(name.text, limit: Self.nameLimit).description }
        return program.path.map { SafePath($0).description } ?? hidden(program.process)
    }

    /// The other machine that the program is on, in a line of its own; nil if it is on this one.
    public func machine(_ content: PromptContent) -> String? {
        guard case .asksFrom(let machine)? = content.companion else { return nil }
        return asksFrom(SafeText(machine, limit: Self.nameLimit).withoutMarks)
    }

    /// The other machines where the owner may answer; nil if there is none.
    public func companions(_ content: PromptContent) -> String? {
        guard case .mayAnswer(let machines)? = content.companion, !machines.isEmpty else { return nil }
        return mayAnswer(machines.map { SafeText($0, limit: Self.nameLimit).withoutMarks }.joined(separator: ", "))
    }

    /// What else is known of the program, one line for each fact: what proves its name, who can change its file, what it calls itself.
    public func about(_ content: PromptContent) -> [String] {
        let program = content.program
        var lines: [String] = []
        if let known = known(program.kind) { lines.append(known) }
        if let path = program.path {
            if program.name != nil { lines.append(SafePath(path).description) }
            if program.kind == .consented { lines.append(place(program.place)) }
            if program.isInterpreter { lines.append(interpreter) }
        }
        if let claim = program.claim { lines.append(self.claim(SafeText(claim.text, limit: Self.nameLimit).description)) }
        return lines
    }

    /// Nobody would read more of a name that a program gave itself.
    static let nameLimit = 60

    /// Where the owner signs in and as whom, a line for each; empty for every other question. These are never shortened, because the part
    /// that is cut off may be the one that says whose the origin is.
    public func signIn(_ content: PromptContent) -> [String] {
        guard let words = content.signIn else { return [] }
        return [
            signIn(words.purpose, SafeText(words.origin.text, limit: Self.originLimit).description),
            account(SafeText(words.account.text).description),
        ]
    }

    /// The longest origin that a statement takes, in bytes.
    static let originLimit = 255

    /// What can be done with the sensor now; nil if it isn't listening.
    public func invitation(_ content: PromptContent) -> String? {
        guard let companions = companions(content) else { return sensor(content.listening, content.acceptsPasscode) }
        // With nothing to touch or type here, there is nothing to choose either.
        guard content.listening != .none || content.acceptsPasscode else { return companions }
        return sensor(content.listening, content.acceptsPasscode).map { "\($0) \(companions)" } ?? companions
    }

    public func notice(of content: PromptContent) -> String? { content.notice.map(notice) }

    public func field(of content: PromptContent) -> String {
        if case .question? = content.notice { answer } else { field(content.purpose) }
    }

    /// How many other programs wait for their turn; nil if none does.
    public func waiting(_ content: PromptContent) -> String? { content.waiting > 0 ? others(Int(content.waiting)) : nil }

    /// How long no passcode will be checked, in whole seconds, rounded up.
    public func wait(_ seconds: Double) -> String { wait(Int(seconds) + 1) }

    /// A button's title: the app's, made safe, or ours if the app has none.
    public func title(_ own: String?, or ours: String) -> String {
        own.flatMap { $0.isEmpty ? nil : SafeText($0, limit: Self.titleLimit).description } ?? ours
    }

    /// More wouldn't fit on a button, and could push the others out of sight.
    static let titleLimit = 40
}
