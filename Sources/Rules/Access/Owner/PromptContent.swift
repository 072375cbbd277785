/// Everything that a prompt shows. All of it is sent each time, so that a prompt keeps no state of its own.
public struct PromptContent: Sendable, Hashable {
    public var purpose: PromptPurpose
    /// The program that asks, as the daemon found it.
    public var program: ProgramWords
    /// The app's own words, or ours. They aren't safe to show yet.
    public var words: PromptWords
    /// Where the owner signs in by answering; the app's words are empty then.
    public var signIn: SignInWords?
    /// What polkit asks for.
    public var polkit: PolkitWords?
    /// The sensor, if it is listening.
    public var listening: BiometryKind
    /// Whether a passcode may be typed now.
    public var acceptsPasscode: Bool
    /// Whether the fallback button is shown.
    public var offersFallback: Bool
    public var notice: PromptNotice?
    /// Seconds until the next passcode is checked.
    public var passcodeWait: Double
    /// How many other programs wait for the screen.
    public var waiting: UInt16 = 0
    /// On which other machine the program asks, or which other machines may answer.
    public var companion: CompanionWords?

    public init(
        purpose: PromptPurpose = .evaluate, program: ProgramWords, words: PromptWords,
        signIn: SignInWords? = nil, polkit: PolkitWords? = nil, listening: BiometryKind = .none, acceptsPasscode: Bool = false,
        offersFallback: Bool = false,
        notice: PromptNotice? = nil,
        passcodeWait: Double = 0
    ) {
        self.purpose = purpose
        self.program = program
        self.words = words
        self.signIn = signIn
        self.polkit = polkit
        self.listening = listening
        self.acceptsPasscode = acceptsPasscode
        self.offersFallback = offersFallback
        self.notice = notice
        self.passcodeWait = passcodeWait
    }
}

/// What a typed passcode is for.
public enum PromptPurpose: UInt8, Sendable, Hashable {
    case evaluate = 0
    case choosePasscode = 1
    case repeatPasscode = 2
    /// As `evaluate`, if the passcode is the account's password. Also used to ask for that password when it becomes the passcode.
    case accountPassword = 3
    /// The password of an account that polkit names. The system judges it, and it is no passcode here.
    case systemPassword = 4
}

/// What to tell a person whose finger wasn't read.
public enum RetryHint: UInt8, Sendable, Hashable, CaseIterable {
    case again = 1
    case tooShort
    case centre
    case liftAndRepeat
}

/// What just happened, in a prompt's own words.
public enum PromptNotice: Sendable, Hashable {
    case missed(attemptsLeft: Int)
    case retry(RetryHint)
    case wrongPasscode
    case passcodeUnchecked
    case biometryLocked
    case passcodesDiffer
    case passcodeTooShort(least: Int)
    /// The system asks for more than the password.
    case question(AccountQuestion)
    /// The account's password has changed since the passcode was last given. The previous password is asked for, once.
    case accountPasswordChanged
    case accountPasswordExpired
    case accountLocked
    /// The TPM takes no passcode for a while, after too many wrong ones.
    case passcodeWaits
}

/// How a prompt ends, which decides what it shows last.
public enum PromptEnding: UInt8, Sendable, Hashable {
    case success = 0
    case failure = 1
    case cancelled = 2
}
