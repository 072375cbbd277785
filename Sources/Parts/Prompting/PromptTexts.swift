public import ThumbAccess

/// What prompts say, in one language.
public struct PromptTexts: Sendable {
    private let texts: [PromptText: String]

    public init(_ language: PromptLanguage) { texts = language.texts }

    // MARK: Single texts

    public var asks: String { self[.asks] }
    /// Comes before the app's own words, so that nobody takes them for ours.
    public var ownWords: String { self[.ownWords] }
    /// Comes before a question of the daemon's own that it asks on behalf of a program.
    public var ourWords: String { self[.ourWords] }

    /// Says whose words a content's reason is in.
    public func reasonLabel(_ content: PromptContent) -> String {
        if content.polkit != nil { return self[.systemWords] }
        return content.words.areOurs ? ourWords : ownWords
    }
    public var cancel: String { self[.cancel] }
    /// The same, in the middle of a sentence.
    public var cancelKey: String { self[.cancelKey] }
    public var accept: String { self[.accept] }
    public var fallback: String { self[.fallback] }
    public var failed: String { self[.failed] }
    public var cancelled: String { self[.cancelled] }
    public var takenBack: String { self[.takenBack] }
    /// Refuses everything that the program asks for a while. One for a button, one for the middle of a sentence.
    public var dismiss: String { self[.dismiss] }
    public var dismissKey: String { self[.dismissKey] }
    /// Beside a field that is typed into while Caps Lock is on.
    public var capsLock: String { self[.capsLock] }

    /// Every language has a text for every key: `scripts/write-languages` writes no other.
    subscript(key: PromptText) -> String { texts[key] ?? "" }

    /// A text with its words in braces filled in.
    ///
    /// What is filled in may be anybody's words. It isn't searched for braces itself.
    func filled(_ key: PromptText, _ words: [String: String]) -> String {
        var (result, rest) = ("", self[key][...])
        while let opening = rest.firstIndex(of: "{"), let closing = rest[opening...].firstIndex(of: "}") {
            result += rest[..<opening]
            result += words[String(rest[rest.index(after: opening)..<closing])] ?? ""
            rest = rest[rest.index(after: closing)...]
        }
        return result + rest
    }

    // MARK: Who asks

    /// The program that asks, in one line.
    public func asking(_ content: PromptContent) -> String {
        filled(asking(content.program.kind), ["program": caller(content)])
    }

    /// The program that asks: the name that root or a sandbox gave it, or else the whole path of its file.
    public func caller(_ content: PromptContent) -> String {
        let program = content.program
        if let name = program.name { return SafeText(name.text, limit: Self.nameLimit).description }
        return program.path.map { SafePath($0).description } ?? hidden(program.process)
    }

    /// A program that doesn't let anybody see its file.
    private func hidden(_ process: UInt32) -> String { filled(.hidden, ["process": String(process)]) }

    /// The other machine that the program is on, in a line of its own; nil if it is on this one.
    public func machine(_ content: PromptContent) -> String? {
        guard case .asksFrom(let machine)? = content.companion else { return nil }
        return filled(.companionAsksFrom, ["machine": SafeText(machine, limit: Self.nameLimit).withoutMarks])
    }

    /// The other machines where the owner may answer; nil if there is none.
    public func companions(_ content: PromptContent) -> String? {
        guard case .mayAnswer(let machines)? = content.companion, !machines.isEmpty else { return nil }
        let names = machines.map { SafeText($0, limit: Self.nameLimit).withoutMarks }
        return filled(.companionMayAnswer, ["machines": names.joined(separator: ", ")])
    }

    /// What else is known of the program, one line for each fact: what proves its name, who can change its file, what it calls itself.
    public func about(_ content: PromptContent) -> [String] {
        let program = content.program
        var lines: [String] = []
        if let known = known(program.kind) { lines.append(self[known]) }
        if let path = program.path {
            if program.name != nil { lines.append(SafePath(path).description) }
            if program.kind == .consented { lines.append(self[place(program.place)]) }
            switch program.runs {
            case .named(let script)?: lines.append(filled(.runs, ["name": SafePath(script).description]))
            case .commands?: lines.append(self[.commands])
            case nil: if program.isInterpreter { lines.append(self[.interpreter]) }
            }
        }
        if let claim = program.claim {
            lines.append(filled(.claim, ["name": SafeText(claim.text, limit: Self.nameLimit).withoutMarks]))
        }
        return lines
    }

    /// Nobody would read more of a name that a program gave itself.
    static let nameLimit = 60

    // MARK: What for

    /// The reason, made safe to show. Our own sentences may name two programs and a group; each of these is shortened by itself.
    public func reason(_ words: PromptWords) -> SafeText {
        SafeText(words.reason, limit: words.areOurs ? 2 * SafeText.limit : SafeText.limit)
    }

    /// Where the owner signs in and as whom, a line for each; empty for every other question. These are never shortened, because the part
    /// that is cut off may be the one that says whose the origin is.
    public func signIn(_ content: PromptContent) -> [String] {
        guard let words = content.signIn else { return [] }
        return [
            signIn(words.purpose, SafeText(words.origin.text, limit: Self.originLimit).description),
            filled(.account, ["name": SafeText(words.account.text).description]),
        ]
    }

    /// Where the owner signs in, registers the device or has something done to the account, in a line.
    func signIn(_ purpose: StatementPurpose, _ origin: String) -> String { filled(signIn(purpose), ["site": origin]) }

    /// What polkit asks for, a line for each fact; empty for every other question. Its message is the reason.
    public func polkit(_ content: PromptContent) -> [String] {
        guard let words = content.polkit else { return [] }
        func quoted(_ text: String) -> String { SafeText.quoted(text) }
        var lines: [String] = []
        if let command = words.command { lines.append(filled(.polkitCommand, ["name": quoted(command)])) }
        if let asker = words.asker { lines.append(filled(.polkitAsker, ["name": quoted(asker)])) }
        lines += words.details.map { "\(SafeText($0.name).withoutMarks): \(quoted($0.value))" }
        lines.append(filled(.polkitAction, ["name": SafeText(words.action.text).withoutMarks]))
        if let vendor = words.vendor { lines.append(filled(.polkitVendor, ["name": SafeText(vendor).withoutMarks])) }
        lines.append(filled(.account, ["name": SafeText(words.account.text).withoutMarks]))
        return lines + (words.isKept ? [self[.polkitKept]] : [])
    }

    /// The longest origin that a statement takes, in bytes.
    static let originLimit = 255

    // MARK: What to do

    /// What can be done with the sensor now; nil if it isn't listening.
    public func invitation(_ content: PromptContent) -> String? {
        let key = sensor(content.listening, orPasscode: content.acceptsPasscode)
        let asksPassword = content.purpose == .systemPassword && key == .sensorFingerOrPasscode
        let here = asksPassword ? self[.sensorFingerOrPassword] : key.map { self[$0] }
        guard let companions = companions(content) else { return here }
        // With nothing to touch or type here, there is nothing to choose either.
        guard content.listening != .none || content.acceptsPasscode else { return companions }
        return here.map { "\($0) \(companions)" } ?? companions
    }

    public func notice(of content: PromptContent) -> String? {
        content.notice.map { notice in
            filled(content.purpose == .systemPassword ? passwordNotice(notice) : self.notice(notice), words(of: notice))
        }
    }

    /// What is to be typed, if it isn't just the passcode.
    func purpose(_ purpose: PromptPurpose) -> String? {
        switch purpose {
        case .evaluate, .accountPassword, .systemPassword: nil
        case .choosePasscode: self[.passcodeChoose]
        case .repeatPasscode: self[.passcodeRepeat]
        }
    }

    public func field(of content: PromptContent) -> String {
        // The system may ask for more than the password.
        if case .question? = content.notice { self[.fieldAnswer] } else { self[field(content.purpose)] }
    }

    /// What the button beside the field does.
    public func reveal(_ isRevealed: Bool) -> String { self[isRevealed ? .conceal : .reveal] }

    public func picture(_ sensor: BiometryKind) -> String { self[picture(of: sensor)] }

    /// How long no passcode will be checked, in whole seconds, rounded up.
    public func wait(_ seconds: Int) -> String { filled(.passcodeWait, ["seconds": String(seconds)]) }

    // MARK: The line of programs

    /// How many other programs wait for their turn; nil if none does.
    public func waiting(_ content: PromptContent) -> String? {
        content.waiting > 0 ? counted(Int(content.waiting), .othersOne, .othersMore) : nil
    }

    /// How many programs are asked before this one.
    public func before(_ programs: Int) -> String { counted(programs, .beforeOne, .beforeMore) }

    private func counted(_ count: Int, _ one: PromptText, _ more: PromptText) -> String {
        count == 1 ? self[one] : filled(more, ["count": String(count)])
    }

    // MARK: Buttons

    /// A button's title: the app's, made safe, or ours if the app has none.
    public func title(_ own: String?, or ours: String) -> String {
        own.flatMap { $0.isEmpty ? nil : SafeText($0, limit: Self.titleLimit).description } ?? ours
    }

    /// More wouldn't fit on a button, and could push the others out of sight.
    static let titleLimit = 40
}
