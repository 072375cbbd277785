public import ThumbAccess

/// Everything that a window shows in one state. The window only draws it.
public struct WindowView: Sendable, Hashable {
    /// The sensor as it is drawn.
    public struct Picture: Sendable, Hashable {
        public enum Mood: Sendable, Hashable {
            /// Watching for a finger or a face.
            case listening
            /// It has just seen one that isn't the owner's, or not well enough.
            case missed
            /// Not listening any more in this call, or the device has none.
            case resting
        }

        public var sensor: BiometryKind
        public var mood: Mood
        public var label: String
    }

    public struct Field: Sendable, Hashable {
        public var label: String
        /// Whether a typed passcode would be checked now.
        public var isOpen: Bool
        /// Whether its characters are shown, because the owner asked for it, and what the button that changes this does.
        public var isRevealed = false
        public var reveal: String
    }

    public var title: String
    /// The program as the daemon found it: never the app's own words.
    public var caller: String
    public var asks: String
    /// What else is known of it, in lines.
    public var known: String?
    /// Where the owner signs in and as whom, in our words; empty for every other question.
    public var signIn: [String]
    /// What polkit's answer would let run, or who asks for it.
    public var command: String?
    /// What else polkit says, in lines: all but its message, which is the reason.
    public var polkit: String?
    /// The icon that stands for it, by its name in the desktop's theme.
    public var icon: String?
    /// Comes before the reason, and says whose words it is in.
    public var reasonLabel: String
    public var reason: String?
    public var picture: Picture
    /// What can be done now.
    public var invitation: String?
    /// What just happened.
    public var notice: String?
    public var field: Field?
    /// Says that Caps Lock is on, beside a field that is open.
    public var capsLock: String?
    public var fallback: String?
    public var cancel: String
    public var accept: String?
    /// The button that refuses everything this program asks for a while.
    public var dismiss: String
    /// How many other programs wait.
    public var waiting: String?

    /// - Parameter waited: the seconds since this content came; a delay goes on running while it is shown.
    /// - Parameter sensor: the device's sensor according to an earlier content of the same prompt. It is used for contents in which the
    ///   sensor rests.
    /// - Parameter isRevealed: whether the owner asked to see what is typed.
    /// - Parameter capsLock: whether the keyboard has Caps Lock on.
    public init(
        _ content: PromptContent, _ texts: PromptTexts, sensor: BiometryKind = .none, waited: Double = 0,
        isRevealed: Bool = false, capsLock: Bool = false
    ) {
        let wait = max(0, content.passcodeWait - waited)
        caller = texts.caller(content)
        asks = texts.asks
        title = texts.asking(content)
        let about = (texts.machine(content).map { [$0] } ?? []) + texts.about(content)
        known = about.isEmpty ? nil : about.joined(separator: "\n")
        signIn = texts.signIn(content)
        var lines = texts.polkit(content)
        let hasCommand = content.polkit?.command != nil || content.polkit?.asker != nil
        command = hasCommand ? lines.removeFirst() : nil
        polkit = lines.isEmpty ? nil : lines.joined(separator: "\n")
        icon = content.polkit?.icon
        reasonLabel = texts.reasonLabel(content)
        let said = texts.reason(content.words).description
        // A line of its own already says why a passcode is chosen.
        let isChoice = content.purpose == .choosePasscode || content.purpose == .repeatPasscode
        reason = said.isEmpty || isChoice || content.signIn != nil ? nil : said
        let drawn = content.listening == .none ? sensor : content.listening
        picture = Picture(sensor: drawn, mood: Self.mood(content), label: texts.picture(drawn))
        notice = texts.notice(of: content)
        let isOpen = content.acceptsPasscode && content.passcodeWait == 0
        field = content.acceptsPasscode ? Self.field(content, texts, isOpen: isOpen, isRevealed: isRevealed) : nil
        self.capsLock = isOpen && capsLock ? texts.capsLock : nil
        accept = content.acceptsPasscode ? texts.accept : nil
        invitation =
            content.acceptsPasscode && content.passcodeWait > 0
            ? texts.wait(Int(wait) + 1) : texts.purpose(content.purpose) ?? texts.invitation(content)
        fallback = content.offersFallback ? texts.title(content.words.fallbackTitle, or: texts.fallback) : nil
        cancel = texts.title(content.words.cancelTitle, or: texts.cancel)
        dismiss = texts.dismiss
        waiting = texts.waiting(content)
    }

    private static func field(_ content: PromptContent, _ texts: PromptTexts, isOpen: Bool, isRevealed: Bool) -> Field {
        // A field that is shut has nothing in it to be seen.
        let isRevealed = isRevealed && isOpen
        return Field(label: texts.field(of: content), isOpen: isOpen, isRevealed: isRevealed, reveal: texts.reveal(isRevealed))
    }

    private static func mood(_ content: PromptContent) -> Picture.Mood {
        guard content.listening != .none else { return .resting }
        switch content.notice {
        case .missed, .retry: return .missed
        case .wrongPasscode, .passcodeUnchecked, .passcodeWaits, .biometryLocked, .passcodesDiffer, .passcodeTooShort, .question,
            .accountPasswordChanged, .accountPasswordExpired, .accountLocked, nil:
            return .listening
        }
    }
}
